// A player of a chain that can be exchanged while it plays.

public import Realtime
public import UnitRender

/// Plays the chain that the control side has published last.
///
/// A new chain takes over at the start of a call, with the settings of that time. Held notes and
/// pedals stay with the old chain until they end: it gets their note-offs, pressures and releases.
/// Messages that end the notes of a channel go through both chains, all others through the new one.
/// Of one key the newest press ends first. Meanwhile arpeggios and echoes of the old chain
/// continue.
///
/// The old chain ends with the last key and pedal that it holds, at once if it holds none. Notes
/// that it still sounds then end too, such as a latched arpeggio, and its further repeats are
/// dropped. The same happens when a further chain takes over.
///
/// On one frame, events of the old chain are first.
///
/// A note sounds until its last holder ends: a key, a note around a bypassed stage, or a repeat. A
/// scale, a transposition, a chord or a merge of channels can map several keys to one note. Each
/// holder that strikes the note again is sent, with its own velocity, after the note-off of the
/// sounding note. Of one input key the first release counts.
///
/// The cost of events in 64 frames is limited to about a quarter of that time. Beyond that, as
/// after some 400 notes through ten stages, events are deferred in order to the next 64. Deferred
/// values of a controller replace each other. A System Reset replaces all MIDI deferred before it,
/// and All Sound Off the notes of its channel. Timing messages are not deferred.
///
/// The value is a handle: copies name the same player.
public struct MIDIChainPlayer: @unchecked Sendable, BitwiseCopyable {
  private let state: UnsafeMutablePointer<MIDIChainHandover>

  /// - Parameters:
  ///   - chain: the first chain to play. The player owns it, and the chains from the mailbox.
  ///   - mailbox: the control side publishes pointers to chains there, and collects retired ones
  ///     before each time it publishes.
  ///   - values: the values of the unit's parameters, at the indices known to the chains.
  ///   - capacity: the number of events of a call to an old chain, and of those from it; a chain
  ///     with more ends at once.
  ///   - counters: count deferred events; they outlive the player.
  /// - Thread: [control]
  public static func allocate(
    _ chain: UnsafeMutablePointer<MIDIChain>, mailbox: PublishedPointer, values: ParameterValues,
    capacity: Int = 8192, counters: DeferredEventCounters
  ) -> MIDIChainPlayer {
    let state = UnsafeMutablePointer<MIDIChainHandover>.allocate(capacity: 1)
    state.initialize(
      to: MIDIChainHandover(
        chain, mailbox: mailbox, values: values, capacity: capacity, counters: counters))
    return MIDIChainPlayer(state: state)
  }

  /// Frees the player, and returns the chains that it still has.
  /// - Thread: [control], after the last use of the player.
  public func deallocate() -> [UnsafeMutablePointer<MIDIChain>] {
    let chains = state.pointee.deallocate()
    state.deallocate()
    return chains
  }

  /// Sends the events of a call through the chain, as `MIDIChain.process` does, except for those
  /// deferred.
  /// - Thread: [render]. - Complexity: O(events · stages); if a chain takes over, also O(parameters
  ///   of its stages).
  @_noLocks @_noAllocation
  public func process(_ events: RenderEventList, during call: MIDIChainCall) {
    state.pointee.process(events, call)
  }

  /// Sets whether all MIDI passes around the stages, also those of later chains.
  /// - Thread: [render]. - Complexity: as for `MIDIChain.setBypassed`.
  @_noLocks @_noAllocation
  public func setBypassed(_ isBypassed: Bool) { state.pointee.setBypassed(isBypassed) }

  /// Publishes the value of a parameter event of the chain's output. Ignores NaN, and parameters of
  /// no stage.
  /// - Thread: [render]. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func publish(_ event: RenderEvent) {
    state.pointee.current.pointee.publish(event, to: state.pointee.values, from: 0)
  }

  /// Publishes values that stages determine.
  /// - Thread: [render], at the end of a call. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func publishReadings() {
    state.pointee.current.pointee.publishReadings(to: state.pointee.values, from: 0)
  }

  /// Clears the state from MIDI, such as held notes; settings stay. The next call begins with
  /// note-offs of all sounding notes that were sent, and releases of pedals.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func reset() { state.pointee.reset() }
}

extension MIDIChain {
  /// Sets the stages' parameters from the unit's values.
  /// - Thread: [render]. - Complexity: O(parameters)
  @_noLocks @_noAllocation
  func readParameters(_ values: ParameterValues) {
    var index = 0
    while index < count {
      let first = Int(slots[index].firstParameter)
      let ownCount = slots[index].traits.parameterCount
      var parameter = 0
      while parameter < ownCount {
        slots[index].setParameter(parameter, to: values[first + parameter])
        parameter &+= 1
      }
      slots[index].setParameter(MIDIChainLayout.Stage.bypassIndex, to: values[first + ownCount])
      index &+= 1
    }
  }
}
