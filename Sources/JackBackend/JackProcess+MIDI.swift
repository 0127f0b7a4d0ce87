// MIDI between JACK's ports and the units' event lists.

import CJack
import GraphRender
import Realtime
import UnitRender

/// Inserts the events of every MIDI port into the list of its unit, each on its own frame. Several
/// ports of a unit merge in order.
/// - Thread: [render]
@_noLocks @_noAllocation
func readMIDI(
  _ state: UnsafeMutablePointer<JackRenderState>,
  _ rendering: UnsafeMutablePointer<JackRendering>, _ slice: JackSlice
) {
  let cycle = slice.cycle
  let schedule = rendering.pointee.schedule
  var index = 0
  while index < rendering.pointee.midiInputCount {
    let slot = rendering.pointee.midiInputs + index
    let input = slot.pointee.input
    index &+= 1
    if state.pointee.isNewRendering && slot.pointee.endingUnit >= 0 {
      endHeld(input, schedule.midiInput(slot.pointee.endingUnit), cycle)
    }
    if slot.pointee.unit < 0 { continue }
    let list = schedule.midiInput(slot.pointee.unit)
    if slice.isFirst { endUnplugged(input, list, cycle) }
    guard let buffer = Vouched.midiBuffer(input.pointee.port, slice.period) else { continue }
    if slice.isFirst { input.pointee.counts.countLost(Vouched.lostMIDIEvents(buffer)) }
    let malformed = input.pointee.parser.malformedCount
    let first = list.count
    readEvents(state, input, buffer, list, slice)
    input.pointee.follow(list, from: first)
    let news = input.pointee.parser.malformedCount &- malformed
    if news > 0 { state.pointee.counters.add(news, to: JackCount.malformedMIDI) }
  }
}

@_noLocks @_noAllocation
private func readEvents(
  _ state: UnsafeMutablePointer<JackRenderState>, _ input: UnsafeMutablePointer<JackMIDIInput>,
  _ buffer: UnsafeMutableRawPointer, _ list: RenderEventList, _ slice: JackSlice
) {
  let end = slice.offset &+ slice.cycle.frameCount
  let claimed = Vouched.midiEventCount(buffer)
  let bounds = state.pointee.midiBounds
  let count = bounds.eventCount(claimed)
  if slice.isFirst && count < claimed { state.pointee.counters.add(1, to: JackCount.malformedMIDI) }
  var number: UInt32 = 0
  while number < count {
    var event = jack_midi_event_t()
    if Vouched.midiEvent(&event, buffer, number) == 0, let bytes = event.buffer {
      // Another client may write offsets beyond the period; such events take effect on its last
      // frame.
      let time = Int(min(event.time, slice.period &- 1))
      if time < slice.offset || time >= end {
        number &+= 1
        continue
      }
      let size = Int(truncatingIfNeeded: event.size)
      if !bounds.holds(bytes, count: size, in: buffer) {
        state.pointee.counters.add(1, to: JackCount.malformedMIDI)
        number &+= 1
        continue
      }
      let refused = input.pointee.parser.read(
        bytes, count: size,
        at: slice.cycle.frame &+ FrameTime(time &- slice.offset), into: list)
      if refused > 0 { state.pointee.counters.add(refused, to: JackCount.midiInputRefused) }
    }
    number &+= 1
  }
}

/// Releases, on the cycle's first frame, all keys and pedals of a port that lost a connection.
///
/// JACK mixes the events of several sources of a port, so the source of a key is unknown: those of
/// all its sources are released. The release waits for two cycles, since the notification may come
/// before the source's last events.
@_noLocks @_noAllocation
private func endUnplugged(
  _ input: UnsafeMutablePointer<JackMIDIInput>, _ list: RenderEventList, _ cycle: RenderCycle
) {
  let unplugged = input.pointee.counts.unplugged
  if unplugged != input.pointee.lastUnplugged {
    input.pointee.lastUnplugged = unplugged
    input.pointee.cyclesToEnd = 3
  }
  if input.pointee.cyclesToEnd == 0 { return }
  input.pointee.cyclesToEnd &-= 1
  if input.pointee.cyclesToEnd > 0 { return }
  endHeld(input, list, cycle)
}

/// Releases, on the cycle's first frame, all keys and pedals of a port.
@_noLocks @_noAllocation
private func endHeld(
  _ input: UnsafeMutablePointer<JackMIDIInput>, _ list: RenderEventList, _ cycle: RenderCycle
) {
  while let end = input.pointee.held.nextEnd() {
    if !list.insert(.midi(end, at: cycle.frame)) { return }
    input.pointee.held.take(end)
  }
}

