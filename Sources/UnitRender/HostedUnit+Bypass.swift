// Calls of a cycle that are split at bypass changes.

import Realtime

extension HostedUnit {
  /// Renders a call in parts, split at the frames on which a bypass begins or ends.
  @_noLocks @_noAllocation @inline(never)
  func renderParts(
    at frame: FrameTime, frameCount: Int, hostNanoseconds: UInt64, context: MusicalContext
  ) -> Int32 {
    var done = 0
    var moved = 0
    var status = RenderStatus.ok
    repeat {
      let start = frame &+ FrameTime(done)
      let count = takeBypasses(at: start, mostFrames: frameCount &- done)
      prepareCall(
        at: start, frameCount: count, hostNanoseconds: hostNanoseconds,
        context: done == 0
          ? context : context.advanced(by: done, sampleRate: state.pointee.sampleRate))
      if state.pointee.isResting {
        status = renderResting(count)
      } else if let fade = state.pointee.bypass {
        status = renderFade(fade, count)
      }
      done &+= count
      if done < frameCount {
        moveBuffers(by: count)
        moved = done
      }
    } while done < frameCount && status == RenderStatus.ok
    if moved > 0 { moveBuffers(by: 0 &- moved) }
    return status
  }

  /// Starts or ends the bypass that takes effect on a frame.
  ///
  /// - Returns: the number of frames, up to `mostFrames`, until the next change, or until the unit
  ///   is faded out.
  @_noLocks @_noAllocation
  private func takeBypasses(at frame: FrameTime, mostFrames: Int) -> Int {
    let count = takeBypassEvents(at: frame, mostFrames: mostFrames)
    let isBypassed = switches.isBypassHeard
    state.pointee.isBypassed = isBypassed
    state.pointee.isResting = true
    guard let fade = state.pointee.bypass else { return count }
    if fade.turn(isBypassed: isBypassed) {
      callReset(state.pointee.unit.reset, state.pointee.unit.context)
    }
    if fade.rests(isBypassed: isBypassed) { return count }
    state.pointee.isResting = false
    return min(count, fade.frames(isBypassed: isBypassed))
  }

  @_noLocks @_noAllocation
  private func takeBypassEvents(at frame: FrameTime, mostFrames: Int) -> Int {
    let end = frame &+ FrameTime(mostFrames)
    var previous: UnsafeMutablePointer<RenderEvent>?
    var next = events.header.pointee.bypassCount > 0 ? events.first : nil
    while let event = next, event.pointee.frame < end {
      next = events.next(after: event)
      if !event.pointee.isBypass {
        previous = event
      } else if event.pointee.frame > frame {
        return Int(event.pointee.frame &- frame)
      } else {
        switches.isBypassHeard = event.pointee.value >= 0.5
        events.remove(event, after: previous)
      }
    }
    return mostFrames
  }

  /// Applies the bypass events of a time effect's call, which its kernel has already handled.
  @_noLocks @_noAllocation
  func takeBypasses(before end: FrameTime) {
    var next = events.first
    while let event = next, event.pointee.frame < end {
      if event.pointee.isBypass { switches.isBypassHeard = event.pointee.value >= 0.5 }
      next = events.next(after: event)
    }
  }

  @_noLocks @_noAllocation
  func setBypassFlag(_ isBypassed: Bool) {
    if isBypassed { call.call.pointee.flags |= UInt32(kRenderCallBypass) }
  }

  /// Renders a call without a bypass change.
  @_noLocks @_noAllocation
  func renderResting(_ frameCount: Int) -> Int32 {
    let unit = state.pointee.unit
    let isBypassed = state.pointee.isBypassed
    setBypassFlag(isBypassed)
    // The output may use the input's memory.
    if !isBypassed { state.pointee.bypass?.delay?.take(call, frameCount: frameCount) }
    let status = callRender(unit.render, unit.context, call.call)
    if isBypassed { state.pointee.bypass?.delay?.pass(call, frameCount: frameCount) }
    return status
  }

  @_noLocks @_noAllocation
  private func renderFade(_ fade: BypassFade, _ frameCount: Int) -> Int32 {
    let unit = state.pointee.unit
    fade.begin(call, frameCount: frameCount)
    let status = callRender(unit.render, unit.context, call.call)
    fade.end(call, frameCount: frameCount, isBypassed: state.pointee.isBypassed)
    return status
  }

  /// Advances the start of the call's buffers by `frameCount` frames.
  @_noLocks @_noAllocation
  private func moveBuffers(by frameCount: Int) {
    var bus = 0
    while bus < Int(call.call.pointee.inputBusCount) {
      Self.move(call.input(bus), by: frameCount)
      bus &+= 1
    }
    bus = 0
    while bus < Int(call.call.pointee.outputBusCount) {
      Self.move(call.output(bus), by: frameCount)
      bus &+= 1
    }
  }

  @_noLocks @_noAllocation
  private static func move(_ buffers: AudioBuffers, by frameCount: Int) {
    var channel = 0
    while channel < buffers.channelCount {
      if let samples = buffers[channel] { buffers[channel] = samples + frameCount }
      channel &+= 1
    }
  }
}
