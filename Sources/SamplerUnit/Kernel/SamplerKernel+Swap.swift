// Takeover of a pool of synths by another.

import FluidSynthPool
import Realtime

extension SamplerKernel {
  /// Releases the ringing pools that have become silent.
  @_noLocks @_noAllocation
  mutating func retireSilent() {
    var index = ringing.count - 1
    while index >= 0 {
      if !ringing[index].pointee.isSounding { letGo(at: index) }
      index &-= 1
    }
    if let pools = surplus, mailbox.retire(UnsafeMutableRawPointer(pools)) { surplus = nil }
  }

  /// Hands a pool that has rung out back to the control side, unless it stays at hand for entries.
  @_noLocks @_noAllocation
  private mutating func letGo(at index: Int) {
    let pool = ringing[index]
    pool.pointee.held.removeAll()
    let isAtHand = live.pool(pool.pointee.stack) == pool
    if !isAtHand && !mailbox.retire(UnsafeMutableRawPointer(pool)) { return }
    ringing.remove(at: index)
    if index == 0 { isFading = false }
  }

  /// Takes a newly published pool, if there is room for the one it replaces.
  @_noLocks @_noAllocation
  mutating func takeNext() {
    if !mailbox.isPending && waitingEntry < 0 { return }
    if ringing.isFull && !makeRoom() { return }
    if surplus != nil { return }
    guard let pointer = mailbox.take(retiring: nil) else { return }
    receive(pointer.assumingMemoryBound(to: SynthPool.self))
  }

  /// Fades out the oldest ringing pool if another pool waits to take over.
  @_noLocks @_noAllocation
  private mutating func makeRoom() -> Bool {
    if !mailbox.isPending && live.pool(live[waitingEntry].stack) == nil { return false }
    if !isFading {
      isFading = true
      fade.set(immediately: 1)
      fade.start(to: 0, overFrames: 0)
    }
    if fade.isRamping { return false }
    ringing[0].pointee.endVoices(scratch)
    voices.isKnown = false
    letGo(at: 0)
    return !ringing.isFull
  }

  /// Receives pools that were published together. Not inlined, because it is rare.
  @_noLocks @_noAllocation @inline(never)
  private mutating func receive(_ head: UnsafeMutablePointer<SynthPool>) {
    var next: UnsafeMutablePointer<SynthPool>? = head
    while let pool = next {
      next = pool.pointee.next
      pool.pointee.next = nil
      if pool.pointee.staysAtHand {
        let old = live.pool(pool.pointee.stack)
        live.setPool(pool.pointee.stack, pool)
        if let old, old != current, !ringing.contains(old) { addSurplus(old) }
      } else if takesOver(pool) {
        enter(pool)
      } else {
        addSurplus(pool)
      }
    }
    guard let current, let pool = live.pool(current.pointee.stack), pool != current else { return }
    pool.pointee.setConfigured(current.pointee.configured)
    enter(pool)
  }

  @_noLocks @_noAllocation
  private mutating func addSurplus(_ pool: UnsafeMutablePointer<SynthPool>) {
    pool.pointee.next = surplus
    surplus = pool
  }

  /// Whether a pool takes over; another sound may have been selected meanwhile.
  @_noLocks @_noAllocation
  private func takesOver(_ pool: UnsafeMutablePointer<SynthPool>) -> Bool {
    if pool.pointee.entry >= 0 { return pool.pointee.entry == waitingEntry }
    if !pool.pointee.keepsPrograms { return true }
    guard let current else { return true }
    return current.pointee.stack == pool.pointee.stack
  }

  /// Plays on a new pool.
  @_noLocks @_noAllocation
  private mutating func enter(_ pool: UnsafeMutablePointer<SynthPool>) {
    voices.isKnown = false
    let previous = current
    if let current { ringing.append(current) }
    current = pool
    pool.pointee.level = 1
    hasEntered = true
    hasNewPresets = true
    start(from: previous)
    if pool.pointee.entry >= 0 {
      arrivedEntry = pool.pointee.entry
      arrivedIsPlayed = waitingIsPlayed
      forgetWaiting()
    } else if !pool.pointee.keepsPrograms {
      liveStatus.current = -1
      liveStatus.loadNumber = pool.pointee.loadNumber
      forgetWaiting()
    }
  }

  /// Brings the first synth of the current pool to the state of channels and parameters.
  @_noLocks @_noAllocation
  mutating func start(from previous: UnsafeMutablePointer<SynthPool>? = nil) {
    guard let current else { return }
    if !current.pointee.keepsPrograms { channels.forgetPrograms() }
    takePitches()
    current.pointee.start(channels, settings, from: previous)
  }
}
