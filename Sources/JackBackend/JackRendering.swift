// A schedule with its ports, for the process callback.

import Graph
import GraphRender
import Realtime

/// A MIDI input port of a schedule.
struct JackMIDIInputSlot {
  let input: UnsafeMutablePointer<JackMIDIInput>
  /// The unit that receives its MIDI, -1 for none any more.
  var unit = -1
  /// The unit that received its MIDI until now, -1 for none. Its held notes are released in the
  /// first cycle.
  var endingUnit = -1
}

/// A MIDI output port of a schedule.
struct JackMIDIOutputSlot {
  let output: UnsafeMutablePointer<JackMIDIOutput>
  /// The unit that sends to it, -1 for none any more.
  var unit = -1
  /// Whether another unit has sent to it until now, so that its held notes end in the first cycle.
  var endsFirst = false
}

/// A schedule and the ports of its external buffers, published to the render thread together. The
/// memory belongs to the control side; the ports' own memory outlives it.
struct JackRendering {
  let schedule: Schedule
  /// The frame from which it is rendered; the next cycle's first frame if it has passed.
  let startFrame: FrameTime
  let audioInputs: UnsafeMutablePointer<OpaquePointer>
  let audioInputCount: Int
  let audioOutputs: UnsafeMutablePointer<OpaquePointer>
  let audioOutputCount: Int
  let midiInputs: UnsafeMutablePointer<JackMIDIInputSlot>
  let midiInputCount: Int
  let midiOutputs: UnsafeMutablePointer<JackMIDIOutputSlot>
  let midiOutputCount: Int

  /// - Parameters:
  ///   - startFrame: the frame from which it is rendered.
  ///   - own: the session's ports by name, including all of `ports`.
  ///   - endsAll: whether the held notes of all MIDI outputs are released in the first cycle.
  /// - Thread: [control]
  static func allocate(
    _ schedule: Schedule, _ ports: GraphPorts, from startFrame: FrameTime,
    own: [String: JackOwnPort], endsAll: Bool
  ) -> UnsafeMutablePointer<JackRendering> {
    let midiInputs = Self.midiInputs(ports, own)
    let midiOutputs = Self.midiOutputs(ports, own, endsAll: endsAll)
    let rendering = UnsafeMutablePointer<JackRendering>.allocate(capacity: 1)
    rendering.initialize(
      to: JackRendering(
        schedule: schedule, startFrame: startFrame,
        audioInputs: copy(ports.audioInputs.map { own[$0.name]!.port }),
        audioInputCount: ports.audioInputs.count,
        audioOutputs: copy(ports.audioOutputs.map { own[$0.name]!.port }),
        audioOutputCount: ports.audioOutputs.count, midiInputs: copy(midiInputs),
        midiInputCount: midiInputs.count, midiOutputs: copy(midiOutputs),
        midiOutputCount: midiOutputs.count))
    return rendering
  }

  /// - Thread: [control], once no process callback uses it any more.
  static func deallocate(_ rendering: UnsafeMutablePointer<JackRendering>) {
    rendering.pointee.audioInputs.deallocate()
    rendering.pointee.audioOutputs.deallocate()
    rendering.pointee.midiInputs.deallocate()
    rendering.pointee.midiOutputs.deallocate()
    rendering.deinitialize(count: 1)
    rendering.deallocate()
  }

  /// Returns one slot for each port, also if one unit takes it over from another.
  private static func midiInputs(
    _ ports: GraphPorts, _ own: [String: JackOwnPort]
  ) -> [JackMIDIInputSlot] {
    var slots: [JackMIDIInputSlot] = []
    for port in ports.midiInputs {
      let input = own[port.name]!.midiInput!
      let index = slots.firstIndex { $0.input == input } ?? slots.count
      if index == slots.count { slots.append(JackMIDIInputSlot(input: input)) }
      if port.isEnding {
        slots[index].endingUnit = port.unitIndex
      } else {
        slots[index].unit = port.unitIndex
      }
    }
    return slots
  }

  private static func midiOutputs(
    _ ports: GraphPorts, _ own: [String: JackOwnPort], endsAll: Bool
  ) -> [JackMIDIOutputSlot] {
    var slots: [JackMIDIOutputSlot] = []
    for port in ports.midiOutputs {
      let output = own[port.name]!.midiOutput!
      let index = slots.firstIndex { $0.output == output } ?? slots.count
      if index == slots.count {
        slots.append(JackMIDIOutputSlot(output: output, endsFirst: endsAll))
      }
      if port.isEnding {
        slots[index].endsFirst = true
      } else {
        slots[index].unit = port.unitIndex
      }
    }
    return slots
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    memory.initialize(from: elements, count: elements.count)
    return memory
  }
}
