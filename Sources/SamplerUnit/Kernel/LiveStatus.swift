// The live set's state as published by the render side.

import Realtime

/// An entry that has taken over.
struct LiveSwitch: BitwiseCopyable {
  let number: Int
  /// Frames from its selection to its takeover.
  let delayFrames: Int
}

/// State of the live set. The value is a handle: copies refer to the same memory. It outlives the
/// kernels of a unit.
struct LiveStatus: Sendable, BitwiseCopyable {
  /// Index of each field; entries are stored with 1 added.
  private enum SnapshotField {
    static var current: Int { @_noLocks @_noAllocation get { 0 } }
    static var loadNumber: Int { @_noLocks @_noAllocation get { 1 } }
    static var request: Int { @_noLocks @_noAllocation get { 2 } }
    static var unknown: Int { @_noLocks @_noAllocation get { 3 } }
    static var lastUnknown: Int { @_noLocks @_noAllocation get { 4 } }
    static var unreported: Int { @_noLocks @_noAllocation get { 5 } }
  }

  private let words = AtomicCounters(count: 6)
  /// Entries that took over, for the control side to report.
  let switches = Ring<LiveSwitch>(capacity: 256)
  /// Entries that took over by a program change.
  let played = PlayedEntryLog()

  /// - Thread: [control], once nothing uses it any more.
  func deallocate() {
    words.deallocate()
    switches.deallocate()
    played.deallocate()
  }

  /// The playing entry, −1 for none.
  var current: Int {
    @_noLocks @_noAllocation get { words[SnapshotField.current] - 1 }
    @_noLocks @_noAllocation nonmutating set { words[SnapshotField.current] = newValue + 1 }
  }

  /// The number of the last load outside the live set that took over.
  var loadNumber: Int {
    @_noLocks @_noAllocation get { words[SnapshotField.loadNumber] }
    @_noLocks @_noAllocation nonmutating set { words[SnapshotField.loadNumber] = newValue }
  }

  /// The current request in one word, different for each request.
  var request: Int { words[SnapshotField.request] }

  var isAsking: Bool { @_noLocks @_noAllocation get { words[SnapshotField.request] & 0xFF != 0 } }

  /// The entry of a request, −1 if it was withdrawn.
  static func entry(ofRequest request: Int) -> Int { (request & 0xFF) - 1 }

  /// Requests the SoundFonts of an entry; −1 withdraws the request.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func ask(for number: Int) {
    words[SnapshotField.request] =
      ((words[SnapshotField.request] >> 8) + (number < 0 ? 0 : 1)) << 8 | (number + 1)
  }

  /// Count of selections of numbers without an entry, and the last such number.
  var unknownCount: Int { words[SnapshotField.unknown] }
  var lastUnknown: Int { words[SnapshotField.lastUnknown] }

  @_noLocks @_noAllocation
  func countUnknown(_ number: Int) {
    words[SnapshotField.lastUnknown] = number
    words.add(1, to: SnapshotField.unknown)
  }

  /// Count of takeovers that were not reported, because too many occurred at once.
  var unreportedCount: Int { words[SnapshotField.unreported] }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  func switched(to number: Int, delayFrames: Int) {
    current = number
    let change = LiveSwitch(number: number, delayFrames: delayFrames)
    if !switches.trySend(change) { words.add(1, to: SnapshotField.unreported) }
  }
}
