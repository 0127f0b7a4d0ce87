// Writing of captured frames to files.

import Files
import FoundationEssentials
import Glibc
import MediaFiles
import Platform
import Realtime
import UnitModel

/// Writes takes to files, a new one for each: `take.wav`, `take-2.wav` and so on.
///
/// Used by one thread at a time.
final class Takes {
  /// Longest run of skipped frames that is silence within a take, in seconds. After a longer one
  /// another take begins.
  static let maximumSkip = 600.0

  private var reader: CaptureReader
  private let midi: CapturedMIDIReader
  private let url: URL
  private let format: TakeFormat
  private let sampleRate: Double
  private let news: TakeNotices
  private var take: Take?
  /// Count of takes begun, as on the render side.
  private var begun = 0
  /// The place at which the next frames begin another file; nil if they continue this one.
  private var resumption: Beginning?
  /// The take's frame count at which the disk's free space is read again.
  private var spaceFrame = 0
  private var line: CaptureRing { reader.line }

  /// The first frame of a file: its time, and its place within the render side's take.
  private struct Beginning {
    let frame: FrameTime
    let offset: Int
  }

  private struct Take {
    let file: any TakeFile
    let name: String
    let marks: TakeMarks
    let first: Beginning
    var lostMessages = 0
    var lostFrames = 0
    var skippedFrames = 0
  }

  /// - Parameter midi: the messages of takes of MIDI.
  init(
    _ line: CaptureRing, _ midi: CapturedMIDIReader, url: URL, format: TakeFormat,
    sampleRate: Double, news: TakeNotices
  ) {
    reader = CaptureReader(line)
    self.midi = midi
    self.news = news
    self.url = url
    self.format = format
    self.sampleRate = sampleRate
  }

  deinit { line.deallocate() }

  /// Writes all captured frames and marks.
  func drain() {
    reader.look()
    while let item = reader.next() {
      switch item {
      case .frames(let count): write(count)
      case .mark(let mark): apply(mark)
      }
    }
    for (frame, text) in news.takeMarks() {
      guard let take else { break }
      mark(text, at: Int(max(0, frame - take.first.frame)))
    }
    let lost = midi.takeLostCount()
    if lost > 0 {
      take?.lostMessages += lost
      news.count { $0.lostMessages += lost }
    }
  }

  /// Writes all captured frames and completes the file.
  func close() {
    drain()
    finish()
  }

  private func write(_ count: Int) {
    if let resumption { begin(at: resumption) }
    guard let take else {
      _ = line.take(count) { _, _ in }
      midi.drop(throughTake: begun)
      return
    }
    do throws(AudioFileError) {
      try take.file.write(count, of: line)
      noteSpace()
    } catch { fail(error) }
  }

  /// Reads the disk's free space. Called on the writing thread, because a stalled disk may block.
  private func noteSpace() {
    guard let take, take.file.frameCount >= spaceFrame else { return }
    spaceFrame = take.file.frameCount + Int(sampleRate / 2)
    news.note(freeBytes: DiskSpace.free(in: take.marks.take.deletingLastPathComponent().path))
  }

  private func apply(_ mark: CaptureMark) {
    switch mark.kind {
    case CaptureMark.begin:
      begun += 1
      begin(at: Beginning(frame: mark.value, offset: 0))
    case CaptureMark.end: finish()
    case CaptureMark.skip: skip(Int(mark.value))
    default: lose(Int(mark.value))
    }
  }

  private func begin(at first: Beginning) {
    finish()
    do throws(AudioFileError) {
      let take = try makeTake(at: first)
      self.take = take
      spaceFrame = 0
      news.begin(take.marks.take)
      news.add(.done, "records \(take.name)")
    } catch { fail("\(error)") }
  }

