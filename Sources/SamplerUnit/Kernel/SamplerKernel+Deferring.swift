// Deferral of events, which limits the work of a cycle.

import FluidSynthPool
import MIDIStages
import Realtime
import UnitRender

extension SamplerKernel {
  /// Executes an event, or defers it until after the waiting ones.
  ///
  /// Events wait once those of 64 frames have reached the cost limit, or have filled half the queue
  /// of a synth. They continue in order at the next boundary of 64 frames, counted from the
  /// kernel's start.
  @_noLocks @_noAllocation
  mutating func execute(_ event: RenderEvent, bytes: UnsafePointer<UInt8>?) {
    if deferred.isEmpty && postponed == 0 && !isBusy && !waitsForReset(event, bytes) {
      return perform(event, bytes: bytes, at: event.frame)
    }
    counters.deferred.countDeferred()
    if deferred.tryAppend(event, bytes: bytes) { return }
    counters.deferred.countLost()
    // The lost event may be a note-off.
    let isNote = event.isMIDI && event.bytes.0 & 0xF0 == 0x90 && event.bytes.2 > 0
    if !isNote { mustEndAll = true }
  }

  /// Whether an event is a second reset, or takeover of an entry, within 64 frames.
  @_noLocks @_noAllocation
  private func waitsForReset(_ event: RenderEvent, _ bytes: UnsafePointer<UInt8>?) -> Bool {
    if !scratch.work.hasReset { return false }
    if case .parameter? = event.eventKind {
      return event.address == LiveTable.address
    }
    return DeferredEvents.isReset(event, bytes)
  }

  private var isBusy: Bool {
    @_noLocks @_noAllocation get {
      if scratch.work.isAtLimit { return true }
      if let current, current.pointee.isCrowded || current.pointee.isFull { return true }
      var index = 0
      while index < ringing.count {
        if ringing[index].pointee.isCrowded { return true }
        index &+= 1
      }
      return false
    }
  }

  /// Whether there is work at the next boundary of 64 frames.
  @_noLocks @_noAllocation
  mutating func needsBounds() -> Bool {
    countVoices()
    if !deferred.isEmpty || mustEndAll || voices.surplus > 0 { return true }
    if let current { return current.pointee.needsRefreshing }
    return false
  }

  /// Advances the clock by rendered frames.
  @_noLocks @_noAllocation
  mutating func pass(_ frames: Int) {
    clock &+= frames
    if clock < SynthBlock.frames { return }
    // Postponable work comes last, so that it takes nothing from the events of these 64 frames.
    if let current, scratch.work.isQuiet {
      current.pointee.refreshNext(channels, settings, scratch)
    }
    scratch.work.pass(clock / SynthBlock.frames)
    clock %= SynthBlock.frames
    countVoices()
    scratch.work.add(SamplerWork.fading(voices.surplus))
    if let current { current.pointee.passBound() }
  }

  /// Executes waiting events at a boundary of 64 frames, up to the cost limit.
  @_noLocks @_noAllocation
  mutating func passBound(at frame: FrameTime) {
    while !deferred.isEmpty {
      if deferred.isFirstVoid {
        deferred.removeFirst()
        continue
      }
      if isBusy { return }
      let event = deferred.first
      let bytes = event.pointee.eventKind == .systemExclusive ? deferred.bytes(of: event) : nil
      if waitsForReset(event.pointee, bytes) { return }
      counters.deferred.noteDelay(Int(truncatingIfNeeded: frame &- event.pointee.frame))
      perform(event.pointee, bytes: bytes, at: frame)
      deferred.removeFirst()
    }
    if mustEndAll {
      mustEndAll = false
      endAll()
    }
  }

  @_noLocks @_noAllocation
  private mutating func perform(
    _ event: RenderEvent, bytes: UnsafePointer<UInt8>?, at frame: FrameTime
  ) {
    voices.isKnown = false
    scratch.work.add(1)
    switch event.eventKind {
    case .parameter? where event.address == LiveTable.address: select(event, at: frame)
    case .parameter?, .parameterRamp?: setParameter(event)
    case .midi?: play(event)
    case .systemExclusive?:
      if let bytes { playSystemExclusive(bytes, count: Int(event.length)) }
    case .bypass?, nil: break
    }
  }
}
