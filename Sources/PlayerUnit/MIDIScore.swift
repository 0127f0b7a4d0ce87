// The messages of a MIDI file with frames, in memory for the render thread.

import MediaFiles

/// The messages of a MIDI file, each with its frame.
///
/// The value owns memory: `deallocate` frees it.
struct MIDIScore: @unchecked Sendable, BitwiseCopyable {
  struct Event: BitwiseCopyable {
    let frame: Int
    /// Index of the first byte in `bytes`.
    let start: Int
    let length: Int
  }

  let events: UnsafeMutablePointer<Event>
  let count: Int
  let bytes: UnsafeMutablePointer<UInt8>
  /// End of the last track, in frames.
  let endFrame: Int

  /// - Parameters:
  ///   - sampleRate: in hertz.
  ///   - start: the first frame to play. Earlier messages except notes move to this frame, so that
  ///     programs and controllers are correct.
  /// - Thread: [control]
  init(_ file: MIDIFile, sampleRate: Double, from start: Int) {
    var list: [Event] = []
    list.reserveCapacity(file.events.count)
    for event in file.events {
      let frame = Int((event.seconds * sampleRate).rounded())
      let kind = file.messages[event.byteRange.lowerBound] & 0xF0
      if frame < start, (0x80...0xA0).contains(kind) { continue }
      list.append(
        Event(
          frame: max(frame, start), start: event.byteRange.lowerBound,
          length: event.byteRange.count))
    }
    count = list.count
    events = .allocate(capacity: max(list.count, 1))
    events.initialize(from: list, count: list.count)
    bytes = .allocate(capacity: max(file.messages.count, 1))
    bytes.initialize(from: file.messages, count: file.messages.count)
    endFrame = Int((file.durationSeconds * sampleRate).rounded(.up))
  }

  /// - Thread: [control]
  func deallocate() {
    events.deallocate()
    bytes.deallocate()
  }
}
