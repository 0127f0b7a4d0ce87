// A chain that can be exchanged while it plays.

public import Realtime
public import UnitRender

/// Plays the chain that the control side has published last.
///
/// A new chain takes over at the start of a call, with the settings that stand then. Notes and
/// pedals that are held stay with the old chain until they end: their note-offs, pressures and
/// releases go through the old chain, what ends the notes of a channel through both, all else
/// through the new one; of one key the newest press ends first. Meanwhile arpeggios and echoes of
/// the old chain go on. With the last key and pedal that it holds, at once where it holds none, it
/// ends: whatever it still sounds then is ended too, such as a latched arpeggio, and repeats that
/// are to come do not. So it is when a further chain takes over.
///
/// On one frame, what comes of the old chain is first.
///
/// A note sounds until the last that holds it ends: keys that a scale, a transposition, a chord or
/// a merge of channels makes one, what passes around a stage, a note and the repeats of it. Each
/// that begins it anew is sent, behind the note-off of what sounds, with its own velocity. Of one
/// key of the input the first release counts.
///
/// What events cost in 64 frames has a bound, about a quarter of that time. Beyond it, as after
/// some 400 notes through ten stages, events wait in their order for the next 64; values of a
/// controller that wait replace each other, a System Reset what waits before it, and All Sound Off
/// the notes of its channel. Timing messages do not wait.
///
/// The value is a handle: copies name the same player.
public struct MIDIChainPlayer: @unchecked Sendable, BitwiseCopyable {
  private let state: UnsafeMutablePointer<MIDIChainHandover>

  /// - Parameters:
  ///   - chain: what plays first. It belongs to the player, as do those that it takes from the
  ///     mailbox.
  ///   - mailbox: where the control side publishes pointers to chains, and collects them before
  ///     each time it publishes.
  ///   - values: those of the unit's parameters, at the places that the chains were made with.
  ///   - capacity: how many events of a call may concern an old chain, and come out of it; one with
  ///     more ends at once.
  ///   - counters: count what has to wait; they outlive the player.
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

  /// Frees the player, and gives the chains that it still has back.
  /// - Thread: [control], once nobody uses the player any more.
  public func deallocate() -> [UnsafeMutablePointer<MIDIChain>] {
    let chains = state.pointee.deallocate()
    state.deallocate()
    return chains
  }

  /// Sends the events of a call through the chain, as `MIDIChain.process` does, but for what has to
  /// wait.
  /// - Thread: [render]. - Complexity: O(events · stages); where a chain takes over also
  ///   O(parameters of its stages).
  @_noLocks @_noAllocation
  public func process(_ events: RenderEventList, during call: MIDIChainCall) {
    state.pointee.process(events, call)
  }

  /// Lets all MIDI pass around the stages, or no longer, also of chains that are still to come.
  /// - Thread: [render]. - Complexity: as for `MIDIChain.setBypassed`.
  @_noLocks @_noAllocation
  public func setBypassed(_ isBypassed: Bool) { state.pointee.setBypassed(isBypassed) }

  /// Publishes the value of a parameter event that has come out of the chain; one that belongs to
  /// no stage, or is no number, is left alone.
  /// - Thread: [render]. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func publish(_ event: RenderEvent) {
    state.pointee.current.pointee.publish(event, to: state.pointee.values, from: 0)
  }

  /// Publishes what stages find by themselves.
  /// - Thread: [render], at the end of a call. - Complexity: O(stages)
  @_noLocks @_noAllocation
  public func publishReadings() {
    state.pointee.current.pointee.publishReadings(to: state.pointee.values, from: 0)
  }

  /// Forgets what is held; settings stay. The next call begins with the ends of all that sounds:
  /// the note-offs of what has been sent, and the releases of pedals.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func reset() { state.pointee.reset() }
}

extension MIDIChain {
  /// Takes the values of the stages' parameters over.
  /// - Thread: [render]. - Complexity: O(parameters)
  @_noLocks @_noAllocation
  func readParameters(_ values: ParameterValues) {
    var index = 0
    while index < count {
      let first = Int(places[index].firstParameter)
      let ownCount = places[index].traits.parameterCount
      var parameter = 0
      while parameter < ownCount {
        places[index].setParameter(parameter, to: values[first + parameter])
        parameter &+= 1
      }
      places[index].setParameter(MIDIChainLayout.Stage.bypassIndex, to: values[first + ownCount])
      index &+= 1
    }
  }
}
