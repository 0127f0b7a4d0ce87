// The process callback.

import CJack
import CRealtime
import GraphRender
import Realtime
import UnitRender

/// Renders, as JACK's process callback, one period of the current schedule.
/// - Thread: [render]
@_noLocks @_noAllocation
func jackProcess(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  guard let argument else { return 0 }
  realtimeContextEnter()
  let mode = denormalsFlush()
  let state = argument.assumingMemoryBound(to: JackRenderState.self)
  state.pointee.counters[JackCount.renderThread] = Int(ownThreadIdentifier())
  state.pointee.isNewRendering = false
  if state.pointee.waiting == nil, let new = state.pointee.published.take(retiring: nil) {
    state.pointee.waiting = new.assumingMemoryBound(to: JackRendering.self)
  }
  var slice = JackSlice(cycle: nextCycle(state, frames), offset: 0, period: frames)
  exchange(state, &slice)
  if let rendering = state.pointee.rendering {
    if rendering.pointee.schedule.unitCount > 0 {
      render(state, rendering, slice)
    } else {
      writeSilence(state, rendering, frames)
    }
  }
  state.pointee.counters.add(1, to: JackCount.cycles)
  denormalsRestore(mode)
  realtimeContextExit()
  return 0
}

/// Initialises a thread of libjack: the render thread, or the notification thread.
/// - Thread: [render] before the first cycle, or libjack's other thread.
func jackThreadBegins(_ argument: UnsafeMutableRawPointer?) {
  touchStack()
  keepThreadIdentifier(Int32(truncatingIfNeeded: auricleThreadIdentifier()))
}

/// Returns time and transport of the cycle that begins.
@_noLocks @_noAllocation
private func nextCycle(
  _ state: UnsafeMutablePointer<JackRenderState>, _ frames: UInt32
) -> RenderCycle {
  let counter = Vouched.lastFrameTime(state.pointee.client)
  let nanoseconds = Vouched.cycleNanoseconds(state.pointee.client, counter)
  let (frame, isAfterGap) = state.pointee.clock.begin(
    counter, frameCount: frames, nanoseconds: nanoseconds,
    sampleRate: state.pointee.sampleRate)
  if isAfterGap { state.pointee.counters.add(1, to: JackCount.skippedCycles) }
  if state.pointee.period != frames {
    state.pointee.midiBounds = MIDIBufferBounds(
      bytes: Vouched.midiBufferBytes(state.pointee.client))
  }
  state.pointee.period = frames
  let offset = frame &- FrameTime(counter)
  state.pointee.counters.set(
    Int(truncatingIfNeeded: frame), Int(truncatingIfNeeded: offset), from: JackCount.frame)
  let elapsed = Double(frame) * 1e9 / Double(state.pointee.sampleRate)
  state.pointee.counters.set(
    Int(frames), Int(truncatingIfNeeded: nanoseconds) &- Int(saturating: elapsed),
    from: JackCount.periodFrames)
  return RenderCycle(
    frame: frame, frameCount: Int(frames),
    hostNanoseconds: nanoseconds,
    musicalContext: musicalContext(state, frames))
}

/// Switches to the waiting rendering if it starts in this cycle. The frames before its start are
/// rendered with the current one.
///
/// - Parameter slice: the cycle; on return the rest of it.
@_noLocks @_noAllocation
private func exchange(
  _ state: UnsafeMutablePointer<JackRenderState>, _ slice: inout JackSlice
) {
  guard let waiting = state.pointee.waiting,
    waiting.pointee.startFrame < slice.cycle.frame &+ FrameTime(slice.cycle.frameCount)
  else { return }
  guard let current = state.pointee.rendering else {
    begin(waiting, state, slice.cycle.frame)
    return
  }
  if !state.pointee.published.canRetire { return }
  let isSplit =
    waiting.pointee.startFrame > slice.cycle.frame && current.pointee.schedule.unitCount > 0
    && waiting.pointee.schedule.unitCount > 0
  if isSplit {
    let count = Int(waiting.pointee.startFrame &- slice.cycle.frame)
    let rate = current.pointee.schedule.sampleRate
    let rest = slice.cycle.part(
      from: count, frameCount: slice.cycle.frameCount &- count, sampleRate: rate)
    slice.cycle.frameCount = count
    clear(waiting, slice)
    render(state, current, slice)
    slice = JackSlice(cycle: rest, offset: count, period: slice.period)
  }
  // `canRetire` saw a free slot.
  _ = state.pointee.published.retire(UnsafeMutableRawPointer(current))
  begin(waiting, state, slice.cycle.frame)
}

@_noLocks @_noAllocation
private func begin(
  _ new: UnsafeMutablePointer<JackRendering>, _ state: UnsafeMutablePointer<JackRenderState>,
  _ frame: FrameTime
) {
  state.pointee.rendering = new
  state.pointee.waiting = nil
  state.pointee.isNewRendering = true
  state.pointee.counters[JackCount.renderingFrame] = Int(truncatingIfNeeded: frame)
  state.pointee.counters.add(1, to: JackCount.takenRenderings)
}

/// Clears ports that are added within the cycle, for the frames before.
@_noLocks @_noAllocation
private func clear(
  _ rendering: UnsafeMutablePointer<JackRendering>, _ slice: JackSlice
) {
  var index = 0
  while index < rendering.pointee.audioOutputCount {
    if let samples = Vouched.audioBuffer(rendering.pointee.audioOutputs[index], slice.period) {
      Samples.clear(samples, count: slice.cycle.frameCount)
    }
    index &+= 1
  }
  index = 0
  while index < rendering.pointee.midiOutputCount {
    let port = rendering.pointee.midiOutputs[index].output.pointee.port
    if let buffer = Vouched.midiBuffer(port, slice.period) { Vouched.clearMIDI(buffer) }
    index &+= 1
  }
}

@_noLocks @_noAllocation
private func render(
  _ state: UnsafeMutablePointer<JackRenderState>,
  _ rendering: UnsafeMutablePointer<JackRendering>, _ slice: JackSlice
) {
  let schedule = rendering.pointee.schedule
  schedule.begin(slice.cycle)
  var index = 0
  while index < rendering.pointee.audioInputCount {
    schedule.setExternalInput(index, slice.samples(rendering.pointee.audioInputs[index]))
    index &+= 1
  }
  index = 0
  while index < rendering.pointee.audioOutputCount {
    schedule.setExternalOutput(index, slice.samples(rendering.pointee.audioOutputs[index]))
    index &+= 1
  }
  readMIDI(state, rendering, slice)
  schedule.render(slice.cycle)
  writeMIDI(state, rendering, slice)
  schedule.end()
}

/// Writes zeros to every output and releases held notes, so that no buffer repeats the last cycle.
@_noLocks @_noAllocation
private func writeSilence(
  _ state: UnsafeMutablePointer<JackRenderState>,
  _ rendering: UnsafeMutablePointer<JackRendering>, _ frames: UInt32
) {
  var index = 0
  while index < rendering.pointee.audioOutputCount {
    if let samples = Vouched.audioBuffer(rendering.pointee.audioOutputs[index], frames) {
      Samples.clear(samples, count: Int(frames))
    }
    index &+= 1
  }
  writeMIDIEnds(state, rendering, Int(frames))
  state.pointee.counters.add(1, to: JackCount.silentCycles)
}
