// Rendering a compiled graph without a clock.

import CRealtime
import Graph
import GraphRender
import Realtime
import UnitModel
import UnitRender

/// A MIDI message on a frame.
public struct TimedMIDI: Sendable, Equatable {
  public var frame: FrameTime
  /// A short message with its status byte, or a SysEx from 0xF0 to 0xF7.
  public var bytes: [UInt8]

  public init(frame: FrameTime, bytes: [UInt8]) {
    self.frame = frame
    self.bytes = bytes
  }
}

/// Renders the schedule of a compiled graph to memory, faster than real time, from frame 0 on. The
/// output is bit-identical to that of a JACK server in freewheel with the same input, at any
/// period.
///
/// Used by one thread at a time.
public final class OfflineRenderer {
  public private(set) var graph: CompiledGraph
  /// The number of frames rendered: the frame time of the next cycle.
  public private(set) var frame: FrameTime = 0
  /// The number of MIDI events that did not fit into a unit's list.
  public private(set) var refusedMIDI = 0

  private let periodCapacity: Int
  private var inputs: [UnsafeMutablePointer<Float>] = []
  private var outputs: [UnsafeMutablePointer<Float>] = []
  private var served: [any OfflineServing] = []

  /// - Parameter periodCapacity: the most frames of a `render` call.
  /// - Thread: [control]
  public init(_ graph: CompiledGraph, periodCapacity: Int = 8192) {
    self.graph = graph
    self.periodCapacity = periodCapacity
    prepare()
  }

  /// Renders another graph from the next period on.
  /// - Thread: [control], the one that renders.
  public func go(on graph: CompiledGraph) {
    self.graph = graph
    prepare()
  }

  /// Allocates the buffers that the graph needs.
  private func prepare() {
    func extend(_ buffers: inout [UnsafeMutablePointer<Float>], to count: Int) {
      while buffers.count < count {
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: periodCapacity)
        buffer.initialize(repeating: 0, count: periodCapacity)
        buffers.append(buffer)
      }
    }
    served = graph.hostings.compactMap { $0.unit as? any OfflineServing }
    extend(&inputs, to: graph.ports.audioInputs.count)
    extend(&outputs, to: graph.ports.audioOutputs.count)
  }

  deinit {
    for buffer in inputs + outputs { buffer.deallocate() }
  }

  /// Renders one period.
  /// - Parameters:
  ///   - frameCount: 1 to `periodCapacity`.
  ///   - input: the samples of each audio input port, `frameCount` each; missing ports are silent.
  ///   - midi: for each MIDI input port, its messages of this period in order. Messages before the
  ///     period take effect on its first frame, messages after it are refused.
  ///   - context: tempo and position at the period's first frame.
  /// - Returns: the samples of each audio output port.
  /// - Thread: [control], the one that renders.
  public func render(
    frameCount: Int, input: [[Float]] = [], midi: [[TimedMIDI]] = [],
    context: MusicalContext = MusicalContext()
  ) -> [[Float]] {
    precondition(
      frameCount > 0 && frameCount <= periodCapacity, "a period has 1 to \(periodCapacity) frames")
    for (port, buffer) in inputs.prefix(graph.ports.audioInputs.count).enumerated() {
      let given = port < input.count ? input[port] : []
      for index in 0..<frameCount { buffer[index] = index < given.count ? given[index] : 0 }
      graph.schedule.setExternalInput(port, buffer)
    }
    for unit in served { unit.serveOffline() }
    let outputs = outputs.prefix(graph.ports.audioOutputs.count)
    for (port, buffer) in outputs.enumerated() { graph.schedule.setExternalOutput(port, buffer) }
    let mode = denormalsFlush()
    realtimeContextEnter()
    let cycle = RenderCycle(frame: frame, frameCount: frameCount, musicalContext: context)
    graph.schedule.begin(cycle)
    realtimeContextExit()
    insert(midi, cycle)
    realtimeContextEnter()
    graph.schedule.render(cycle)
    graph.schedule.end()
    realtimeContextExit()
    denormalsRestore(mode)
    frame += FrameTime(frameCount)
    return outputs.map { Array(UnsafeBufferPointer(start: $0, count: frameCount)) }
  }

  /// Returns the MIDI that unit `unit` sent in the last period.
  public func midiOutput(ofUnit unit: Int) -> [TimedMIDI] {
    let list = graph.schedule.unit(unit).midiOutput
    var result: [TimedMIDI] = []
    var next = list.first
    while let event = next {
      next = list.next(after: event)
      if event.pointee.isControl { continue }
      let count = Int(event.pointee.length)
      let bytes =
        event.pointee.eventKind == .systemExclusive
        ? Array(UnsafeBufferPointer(start: list.systemExclusiveBytes(of: event), count: count))
        : withUnsafeBytes(of: event.pointee.bytes) { Array($0.prefix(count)) }
      result.append(TimedMIDI(frame: event.pointee.frame, bytes: bytes))
    }
    return result
  }

  private func insert(_ midi: [[TimedMIDI]], _ cycle: RenderCycle) {
    let end = cycle.frame + FrameTime(cycle.frameCount)
    for (port, messages) in zip(graph.ports.midiInputs.filter { !$0.isEnding }, midi) {
      let list = graph.schedule.midiInput(port.unitIndex)
      for message in messages {
        let inserted = message.bytes.withUnsafeBufferPointer {
          guard let bytes = $0.baseAddress, message.frame < end else { return false }
          return list.insertMIDI(bytes, count: $0.count, at: max(message.frame, cycle.frame))
            == .inserted
        }
        if !inserted { refusedMIDI += 1 }
      }
    }
  }
}
