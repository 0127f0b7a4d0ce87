// The files of takes of MIDI.

import MediaFiles

/// A take of MIDI. Its ring of sound has no channel, and counts the frames.
final class MIDITakeFile: TakeFile {
  private let writer: MIDIFileWriter
  private let reader: CapturedMIDIReader
  private let take: Int
  /// The frame of the take at which this file begins.
  private let firstOffset: Int
  private let news: TakeNotices
  private var open = OpenNotes()

  init(
    _ writer: MIDIFileWriter, from reader: CapturedMIDIReader, take: Int, firstOffset: Int,
    _ news: TakeNotices
  ) {
    (self.writer, self.reader, self.news) = (writer, reader, news)
    (self.take, self.firstOffset) = (take, firstOffset)
  }

  var frameCount: Int { writer.frameCount }

  func write(_ count: Int, of line: CaptureRing) throws(AudioFileError) {
    try writeSilence(line.take(count) { _, _ in })
  }

  func writeSilence(_ count: Int) throws(AudioFileError) {
    let end = writer.frameCount + count
    while let (message, offset) = reader.next(ofTake: take, before: firstOffset + end) {
      append(message, at: max(offset - firstOffset, writer.frameCount))
    }
    try writer.extend(to: end)
  }

  /// Ends the notes and pedals that are held, and completes the file.
  func finish() throws(AudioFileError) {
    for message in open.releases { writer.append(message, at: writer.frameCount) }
    try writer.finish()
  }

  private func append(_ message: [UInt8], at frame: Int) {
    switch (message[0], message.count) {
    case (0xFF, 6):
      writer.append(
        microsecondsPerQuarterNote: message[3...].reduce(0) { $0 << 8 | Int($1) }, at: frame)
    case (0xFF, _): writer.append(timeSignature: Int(message[3]), 1 << Int(message[4]), at: frame)
    default:
      writer.append(message, at: frame)
      open.note(message)
      if message[0] & 0xF0 == 0x90, message[2] > 0 { news.noteNote() }
    }
  }
}
