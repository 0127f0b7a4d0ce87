// Rendering of whole signals by a unit, and comparison of signals.

import TestSupport
import UnitHost

extension DirectHost {
  /// Renders `channels` in cycles and returns the output's channels. `between` runs before each
  /// cycle with its first frame, counted from the first of `channels`.
  public func run(
    _ channels: [[Float]], periods: Periods = .fixed(256), between: (Int) throws -> Void = { _ in }
  ) throws -> [[Float]] {
    var output = [[Float]](repeating: [], count: channels.count)
    var frame = 0
    for length in periods.lengths(frames: channels[0].count) {
      try between(frame)
      let cycle = try render(length, inputs: [channels.map { Array($0[frame..<frame + length]) }])
      for channel in channels.indices { output[channel] += cycle[0][channel] }
      frame += length
    }
    return output
  }
}

extension DirectHost {
  /// Renders the channels of all inputs, by bus, in cycles.
  ///
  /// - Parameter between: called before each cycle with its first frame.
  public func run(
    busses: Busses, periods: Periods = .fixed(256), between: (Int) throws -> Void = { _ in }
  ) throws -> [[Float]] {
    var output: [[Float]] = []
    var frame = 0
    for length in periods.lengths(frames: busses.first?.first?.count ?? 0) {
      try between(frame)
      let cycle = try render(
        length, inputs: busses.map { $0.map { Array($0[frame..<frame + length]) } })[0]
      if output.isEmpty { output = Array(repeating: [], count: cycle.count) }
      for channel in cycle.indices { output[channel] += cycle[channel] }
      frame += length
    }
    return output
  }
}

/// The first frame on which two signals differ in a bit; nil if they are equal.
public func firstBitDifference(_ first: [Float], _ second: [Float]) -> Int? {
  firstDifference(first.map(\.bitPattern), second.map(\.bitPattern))
}
