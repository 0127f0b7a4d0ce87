// Writers of Standard MIDI Files.
import Files
import FoundationEssentials
import Glibc

/// A recording of MIDI messages into a file of format 0, with times in frames of a sample rate.
///
/// The file grows under its own name and stays even if it is incomplete. Others can read all but
/// its last half second at any time, also after a crash.
///
/// - Thread: [control], one thread at a time
package final class MIDIFileWriter {
  /// The file's resolution. At 120 quarter notes a minute a tick is a frame of 48 kHz.
  package static let ticksPerQuarterNote = 24_000

  /// The file's length in frames.
  package private(set) var frameCount = 0
  private let file: String
  private let sampleRate: Double
  private let written: GrowingFile
  private var isClosed = false
  private var clock = RecordedTempo()
  /// The tick of the last event.
  private var lastTick = 0
  /// Events that are not in the file yet, and the count of bytes of those that are.
  private var pending: [UInt8] = []
  private var writtenCount = 0
  private var refreshedFrames = 0

  /// Creates the file.
  ///
  /// - Parameter sampleRate: in hertz, above 0.
  /// - Throws: `exists` if the name is taken, `cannotCreate`, `diskFull`, `cannotWrite`.
  package init(recordingTo url: URL, sampleRate: Double) throws(AudioFileError) {
    file = url.relativePath
    self.sampleRate = sampleRate
    do throws(SystemError) { written = try GrowingFile(path: url.path) } catch {
      throw AudioFileError(creating: file, error)
    }
    try put(
      Array("MThd".utf8) + big(6, 4) + big(0, 2) + big(1, 2) + big(Self.ticksPerQuarterNote, 2)
        + Array("MTrk".utf8) + big(0, 4), at: 0)
    try refresh()
  }

  /// Appends a channel message, or a System Exclusive message from F0 to F7.
  ///
  /// - Parameter frame: its time since the start, not before that of the last message.
  package func append(_ message: [UInt8], at frame: Int) {
    if message.first == 0xF0 {
      append([0xF0] + variable(message.count - 1) + message.dropFirst(), atTick: tick(at: frame))
    } else {
      append(message, atTick: tick(at: frame))
    }
  }

  /// Appends a tempo, which holds from a frame on.
  ///
  /// - Parameter microseconds: the length of a quarter note, 1 to 16,777,215.
  package func append(microsecondsPerQuarterNote microseconds: Int, at frame: Int) {
    let tick = tick(at: frame)
    append([0xFF, 0x51, 3] + big(microseconds, 3), atTick: tick)
    clock.change(to: microseconds, atTick: tick)
  }

  /// Appends a time signature, which holds from a frame on.
  ///
  /// - Parameter denominator: a power of two.
  package func append(timeSignature numerator: Int, _ denominator: Int, at frame: Int) {
    let power = denominator.trailingZeroBitCount
    append(
      [0xFF, 0x58, 4] + big(numerator, 1) + big(power, 1) + [24, 8], atTick: tick(at: frame))
  }

  /// Makes the file longer. No message follows before this frame.
  ///
  /// - Throws: `diskFull`, `cannotWrite`. An error closes the writer, and the file stays.
  package func extend(to frame: Int) throws(AudioFileError) {
    frameCount = max(frameCount, frame)
    let isDue = Double(frameCount - refreshedFrames) >= sampleRate / 2
    if isDue || pending.count > 65_536 { try refresh() }
  }

  /// Completes the file.
  ///
  /// - Throws: `diskFull`, `cannotWrite`. The file stays.
  package func finish() throws(AudioFileError) {
    try refresh()
    isClosed = true
    do throws(SystemError) { try written.commit() } catch { throw failure(error) }
  }

  private func tick(at frame: Int) -> Int {
    max(lastTick, clock.tick(atSeconds: Double(frame) / sampleRate))
  }

  private func append(_ event: [UInt8], atTick tick: Int) {
    pending += pause(to: tick) + event
    lastTick = tick
  }

  /// Returns the time from the last event to a tick: a variable-length quantity of four bytes at
  /// most. Empty texts divide a longer time.
  private func pause(to tick: Int) -> [UInt8] {
    let longest = 0x0FFF_FFFF
    var rest = tick - lastTick
    var bytes: [UInt8] = []
    while rest > longest {
      bytes += variable(longest) + [0xFF, 1, 0]
      rest -= longest
    }
    return bytes + variable(rest)
  }

  /// Writes all messages so far, and an end of the track at the file's length.
  private func refresh() throws(AudioFileError) {
    guard !isClosed else { throw .closed(file: file) }
    let bytes = pending + pause(to: tick(at: frameCount)) + [0xFF, 0x2F, 0]
    guard Self.headCount + writtenCount + bytes.count <= MIDIFile.maximumBytes else {
      isClosed = true
      throw .cannotWrite(
        file: file, reason: "a MIDI file takes \(MIDIFile.maximumBytes >> 20) MB at most")
    }
    try put(bytes, at: Self.headCount + writtenCount)
    try put(big(writtenCount + bytes.count, 4), at: Self.headCount - 4)
    writtenCount += pending.count
    pending = []
    refreshedFrames = frameCount
  }

  /// The count of bytes before the track's events; the last four are the length of the track.
  private static let headCount = 22

  private func put(_ bytes: [UInt8], at offset: Int) throws(AudioFileError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        pwrite(written.descriptor, $0.baseAddress, $0.count, off_t(offset + done))
      }
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw failure(.last)
      }
    }
  }

  private func failure(_ error: SystemError) -> AudioFileError {
    isClosed = true
    return AudioFileError(writing: file, error)
  }
}

/// The ticks of times in a file with one tempo after another.
private struct RecordedTempo {
  /// The last tempo's tick, and its time as readers of the file compute it.
  private var firstTick = 0
  private var firstSeconds = 0.0
  private var microsecondsPerQuarterNote = 500_000

  private var secondsPerTick: Double {
    Double(microsecondsPerQuarterNote) / (1e6 * Double(MIDIFileWriter.ticksPerQuarterNote))
  }

  func tick(atSeconds seconds: Double) -> Int {
    firstTick + Int(((seconds - firstSeconds) / secondsPerTick).rounded())
  }

  mutating func change(to microseconds: Int, atTick tick: Int) {
    firstSeconds += Double(tick - firstTick) * secondsPerTick
    (firstTick, microsecondsPerQuarterNote) = (tick, microseconds)
  }
}

/// Returns the lowest bytes of a number, the highest of these first.
private func big(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// Returns a variable-length quantity: 7 bits a byte, the highest first.
private func variable(_ value: Int) -> [UInt8] {
  var bytes = [UInt8(truncatingIfNeeded: value & 0x7F)]
  var rest = value >> 7
  while rest > 0 {
    bytes.insert(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80, at: 0)
    rest >>= 7
  }
  return bytes
}
