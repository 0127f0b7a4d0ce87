// Sounds at the session's sample rate.

import MediaFiles

/// Mode of playing a sound.
enum SoundUse: Sendable {
  case once
  case loops
  /// Once or looped by the `loop` parameter, which can change at any time.
  case either
}

/// A sound at the session's sample rate.
enum ConvertedSound: Sendable {
  case clip(AudioClip, passCount: Int = 1)
  case stream(SoundStream)

  /// The sound for the render thread, valid while this value exists.
  fileprivate var played: PlayedSound {
    switch self {
    case .clip(let clip, let passCount): PlayedSound(clip, passCount: passCount)
    case .stream(let stream): PlayedSound(stream.played)
    }
  }

  fileprivate var stream: SoundStream? {
    if case .stream(let stream) = self { stream } else { nil }
  }

  fileprivate var clip: AudioClip? {
    if case .clip(let clip, _) = self { clip } else { nil }
  }
}

/// Converted sounds for single passes and for loops, at the session's sample rate.
struct PlayableSound: Sendable {
  private let single: ConvertedSound
  private let loop: ConvertedSound?

  /// - Parameters:
  ///   - single: the sound for a single pass.
  ///   - loop: the sound for loops; nil to use `single`.
  init(_ single: ConvertedSound, loop: ConvertedSound? = nil) {
    (self.single, self.loop) = (single, loop)
  }

  /// The sound of a single pass for the render thread, valid while this value exists.
  var once: PlayedSound { single.played }

  /// The sound of a loop for the render thread, valid while this value exists.
  var looped: PlayedSound { (loop ?? single).played }

  var streams: [SoundStream] { [single.stream, loop?.stream].compactMap(\.self) }

  var clips: [AudioClip] { [single.clip, loop?.clip].compactMap(\.self) }
}
