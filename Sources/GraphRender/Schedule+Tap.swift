// MIDI and audio of units for those who watch it.

import Realtime
import UnitRender

extension Schedule {
  /// Records the MIDI that a unit is about to receive in a slice.
  ///
  /// - Parameters:
  ///   - chain: as in `renderSteps`.
  ///   - offset: the first frame within the cycle.
  @_noLocks @_noAllocation @inline(never)
  func recordReceived(
    _ tap: MIDITap, of unit: HostedUnit, _ cycle: RenderCycle, chain: Int, offset: Int,
    frameCount: Int
  ) {
    let list = unit.events
    let first = cycle.frame &+ FrameTime(offset)
    let end = first &+ FrameTime(frameCount)
    var next = list.first
    while let event = next, event.pointee.frame < end {
      let frame = sessionFrame(of: max(event.pointee.frame, first), cycle, chain)
      tap.record(event, of: list, at: frame, isSent: false)
      next = list.next(after: event)
    }
  }

  /// Records the MIDI that a unit has sent in a slice.
  ///
  /// - Parameter sent: the number of events that it had sent before.
  @_noLocks @_noAllocation @inline(never)
  func recordSent(
    _ tap: MIDITap, of unit: HostedUnit, after sent: Int, _ cycle: RenderCycle, chain: Int,
    offset: Int
  ) {
    let list = unit.midiOutput
    let first = cycle.frame &+ FrameTime(offset)
    let last = cycle.frame &+ FrameTime(cycle.frameCount &- 1)
    var index = sent
    while index < list.count {
      let event = list.events + index
      // As connections and ports transfer it.
      let frame = max(first, min(event.pointee.frame, last))
      tap.record(event, of: list, at: sessionFrame(of: frame, cycle, chain), isSent: true)
      index &+= 1
    }
  }

  /// Records the first output of a unit that has just rendered a slice.
  @_noLocks @_noAllocation @inline(never)
  func recordAudio(_ tap: AudioTap, of unit: HostedUnit, frameCount: Int) {
    guard unit.call.call.pointee.outputBusCount > 0 else { return }
    tap.record(unit.call.output(0), frameCount: frameCount)
  }

  /// Returns the session's frame on which a cycle's frame is heard. In a chain it is the first one
  /// for which the chain's frame was requested.
  @_noLocks @_noAllocation
  private func sessionFrame(of frame: FrameTime, _ cycle: RenderCycle, _ chain: Int) -> FrameTime {
    guard let pulledAt = cycle.pulledAt else { return frame }
    var advance = Int(truncatingIfNeeded: frame &- cycle.frame)
    var index = chain
    while index >= 0 {
      let pulled = storage.pointee.chains + index
      advance = firstFrame(requesting: advance, of: pulled)
      index = pulled.pointee.parent
      if index >= 0 { advance &+= pulled.pointee.pullOffset }
    }
    return pulledAt &+ FrameTime(advance)
  }

  /// Returns the first frame of a chain's current pull that needs a number of the chain's frames
  /// before it.
  @_noLocks @_noAllocation
  private func firstFrame(
    requesting advance: Int, of chain: UnsafeMutablePointer<SourceChain>
  ) -> Int {
    var low = 0
    var high = chain.pointee.pullFrames
    while low < high {
      let middle = (low &+ high) >> 1
      if Int(chain.pointee.before[middle]) < advance { low = middle &+ 1 } else { high = middle }
    }
    return max(0, min(low, chain.pointee.pullFrames &- 1))
  }
}
