// Levels of a session's units.

import Glibc
import UnitModel

/// Levels, gain reduction and latency of a unit.
public struct UnitMeters: Sendable, Hashable, Codable {
  /// The greatest sample of each channel, by input bus, in dBFS: −200 for silence, 200 at most.
  public var inputs: [[Float]]
  /// The greatest sample of each channel, by output bus.
  public var outputs: [[Float]]
  /// The decibels by which the unit lowers the gain; nil for a unit that does not lower it by the
  /// level.
  public var reduction: Float?
  /// The unit's latency in frames.
  public var latency: Int

  /// - Parameter peaks: the magnitudes of all channels, inputs before outputs, bus by bus.
  package init(
    of unit: AudioUnit, peaks: [Float], inputChannels: [Int], outputChannels: [Int], latency: Int
  ) {
    var rest = peaks[...]
    func busses(_ channels: [Int]) -> [[Float]] {
      channels.map { count in
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).map(Self.decibels)
      }
    }
    inputs = busses(inputChannels)
    outputs = busses(outputChannels)
    reduction = (unit as? any GainReducing).map { unit in
      let reduction = unit.reduction
      return reduction.isFinite ? (10 * reduction).rounded() / 10 : 0
    }
    self.latency = latency
  }

  /// Returns a magnitude in dBFS, rounded to a tenth: −200 to 200; 200 for NaN and infinity.
  package static func decibels(_ peak: Float) -> Float {
    guard peak.isFinite else { return 200 }
    return max(-200, min(200, (200 * log10(peak)).rounded() / 10))
  }
}

/// Levels of several units over the same frames.
public struct MeterReading: Sendable, Hashable, Codable {
  /// The frame of the session on which the latest measured cycle began.
  public var frame: Int64
  /// The number of frames that the levels cover.
  public var frames: Int
  /// The units by their ids.
  public var units: [String: UnitMeters]

  package init(frame: Int64, frames: Int, units: [String: UnitMeters]) {
    (self.frame, self.frames, self.units) = (frame, frames, units)
  }
}
