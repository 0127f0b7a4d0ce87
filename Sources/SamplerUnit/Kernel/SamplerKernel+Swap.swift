// How one synth takes over from another.

import Realtime

extension SamplerKernel {
  /// Gives the replaced synth back to the control side once nothing sounds on it.
  @_noLocks @_noAllocation
  mutating func retireOutgoingIfSilent() {
    guard let outgoing, Vouched.voiceCount(outgoing.pointee.synth) == 0 else { return }
    retireOutgoing(outgoing)
  }

  @_noLocks @_noAllocation
  private mutating func retireOutgoing(_ synth: UnsafeMutablePointer<Synth>) {
    if !mailbox.retire(UnsafeMutableRawPointer(synth)) { return }
    outgoing = nil
    isFading = false
    heldByOutgoing.removeAll()
  }

  /// Takes the synth that was published, if there is a new one and a place for the one it replaces.
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
      retireOutgoing(outgoing)
      if self.outgoing != nil { return }
    }
    guard let pointer = mailbox.take(retiring: nil) else { return }
    outgoing = current
    current = pointer.assumingMemoryBound(to: Synth.self)
    let notes = heldByOutgoing
    heldByOutgoing = held
    held = notes
    start()
  }

  /// Brings the current synth to the state of the channels and the parameters.
  @_noLocks @_noAllocation
  mutating func start() {
    guard let current else { return }
    if !current.pointee.keepsPrograms { channels.forgetPrograms() }
    current.pointee.apply(channels)
    if let outgoing { current.pointee.copyGenerators(from: outgoing.pointee) }
    current.pointee.apply(settings)
  }
}
