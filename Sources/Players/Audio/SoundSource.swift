// Sources of a player's sounds.

import FoundationEssentials
import Glibc
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

  /// Size of samples above which they are streamed, in bytes, at their own rate or after
  /// conversion: 43 s of stereo at 48 kHz.
  static let largestInMemory = 16 << 20

  /// - Parameter streams: nil to decide by the size.
  func source(streams: Bool?) throws(PlaybackError) -> SoundSource {
    let reader = try open()
    let bytes = length(reader) * reader.channelCount * MemoryLayout<Float>.size
    // A pipe cannot be read again.
    if reader.isRegular, streams ?? (bytes > Self.largestInMemory), (reader.frameCount ?? 0) > 0 {
      guard length(reader) > 0 else { throw .segment(name: name, startingFrame: startingFrame) }
      return .file(self, channelCount: reader.channelCount, sampleRate: reader.sampleRate)
    }
    let limit = streams == nil ? Self.largestInMemory : AudioClip.maximumBytes
    return .clip(try clip(reader), name: name, mostBytes: limit)
  }

  var name: String { url.relativePath }

  /// Frame count by the file's header; 0 if unknown.
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
  fileprivate func stream(
    atRate rate: Double, loops: Bool
  ) throws(AudioClipError) -> SoundStream {
    let reader: AudioFileReader
    do throws(AudioFileError) { reader = try AudioFileReader(contentsOf: url) } catch {
      throw .audio(error)
    }
    return try SoundStream(
      ConvertedReader(
        reader, name: name, from: startingFrame, frames: frames, sampleRate: rate, loops: loops),
      name: name)
  }
}

/// A sound at its own sample rate.
enum SoundSource: Sendable {
  /// Streamed from its memory if its conversion takes more than `mostBytes`.
  case clip(AudioClip, name: String, mostBytes: Int = AudioClip.maximumBytes)
  case file(SoundFile, channelCount: Int, sampleRate: Double)

  var name: String {
    switch self {
    case .clip(_, let name, _): name
    case .file(let file, _, _): file.name
    }
  }

  var clip: AudioClip? {
    if case .clip(let clip, _, _) = self { clip } else { nil }
  }

  var channelCount: Int {
    switch self {
    case .clip(let clip, _, _): clip.channelCount
    case .file(_, let count, _): count
    }
  }

  /// Whether it may be a piece of a longer sound: a clip of at most 32,768 frames and of another
  /// sample rate, at least an eighth of `rate`.
  func maySitInARow(atRate rate: Double) -> Bool {
    guard case .clip(let clip, _, _) = self else { return false }
    return clip.sampleRate != rate && clip.frameCount <= 1 << 15 && rate <= 8 * clip.sampleRate
  }

  /// - Parameter rate: in hertz.
  func sound(atRate rate: Double, for use: SoundUse) throws(AudioClipError) -> PlayableSound {
    // At its own rate, passes follow each other without conversion.
    if use == .once || sampleRate == rate { return PlayableSound(try once(atRate: rate)) }
    let loop = try loop(atRate: rate)
    return use == .loops
      ? PlayableSound(loop) : PlayableSound(try once(atRate: rate), loop: loop)
  }

  private func once(atRate rate: Double) throws(AudioClipError) -> ConvertedSound {
    switch self {
    case .clip(let clip, let name, let most):
      if clip.sampleRate != rate, let bytes = clip.bytes(at: rate), bytes > most {
        return try stream(clip, name, atRate: rate, loops: false)
      }
      return .clip(try clip.converted(to: rate, name: name))
    case .file(let file, _, _): return .stream(try file.stream(atRate: rate, loops: false))
    }
  }

  private func stream(
    _ clip: AudioClip, _ name: String, atRate rate: Double, loops: Bool
  ) throws(AudioClipError) -> ConvertedSound {
    let reader = try ConvertedReader(clip, name: name, sampleRate: rate, loops: loops)
    return .stream(try SoundStream(reader, name: name))
  }

  private func loop(atRate rate: Double) throws(AudioClipError) -> ConvertedSound {
    switch self {
    case .file(let file, _, _): return .stream(try file.stream(atRate: rate, loops: true))
    case .clip(let clip, let name, let most):
      if let loop = try LoopedClip(clip, at: rate, name: name, maximumBytes: most) {
        return .clip(loop.clip, passCount: loop.passCount)
      }
      // If a pass is shorter than a frame, only a constant is left.
      if Double(clip.frameCount) * rate < clip.sampleRate { return try once(atRate: rate) }
      return try stream(clip, name, atRate: rate, loops: true)
    }
  }

  /// Sample rate, in hertz.
  private var sampleRate: Double {
    switch self {
    case .clip(let clip, _, _): clip.sampleRate
    case .file(_, _, let rate): rate
    }
  }
}
