// From captured frames to files.

import Files
import Foundation
import MediaFiles
import UnitModel

/// Writes takes to files, a new one for each: `take.wav`, `take-2.wav` and so on.
///
/// Used by one thread at a time.
final class Takes {
  private var reader: CaptureReader
  private let url: URL
  private let format: AudioFileFormat
  private let sampleRate: Double
  private let news: TakeNews
  private var take: Take?
  private var line: CaptureLine { reader.line }

  private struct Take {
    let writer: AudioFileWriter
    let name: String
    var lostFrames = 0
  }

  init(
    _ line: CaptureLine, url: URL, format: AudioFileFormat, sampleRate: Double, news: TakeNews
  ) {
    reader = CaptureReader(line)
    self.news = news
    self.url = url
    self.format = format
    self.sampleRate = sampleRate
  }

  deinit { line.deallocate() }

  /// Writes all that has been captured.
  func drain() {
    reader.look()
    while let item = reader.next() {
      switch item {
      case .frames(let count): write(count)
      case .mark(let mark): apply(mark)
      }
    }
  }

  /// Ends what is being written.
  func close() {
    drain()
    finish()
  }

  private func write(_ count: Int) {
    do throws(AudioFileError) {
      _ = try line.take(count) { (channels, count) throws(AudioFileError) in
        try take?.writer.write(channels, frameCount: count)
      }
    } catch { fail(error) }
  }

  private func apply(_ mark: CaptureMark) {
    switch mark.kind {
    case CaptureMark.begin: begin()
    case CaptureMark.end: finish()
    default: fill(Int(mark.value))
    }
  }

  private func begin() {
    finish()
    do throws(AudioFileError) {
      take = try makeTake()
      if let take { news.add(.done, "records \(take.name)") }
    } catch { news.add(.failed, "\(error)") }
  }

  private func makeTake() throws(AudioFileError) -> Take {
    var number = 1
    while true {
      let url = number == 1 ? url : numbered(number)
      do throws(AudioFileError) {
        let writer = try AudioFileWriter(
          recordingTo: url, format: format, sampleRate: sampleRate, channelCount: line.channelCount)
        return Take(writer: writer, name: url.relativePath)
      } catch {
        guard case .exists = error, number < 9999 else { throw error }
        number += 1
      }
    }
  }

  private func numbered(_ number: Int) -> URL {
    let ending = url.pathExtension
    let name = url.deletingPathExtension().lastPathComponent
    return URL(
      fileURLWithPath: "\(name)-\(number)" + (ending.isEmpty ? "" : ".\(ending)"),
      relativeTo: url.deletingLastPathComponent())
  }

  /// Writes silence for what was lost, so that what follows is in time.
  private func fill(_ frames: Int) {
    guard take != nil else { return }
    take?.lostFrames += frames
    let silence = [[Float]](
      repeating: [Float](repeating: 0, count: min(frames, 4096)), count: line.channelCount)
    var rest = frames
    do throws(AudioFileError) {
      while rest > 0 {
        let count = min(rest, 4096)
        try take?.writer.write(silence.map { Array($0.prefix(count)) })
        rest -= count
      }
    } catch { fail(error) }
  }

  private func finish() {
    guard let take else { return }
    self.take = nil
    let seconds = Double(take.writer.frameCount) / sampleRate
    do throws(AudioFileError) {
      try take.writer.finish()
      let length = String(format: "%.3f", seconds)
      if take.lostFrames == 0 {
        news.add(.done, "\(take.name) has \(length) s")
      } else {
        news.add(
          .failed,
          "\(take.name) has \(length) s, of which \(take.lostFrames) frames are silence: the disk"
            + " stood still for longer than the buffer lasts")
      }
    } catch { news.add(.failed, "\(error)") }
  }

  private func fail(_ error: AudioFileError) {
    take = nil
    news.add(.failed, "\(error); what was recorded before is there")
  }
}
