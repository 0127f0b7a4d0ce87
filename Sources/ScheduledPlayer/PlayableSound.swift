// A sound at the session's sample rate.

import MediaFiles

/// How a sound is played.
enum SoundUse: Sendable {
  case once
  case loops
  /// As a parameter says that is set at any time.
  case either
}

/// A sound at the session's sample rate.
enum ConvertedSound: Sendable {
  case clip(AudioClip, passCount: Int = 1)
  case stream(SoundStream)

  /// As the render thread has it, as long as this is there.
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

/// What is to be played, at the session's sample rate.
struct PlayableSound: Sendable {
  private let single: ConvertedSound
  private let loop: ConvertedSound?

  /// - Parameters:
  ///   - single: what is played in a single pass.
  ///   - loop: what is played over and over; nil for the same.
  init(_ single: ConvertedSound, loop: ConvertedSound? = nil) {
    (self.single, self.loop) = (single, loop)
  }

  /// What is played in a single pass, as the render thread has it; as long as this is there.
  var once: PlayedSound { single.played }

  /// Likewise what is played over and over.
  var looped: PlayedSound { (loop ?? single).played }

  var streams: [SoundStream] { [single.stream, loop?.stream].compactMap(\.self) }

  var clips: [AudioClip] { [single.clip, loop?.clip].compactMap(\.self) }
}
