// What is given to a player.

import Foundation
import MediaFiles

/// A part of a file.
struct SoundFile: Sendable {
  let url: URL
  let startingFrame: Int
  let frames: Int?

  init(_ url: URL, from startingFrame: Int = 0, frames: Int? = nil) {
    self.url = url
    self.startingFrame = startingFrame
    self.frames = frames
  }

  /// From how many bytes on samples are not kept in memory all at once: 43 s of stereo at 48 kHz.
  static let largestInMemory = 16 << 20

  /// - Parameter streams: nil decides by the length.
  func source(streams: Bool?) throws(PlaybackError) -> SoundSource {
    let reader = try open()
    let bytes = length(reader) * reader.channelCount * MemoryLayout<Float>.size
    if streams ?? (bytes > Self.largestInMemory), (reader.frameCount ?? 0) > 0 {
      guard length(reader) > 0 else { throw .segment(name: name, startingFrame: startingFrame) }
      return .file(self, channelCount: reader.channelCount)
    }
    return .clip(try clip(reader), name: name)
  }

  var name: String { url.relativePath }

  /// Frames that it has, as its header says; 0 where it does not say.
  private func length(_ reader: AudioFileReader) -> Int {
    min(max(0, (reader.frameCount ?? 0) - startingFrame), frames ?? .max)
  }

  private func open() throws(PlaybackError) -> AudioFileReader {
    guard startingFrame >= 0 else { throw .segment(name: name, startingFrame: startingFrame) }
    do throws(AudioFileError) { return try AudioFileReader(contentsOf: url) } catch {
      throw .clip(.audio(error))
    }
  }

  private func clip(_ reader: AudioFileReader) throws(PlaybackError) -> AudioClip {
    if startingFrame > 0 {
      do throws(AudioFileError) { try reader.seek(toFrame: startingFrame) } catch {
        throw .clip(.audio(error))
      }
    }
    do throws(AudioClipError) {
      return try AudioClip(
        reader, name: name, frames: frames, maximumBytes: AudioClip.maximumBytes)
    } catch {
      if case .empty = error, startingFrame > 0 {
        throw .segment(name: name, startingFrame: startingFrame)
      }
      throw .clip(error)
    }
  }

  /// - Parameter rate: in hertz.
  fileprivate func stream(atRate rate: Double) throws(AudioClipError) -> SoundStream {
    let reader: AudioFileReader
    do throws(AudioFileError) { reader = try AudioFileReader(contentsOf: url) } catch {
      throw .audio(error)
    }
    return try SoundStream(
      ConvertedFileReader(
        reader, name: name, from: startingFrame, frames: frames, sampleRate: rate), name: name)
  }
}

/// What is to be played, at its own sample rate.
enum SoundSource: Sendable {
  case clip(AudioClip, name: String)
  case file(SoundFile, channelCount: Int)

  var name: String {
    switch self {
    case .clip(_, let name): name
    case .file(let file, _): file.name
    }
  }

  var channelCount: Int {
    switch self {
    case .clip(let clip, _): clip.channelCount
    case .file(_, let count): count
    }
  }

  /// Whether it may be one of many pieces of a longer sound: a short clip of another sample rate.
  func maySitInARow(atRate rate: Double) -> Bool {
    guard case .clip(let clip, _) = self else { return false }
    return clip.sampleRate != rate && clip.frameCount <= 1 << 15
  }

  /// - Parameter rate: in hertz.
  func sound(atRate rate: Double) throws(AudioClipError) -> PlayableSound {
    switch self {
    case .clip(let clip, let name): .clip(try clip.converted(to: rate, name: name))
    case .file(let file, _): .stream(try file.stream(atRate: rate))
    }
  }
}

/// What is to be played, at the session's sample rate.
enum PlayableSound: Sendable {
  case clip(AudioClip)
  case stream(SoundStream)

  /// As the render thread has it, as long as this is there.
  var played: PlayedSound {
    switch self {
    case .clip(let clip):
      PlayedSound(clip.samples, channelCount: clip.channelCount, frameCount: clip.frameCount)
    case .stream(let stream): PlayedSound(stream.played)
    }
  }

  var stream: SoundStream? {
    if case .stream(let stream) = self { stream } else { nil }
  }
}
