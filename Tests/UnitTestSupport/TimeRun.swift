// Signals through a time effect.

import TestSupport
import UnitHost
import UnitModel

/// The input of a time effect, and its output so far.
public struct TimeRun {
  public var host: DirectHost
  public let channels: [[Float]]
  /// Input frames that the effect has asked for.
  public var taken = 0
  public var output: [[Float]]

  public init(_ unit: AudioUnit, _ channels: [[Float]], sampleRate: Double = 48_000) throws {
    try unit.allocate(channels: channels.count, sampleRate: sampleRate)
    host = try DirectHost(unit)
    self.channels = channels
    output = channels.map { _ in [] }
  }

  /// Renders in cycles; silence follows the input.
  public mutating func render(
    _ frames: Int, periods: Periods = .fixed(256), between: (Int) throws -> Void = { _ in }
  ) throws {
    for length in periods.lengths(frames: frames) {
      try between(output[0].count)
      var start = taken
      let cycle = try host.render(length) { count in
        let range = min(start, channels[0].count)..<min(start + count, channels[0].count)
        start += count
        return [channels.map { Array($0[range]) }]
      }
      taken = start
      for channel in output.indices { output[channel] += cycle[0][channel] }
    }
  }
}
