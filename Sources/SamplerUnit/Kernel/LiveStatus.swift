// What the render side says of the live set.

import Realtime

/// An entry that has taken over.
struct LiveSwitch: BitwiseCopyable {
  let number: Int
  /// How many frames after what selected it.
  let delayFrames: Int
}

/// The value is a handle: copies name the same memory. It outlives the kernels of a unit.
struct LiveStatus: Sendable, BitwiseCopyable {
  /// What is in each place; entries are stored with 1 added.
  private enum SnapshotField {
    static var current: Int { @_noLocks @_noAllocation get { 0 } }
    static var loadNumber: Int { @_noLocks @_noAllocation get { 1 } }
    static var request: Int { @_noLocks @_noAllocation get { 2 } }
    static var unknown: Int { @_noLocks @_noAllocation get { 3 } }
    static var lastUnknown: Int { @_noLocks @_noAllocation get { 4 } }
    static var untold: Int { @_noLocks @_noAllocation get { 5 } }
  }

  private let words = AtomicCounters(count: 6)
  /// Entries that took over, for the control side to tell.
  let switches = Ring<LiveSwitch>(capacity: 256)
  /// Those of them that program changes selected.
  let played = PlayedEntryLog()

  /// - Thread: [control], once nobody uses it any more.
  func deallocate() {
    words.deallocate()
    switches.deallocate()
    played.deallocate()
  }

  /// The entry that plays, −1 for none.
  var current: Int {
    @_noLocks @_noAllocation get { words[SnapshotField.current] - 1 }
    @_noLocks @_noAllocation nonmutating set { words[SnapshotField.current] = newValue + 1 }
  }

  /// The number of the last load, beside the entries, that took over.
  var loadNumber: Int {
    @_noLocks @_noAllocation get { words[SnapshotField.loadNumber] }
    @_noLocks @_noAllocation nonmutating set { words[SnapshotField.loadNumber] = newValue }
  }

  /// What is asked for, as one word, other for each time that something is.
  var request: Int { words[SnapshotField.request] }

  var isAsking: Bool { @_noLocks @_noAllocation get { words[SnapshotField.request] & 0xFF != 0 } }

  /// The entry of a request, −1 for none any more.
  static func entry(ofRequest request: Int) -> Int { (request & 0xFF) - 1 }

  /// Asks for the SoundFonts of an entry; −1 takes the request back.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func ask(for number: Int) {
    words[SnapshotField.request] =
      ((words[SnapshotField.request] >> 8) + (number < 0 ? 0 : 1)) << 8 | (number + 1)
  }

  /// How often a number was selected that no entry has, and the last such number.
  var unknownCount: Int { words[SnapshotField.unknown] }
  var lastUnknown: Int { words[SnapshotField.lastUnknown] }

  @_noLocks @_noAllocation
  func countUnknown(_ number: Int) {
    words[SnapshotField.lastUnknown] = number
    words.add(1, to: SnapshotField.unknown)
  }

  /// How many changes nobody was told of, because too many came at once.
  var untoldCount: Int { words[SnapshotField.untold] }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func switched(to number: Int, delayFrames: Int) {
    current = number
    let change = LiveSwitch(number: number, delayFrames: delayFrames)
    if !switches.trySend(change) { words.add(1, to: SnapshotField.untold) }
  }
}
