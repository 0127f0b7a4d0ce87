// The files of takes.

import FoundationEssentials
import MediaFiles
import Realtime

/// The file of one take, which grows from its first frame to its last.
///
/// Used by one thread at a time.
protocol TakeFile: AnyObject {
  /// The file's length in frames.
  var frameCount: Int { get }

  /// Writes the next frames of a ring, at most `count`; a later call continues.
  func write(_ count: Int, of line: CaptureRing) throws(AudioFileError)

  /// Writes frames without sound.
  func writeSilence(_ count: Int) throws(AudioFileError)

  /// Completes the file.
  func finish() throws(AudioFileError)
}

/// A take of sound.
final class AudioTakeFile: TakeFile {
  private let writer: AudioFileWriter
  private let news: TakeNotices

  init(_ writer: AudioFileWriter, _ news: TakeNotices) { (self.writer, self.news) = (writer, news) }

  var frameCount: Int { writer.frameCount }

  func write(_ count: Int, of line: CaptureRing) throws(AudioFileError) {
    _ = try line.take(count) { (channels, count) throws(AudioFileError) in
      try writer.write(channels, frameCount: count)
      var peak: Float = 0
      for samples in channels {
        for frame in 0..<count { peak = max(peak, abs(samples[frame])) }
      }
      news.note(peak: peak)
    }
  }

  func writeSilence(_ count: Int) throws(AudioFileError) {
    let silence = [[Float]](
      repeating: [Float](repeating: 0, count: min(count, 4096)), count: writer.channelCount)
    var rest = count
    while rest > 0 {
      let count = min(rest, 4096)
      try writer.write(silence.map { Array($0.prefix(count)) })
      rest -= count
    }
  }

  func finish() throws(AudioFileError) { try writer.finish() }
}

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
