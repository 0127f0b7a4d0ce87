// Ends of notes and pedals that have found no room in a list.

import Realtime
import UnitRender

/// What a stage and its bypass owe the stages behind them. It goes before all else of a later call;
/// notes and pedals also behind a parameter event of the stage, from whose setting they may follow.
struct OwedEnds: BitwiseCopyable {
  /// The notes and pedals that are to end.
  private(set) var ledger = NoteLedger.allocate()
  /// The channels, as bits, of which all notes and pedals are to end.
  private(set) var channels: UInt16 = 0

  /// - Thread: [control]
  init() {}

  /// - Thread: [control], once nobody uses the memory any more.
  func deallocate() { ledger.deallocate() }

  var isEmpty: Bool { @_noLocks @_noAllocation get { channels == 0 && ledger.isEmpty } }

  @_noLocks @_noAllocation
  mutating func add(note place: Int) { ledger.add(place) }

  /// - Parameter pedals: bits from controller 64 on.
  @_noLocks @_noAllocation
  mutating func add(pedals: UInt8, of channel: Int) {
    ledger.pedals[channel] |= pedals
  }

  /// - Parameter channels: as bits.
  @_noLocks @_noAllocation
  mutating func addAll(of channels: UInt16) { self.channels |= channels }

  @_noLocks @_noAllocation
  mutating func forgetNotes(of channel: Int) { ledger.forgetNotes(channel) }

  @_noLocks @_noAllocation
  mutating func forgetPedals(of channel: Int) { ledger.pedals[channel] = 0 }

  @_noLocks @_noAllocation
  mutating func forgetAll() {
    ledger.forgetAll()
    channels = 0
  }

  /// Puts in what is owed, as far as there is room.
  /// - Parameter event: the parameter event before, nil at the start of a call.
  /// - Returns: the last event that was put in, `event` for none.
  @_noLocks @_noAllocation
  mutating func settle(
    after event: UnsafeMutablePointer<RenderEvent>?, at frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = ledger.release(into: list, after: event, at: frame)
    // What a whole channel needs is left to a new list: this one is full, or was.
    if event != nil { return last }
    while channels != 0 && list.room >= 7 {
      let status = 0xB0 | UInt8(truncatingIfNeeded: channels.trailingZeroBitCount)
      var number: UInt8 = 64
      while number <= 69 {
        last = list.insert(.midi(status, number, 0, at: frame), after: last) ?? last
        number &+= 1
      }
      last =
        list.insert(.midi(status, ControllerNumber.allNotesOff, 0, at: frame), after: last) ?? last
      channels &= channels - 1
    }
    return last
  }
}