  private func makeTake(at first: Beginning) throws(AudioFileError) -> Take {
    var number = 1
    while true {
      let url = number == 1 ? url : numbered(number)
      do throws(AudioFileError) {
        return Take(
          file: try makeFile(url, from: first), name: url.relativePath,
          marks: TakeMarks(of: url, sampleRate: sampleRate), first: first)
      } catch {
        guard case .exists = error, number < 9999 else { throw error }
        number += 1
      }
    }
  }

  private func makeFile(
    _ url: URL, from first: Beginning
  ) throws(AudioFileError) -> any TakeFile {
    switch format {
    case .audio(let format):
      let writer = try AudioFileWriter(
        recordingTo: url, format: format, sampleRate: sampleRate, channelCount: line.channelCount)
      return AudioTakeFile(writer, news)
    case .midi:
      let writer = try MIDIFileWriter(recordingTo: url, sampleRate: sampleRate)
      return MIDITakeFile(writer, from: midi, take: begun, firstOffset: first.offset, news)
    }
  }

  private func numbered(_ number: Int) -> URL {
    let ending = url.pathExtension
    let name = url.deletingPathExtension().lastPathComponent
    return URL(
      fileURLWithPath: "\(name)-\(number)" + (ending.isEmpty ? "" : ".\(ending)"),
      relativeTo: url.deletingLastPathComponent())
  }

  /// Writes silence for lost frames, so that later frames are in time.
  private func lose(_ frames: Int) {
    guard let position = take?.file.frameCount else { return }
    take?.lostFrames += frames
    news.count { $0.lostFrames += frames }
    mark("lost, because the disk stood still", at: position, count: frames)
    fill(frames)
  }

  /// Writes silence for frames that the server skipped, or ends the take if they are too many.
  private func skip(_ frames: Int) {
    guard let take else { return }
    let position = take.file.frameCount
    news.count { $0.skippedFrames += frames }
    if Double(frames) > Self.maximumSkip * sampleRate {
      news.add(
        .failed,
        "\(take.name) ends where the server skipped \(frames) frames; behind them begins another")
      finish()
      resumption = Beginning(
        frame: take.first.frame + FrameTime(position + frames),
        offset: take.first.offset + position + frames)
      return
    }
    self.take?.skippedFrames += frames
    mark("skipped by the server", at: position, count: frames)
    fill(frames)
  }

  private func fill(_ frames: Int) {
    do throws(AudioFileError) { try take?.file.writeSilence(frames) } catch { fail(error) }
  }

  private func mark(_ text: String, at frame: Int, count: Int = 0) {
    do throws(SystemError) { try take?.marks.add(text, at: frame, count: count) } catch {
      news.add(.failed, "cannot mark it in \(take?.marks.url.path ?? ""): \(error)")
    }
  }

  private func finish() {
    resumption = nil
    guard let take else { return }
    self.take = nil
    news.begin(nil)
    let seconds = Double(take.file.frameCount) / sampleRate
    do throws(AudioFileError) {
      try take.file.finish()
      let length = seconds.text(decimals: 3)
      let silences = [
        (take.lostFrames, "the disk stood still for longer than the buffer lasts"),
        (take.skippedFrames, "the server skipped them"),
      ].filter { $0.0 > 0 }.map { ", of which \($0.0) frames are silence: \($0.1)" }
      let lost = take.lostMessages > 0 ? ["; \(take.lostMessages) MIDI messages are missing"] : []
      news.add(
        (silences + lost).isEmpty ? .done : .failed,
        "\(take.name) has \(length) s" + (silences + lost).joined()
          + (take.marks.isEmpty ? "" : "; \(take.marks.url.lastPathComponent) says where"))
    } catch { news.add(.failed, "\(error)") }
  }

  private func fail(_ error: AudioFileError) {
    fail("\(error); the recording up to then is kept")
  }

  /// Ends the take without completing its file, and notifies the render side.
  private func fail(_ text: String) {
    take = nil
    line.failedTake = begun
    news.begin(nil)
    news.count { $0.failedTakes += 1 }
    news.add(.failed, text)
  }
}