/// Writes the units' MIDI output to their ports.
/// - Thread: [render]
@_noLocks @_noAllocation
func writeMIDI(
  _ state: UnsafeMutablePointer<JackRenderState>,
  _ rendering: UnsafeMutablePointer<JackRendering>, _ slice: JackSlice
) {
  let isEnding = state.pointee.counters[JackCount.isEnding] != 0
  let isPanic = slice.isFirst && takeEnding(state)
  var index = 0
  while index < rendering.pointee.midiOutputCount {
    let slot = rendering.pointee.midiOutputs + index
    let output = slot.pointee.output
    index &+= 1
    guard let buffer = Vouched.midiBuffer(output.pointee.port, slice.period) else { continue }
    // Keep the events before this slice of the period.
    if slice.isFirst { Vouched.clearMIDI(buffer) }
    let isSilent = isEnding || slot.pointee.unit < 0
    let isFirst = state.pointee.isNewRendering && slot.pointee.endsFirst
    if isSilent || isPanic || isFirst { endHeld(output, buffer, at: slice.offset) }
    if isPanic { silenceAll(buffer) }
    if isSilent { continue }
    let list = rendering.pointee.schedule.unit(slot.pointee.unit).midiOutput
    var next = list.first
    while let event = next {
      next = list.next(after: event)
      if !write(event, of: list, to: buffer, slice) {
        state.pointee.counters.add(1, to: JackCount.midiOutputRefused)
      } else if case .midi? = event.pointee.eventKind {
        output.pointee.held.take(event.pointee.message)
      }
    }
  }
  if isEnding && slice.isFirst { state.pointee.counters.add(1, to: JackCount.endedCycles) }
}

/// Whether to release all held notes of the outputs in this cycle.
@_noLocks @_noAllocation
private func takeEnding(_ state: UnsafeMutablePointer<JackRenderState>) -> Bool {
  let endings = state.pointee.counters[JackCount.endings]
  if endings != state.pointee.lastEndings {
    state.pointee.lastEndings = endings
    // Twice: in this cycle units may still send notes that they forget only with the next.
    state.pointee.cyclesToEnd = 2
  }
  if state.pointee.cyclesToEnd == 0 { return false }
  state.pointee.cyclesToEnd &-= 1
  return true
}

/// Writes All Sound Off to every channel, for tails and for notes of other clients. Messages that
/// do not fit are dropped.
@_noLocks @_noAllocation
private func silenceAll(_ buffer: UnsafeMutableRawPointer) {
  var channel: UInt8 = 0
  while channel < 16 {
    guard let bytes = Vouched.reserveMIDI(buffer, 0, 3) else { return }
    bytes[0] = 0xB0 | channel
    bytes[1] = 120
    bytes[2] = 0
    channel &+= 1
  }
}

/// Writes the releases of the held notes of every MIDI output, and nothing else.
/// - Thread: [render]
@_noLocks @_noAllocation
func writeMIDIEnds(
  _ state: UnsafeMutablePointer<JackRenderState>,
  _ rendering: UnsafeMutablePointer<JackRendering>, _ frameCount: Int
) {
  var index = 0
  while index < rendering.pointee.midiOutputCount {
    let output = rendering.pointee.midiOutputs[index].output
    index &+= 1
    if let buffer = clearedBuffer(output, frameCount) { endHeld(output, buffer, at: 0) }
  }
  if state.pointee.counters[JackCount.isEnding] != 0 {
    state.pointee.counters.add(1, to: JackCount.endedCycles)
  }
}

@_noLocks @_noAllocation
private func clearedBuffer(
  _ output: UnsafeMutablePointer<JackMIDIOutput>, _ frameCount: Int
) -> UnsafeMutableRawPointer? {
  let buffer = Vouched.midiBuffer(output.pointee.port, UInt32(truncatingIfNeeded: frameCount))
  if let buffer { Vouched.clearMIDI(buffer) }
  return buffer
}

/// Releases, on a frame of the period, the held notes of an output. The next call continues if the
/// buffer is full.
@_noLocks @_noAllocation
private func endHeld(
  _ output: UnsafeMutablePointer<JackMIDIOutput>, _ buffer: UnsafeMutableRawPointer,
  at offset: Int
) {
  while let end = output.pointee.held.nextEnd() {
    guard let bytes = Vouched.reserveMIDI(buffer, UInt32(truncatingIfNeeded: offset), 3)
    else { return }
    bytes[0] = end.status
    bytes[1] = UInt8(truncatingIfNeeded: end.number)
    bytes[2] = UInt8(truncatingIfNeeded: end.value)
    output.pointee.held.take(end)
  }
}

@_noLocks @_noAllocation
private func write(
  _ event: UnsafeMutablePointer<RenderEvent>, of list: RenderEventList,
  to buffer: UnsafeMutableRawPointer, _ slice: JackSlice
) -> Bool {
  let last = FrameTime(slice.cycle.frameCount &- 1)
  let offset =
    slice.offset &+ Int(max(0, min(event.pointee.frame &- slice.cycle.frame, last)))
  let length = Int(event.pointee.length)
  switch event.pointee.eventKind {
  case .midi?:
    guard
      let bytes = Vouched.reserveMIDI(buffer, UInt32(truncatingIfNeeded: offset), length)
    else { return false }
    bytes[0] = event.pointee.bytes.0
    if length > 1 { bytes[1] = event.pointee.bytes.1 }
    if length > 2 { bytes[2] = event.pointee.bytes.2 }
  case .systemExclusive?:
    guard
      let bytes = Vouched.reserveMIDI(buffer, UInt32(truncatingIfNeeded: offset), length)
    else { return false }
    UnsafeMutableRawPointer(bytes).copyMemory(
      from: list.systemExclusiveBytes(of: event), byteCount: length)
  default:
    break
  }
  return true
}
