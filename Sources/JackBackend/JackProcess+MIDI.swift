// MIDI between JACK's ports and the units' event lists.

import CJack
import GraphRender
import Realtime
import UnitRender

/// Inserts what every MIDI port brought into the list of its unit, each event at its own frame. Several
/// ports of one unit merge in order.
/// - Thread: [render]
@_noLocks @_noAllocation
func readMIDI(
  _ state: UnsafeMutablePointer<JackRenderState>, _ schedule: Schedule, _ cycle: RenderCycle
) {
  let last = FrameTime(cycle.frameCount - 1)
  var index = 0
  while index < state.pointee.midiInputCount {
    let input = state.pointee.midiInputs + index
    index += 1
    guard
      let buffer = Vouched.midiBuffer(
        input.pointee.port, UInt32(truncatingIfNeeded: cycle.frameCount))
    else { continue }
    let list = schedule.unit(input.pointee.unit).events
    let malformed = input.pointee.parser.malformedCount
    let count = Vouched.midiEventCount(buffer)
    var number: UInt32 = 0
    while number < count {
      var event = jack_midi_event_t()
      if Vouched.midiEvent(&event, buffer, number) == 0, let bytes = event.buffer {
        // A peer may write offsets beyond the period; they take effect on its last frame.
        let offset = min(FrameTime(event.time), last)
        let refused = input.pointee.parser.read(
          bytes, count: Int(truncatingIfNeeded: event.size), at: cycle.frame &+ offset, into: list)
        if refused > 0 { state.pointee.counters.add(refused, to: JackCount.midiInputRefused) }
      }
      number += 1
    }
    let news = input.pointee.parser.malformedCount &- malformed
    if news > 0 { state.pointee.counters.add(news, to: JackCount.malformedMIDI) }
  }
}

/// Writes the MIDI that units sent to their ports.
/// - Thread: [render]
@_noLocks @_noAllocation
func writeMIDI(
  _ state: UnsafeMutablePointer<JackRenderState>, _ schedule: Schedule, _ cycle: RenderCycle
) {
  var index = 0
  while index < state.pointee.midiOutputCount {
    let output = state.pointee.midiOutputs[index]
    index += 1
    guard
      let buffer = Vouched.midiBuffer(output.port, UInt32(truncatingIfNeeded: cycle.frameCount))
    else { continue }
    Vouched.clearMIDI(buffer)
    let list = schedule.unit(output.unit).midiOutput
    var next = list.first
    while let event = next {
      next = list.next(after: event)
      if !write(event, of: list, to: buffer, cycle) {
        state.pointee.counters.add(1, to: JackCount.midiOutputRefused)
      }
    }
  }
}

@_noLocks @_noAllocation
private func write(
  _ event: UnsafeMutablePointer<RenderEvent>, of list: RenderEventList,
  to buffer: UnsafeMutableRawPointer, _ cycle: RenderCycle
) -> Bool {
  let offset = max(0, min(event.pointee.frame &- cycle.frame, FrameTime(cycle.frameCount - 1)))
  let length = Int(event.pointee.length)
  switch event.pointee.eventKind {
  case .midi?:
    guard let bytes = Vouched.reserveMIDI(buffer, UInt32(offset), length) else { return false }
    bytes[0] = event.pointee.bytes.0
    if length > 1 { bytes[1] = event.pointee.bytes.1 }
    if length > 2 { bytes[2] = event.pointee.bytes.2 }
  case .systemExclusive?:
    guard let bytes = Vouched.reserveMIDI(buffer, UInt32(offset), length) else { return false }
    UnsafeMutableRawPointer(bytes).copyMemory(
      from: list.systemExclusiveBytes(of: event), byteCount: length)
  default:
    break
  }
  return true
}
