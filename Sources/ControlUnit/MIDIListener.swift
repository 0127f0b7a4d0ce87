// Copies of controller messages, for `learn`.

import Realtime
import UnitRender

/// Hands channel messages to the control side while it listens. Messages without room are dropped:
/// they are not needed. The value is a handle: copies name the same memory.
struct MIDIListener: @unchecked Sendable, BitwiseCopyable {
  private let isOpen = AtomicCounters(count: 1)
  private let messages = Ring<UInt32>(capacity: 1_024)

  /// - Thread: [control]
  init() {}

  /// - Thread: [control], once the render side is gone.
  func deallocate() {
    isOpen.deallocate()
    messages.deallocate()
  }

  /// - Thread: [control]
  func setOpen(_ isOpen: Bool) { self.isOpen[0] = isOpen ? 1 : 0 }

  /// Returns the messages received since the last call.
  /// - Thread: [control], one at a time.
  func take() -> [ShortMessage] {
    var taken: [ShortMessage] = []
    while let word = messages.tryReceive() { taken.append(ShortMessage(word: word)) }
    return taken
  }

  @_noLocks @_noAllocation
  func hear(_ message: ShortMessage) {
    if isOpen[0] != 0 && message.status >= 0x80 && message.status < 0xF0 {
      _ = messages.trySend(message.word)
    }
  }
}
