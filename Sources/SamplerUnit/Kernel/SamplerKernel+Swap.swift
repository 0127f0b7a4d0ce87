// How one pool of synths takes over from another.

import Realtime

extension SamplerKernel {
  /// Gives the replaced pool back to the control side once nothing sounds on it.
  @_noLocks @_noAllocation
  mutating func retireOutgoingIfSilent() {
    guard let outgoing, !outgoing.pointee.isSounding else { return }
    retireOutgoing(outgoing)
  }

  @_noLocks @_noAllocation
  private mutating func retireOutgoing(_ pool: UnsafeMutablePointer<SynthPool>) {
    if !mailbox.retire(UnsafeMutableRawPointer(pool)) { return }
    outgoing = nil
    isFading = false
    heldByOutgoing.removeAll()
  }

  /// Takes the pool that was published, if there is a new one and a place for the one it replaces.
  @_noLocks @_noAllocation
  mutating func takeNext() {
    if !mailbox.isPending { return }
    if let outgoing {
      if !isFading {
        isFading = true
        fade.set(immediately: 1)
        fade.start(to: 0, overFrames: 0)
      }
      if fade.isRamping { return }
      outgoing.pointee.endVoices(scratch)
      retireOutgoing(outgoing)
      if self.outgoing != nil { return }
    }
    guard let pointer = mailbox.take(retiring: nil) else { return }
    outgoing = current
    current = pointer.assumingMemoryBound(to: SynthPool.self)
    let notes = heldByOutgoing
    heldByOutgoing = held
    held = notes
    start()
  }

  /// Brings the first synth of the current pool to the state of the channels and the parameters.
  @_noLocks @_noAllocation
  mutating func start() {
    guard let current else { return }
    let first = current.pointee.first
    if !first.pointee.keepsPrograms { channels.forgetPrograms() }
    first.pointee.apply(channels)
    if let outgoing { first.pointee.copyGenerators(from: outgoing.pointee.first.pointee) }
    first.pointee.apply(settings)
  }
}
