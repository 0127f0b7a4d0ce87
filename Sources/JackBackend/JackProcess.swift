// The process callback.

import CJack
import CRealtime
import GraphRender
import Realtime
import UnitRender

/// JACK's process callback: renders one period of the current schedule.
/// - Thread: [render]
@_noLocks @_noAllocation
func jackProcess(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  guard let argument else { return 0 }
  realtimeContextEnter()
  let mode = denormalsFlush()
  let state = argument.assumingMemoryBound(to: JackRenderState.self)
  state.pointee.isNewRendering = false
  if let new = state.pointee.published.take(
    retiring: UnsafeMutableRawPointer(state.pointee.rendering))
  {
    state.pointee.rendering = new.assumingMemoryBound(to: JackRendering.self)
    state.pointee.isNewRendering = true
  }
  let cycle = nextCycle(state, frames)
  if state.pointee.isNewRendering {
    state.pointee.counters[JackCount.renderingFrame] = Int(truncatingIfNeeded: cycle.frame)
    state.pointee.counters.add(1, to: JackCount.takenRenderings)
  }
  if let rendering = state.pointee.rendering {
    if rendering.pointee.schedule.unitCount > 0 {
      render(state, rendering, cycle)
    } else {
      writeSilence(state, rendering, frames)
    }
  }
  state.pointee.counters.add(1, to: JackCount.cycles)
  denormalsRestore(mode)
  realtimeContextExit()
  return 0
}

/// JACK's thread that renders begins.
/// - Thread: [render], before the first cycle.
func jackThreadBegins(_ argument: UnsafeMutableRawPointer?) {
  guard let argument else { return }
  touchStack()
  let state = argument.assumingMemoryBound(to: JackRenderState.self)
  state.pointee.counters[JackCount.renderThread] = auricleThreadIdentifier()
}

/// Time and transport of the cycle that begins.
@_noLocks @_noAllocation
private func nextCycle(
  _ state: UnsafeMutablePointer<JackRenderState>, _ frames: UInt32
) -> RenderCycle {
  let counter = Vouched.lastFrameTime(state.pointee.client)
  var frame = state.pointee.clock.extend(counter) &+ state.pointee.clockOffset
  if let expected = state.pointee.expectedFrame, expected != frame {
    // When the period becomes shorter, jackd lets the last long cycle end with the first short one,
    // in its counter. Our frames never come twice.
    if frame < expected {
      state.pointee.clockOffset &+= expected &- frame
      frame = expected
    }
    if state.pointee.period == frames {
      state.pointee.counters.add(1, to: JackCount.skippedCycles)
    }
  }
  state.pointee.expectedFrame = frame &+ FrameTime(frames)
  state.pointee.period = frames
  state.pointee.counters[JackCount.periodFrames] = Int(frames)
  let offset = frame &- FrameTime(counter)
  state.pointee.counters.set(
    Int(truncatingIfNeeded: frame), Int(truncatingIfNeeded: offset), from: JackCount.frame)
  return RenderCycle(
    frame: frame, frameCount: Int(frames),
    hostNanoseconds: Vouched.cycleNanoseconds(state.pointee.client, counter),
    musicalContext: musicalContext(state, frames))
}

@_noLocks @_noAllocation
private func render(
  _ state: UnsafeMutablePointer<JackRenderState>,
  _ rendering: UnsafeMutablePointer<JackRendering>, _ cycle: RenderCycle
) {
  let frames = UInt32(truncatingIfNeeded: cycle.frameCount)
  let schedule = rendering.pointee.schedule
  schedule.begin(cycle)
  var index = 0
  while index < rendering.pointee.audioInputCount {
    schedule.setExternalInput(
      index, Vouched.audioBuffer(rendering.pointee.audioInputs[index], frames))
    index &+= 1
  }
  index = 0
  while index < rendering.pointee.audioOutputCount {
    schedule.setExternalOutput(
      index, Vouched.audioBuffer(rendering.pointee.audioOutputs[index], frames))
    index &+= 1
  }
  readMIDI(state, rendering, cycle)
  schedule.render(cycle)
  writeMIDI(state, rendering, cycle)
  schedule.end()
}

/// Writes zeros to every output, and ends what has begun: nothing is ever left as it was in the
/// last cycle.
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
