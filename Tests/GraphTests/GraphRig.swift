// Rendering of compiled graphs in cycles of chosen lengths.

import Graph
import GraphRender
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

/// A message for offline renderers. The rig's makers of MIDI files have their own type.
typealias TimedMIDI = OfflineBackend.TimedMIDI

extension Periods {
  /// Periods including cycles that are rendered in slices.
  static let withSlices = all + [.fixed(8192), .random(upTo: 8192, seed: 2)]
}

extension Graph {
  /// Compiles for 48 kHz with short event lists.
  ///
  /// - Parameter usesHelper: whether two threads render, which must make no difference.
  func compile(
    sampleRate: Double = 48_000, maximumFrames: Int = 1024, usesHelper: Bool = true
  ) throws -> CompiledGraph {
    try compile(
      CompileOptions(
        sampleRate: sampleRate, maximumFrames: maximumFrames, midiEventsPerPort: 256,
        midiBytesPerPort: 1024, isOffline: true,
        helper: RenderHelper(usesHelper ? .always : .never)))
  }

  /// Connects the first busses of two units.
  func connect(_ from: Int, _ to: Int) throws(GraphError) {
    try connect(GraphBus(unit: from, bus: 0), to: GraphBus(unit: to, bus: 0))
  }
}

extension OfflineRenderer {
  /// Renders `frames` frames in cycles and returns the samples of each audio output port.
  ///
  /// - Parameters:
  ///   - input: the samples of each audio input port.
  ///   - midi: the messages of each MIDI input port, in order.
  func run(
    frames: Int, periods: Periods = .fixed(256), input: [[Float]] = [], midi: [[TimedMIDI]] = []
  ) -> [[Float]] {
    var output = [[Float]](repeating: [], count: graph.ports.audioOutputs.count)
    let start = frame
    for length in periods.lengths(frames: frames) {
      let first = Int(frame - start)
      let end = frame + FrameTime(length)
      let rendered = render(
        frameCount: length,
        input: input.map { Array($0.dropFirst(first).prefix(length)) },
        midi: midi.map { $0.filter { $0.frame >= end - FrameTime(length) && $0.frame < end } })
      for (port, samples) in rendered.enumerated() { output[port] += samples }
    }
    return output
  }
}

/// The first frame on which two signals differ in a bit; nil if they are equal.
func firstBitDifference(_ first: [Float], _ second: [Float]) -> Int? {
  firstDifference(first.map(\.bitPattern), second.map(\.bitPattern))
}
