// Random music for an ensemble: chords, drums, pedals, programs, bends and modes.

import TestSupport

extension SoundFontMaker {
  /// Bank 0: 0 a sine with a release, 1 looped noise, 2 two voices a note. Bank 128: 0 a kit. Its
  /// keys 42, 44 and 46 are of one exclusive class, 49 and 57 of another.
  static var ensemble: SoundFontMaker {
    let hats = [42, 44, 46].map { key in
      Zone(
        sample: .noise(seed: UInt64(key), isLooped: true), keys: UInt8(key)...UInt8(key),
        releaseSeconds: 0.3, exclusiveClass: 1)
    }
    let cymbals = [49, 57].map { key in
      Zone(
        sample: .noise(seed: UInt64(key), frames: 20_000), keys: UInt8(key)...UInt8(key),
        releaseSeconds: 1, exclusiveClass: 2)
    }
    let drums = Zone(sample: .noise(seed: 3), keys: 35...41, releaseSeconds: 0.2)
    return SoundFontMaker(
      name: "Ensemble",
      presets: [
        Preset(
          program: 0, name: "Sine",
          zones: [Zone(sample: .sine(), attackSeconds: 0.01, releaseSeconds: 0.4)]),
        Preset(
          program: 1, name: "Noise",
          zones: [Zone(sample: .noise(seed: 1, isLooped: true), releaseSeconds: 0.1)]),
        Preset(
          program: 2, name: "Two",
          zones: [
            Zone(sample: .sine(periodFrames: 50), releaseSeconds: 0.5, panPercent: -30),
            Zone(sample: .sine(periodFrames: 200), releaseSeconds: 0.5, panPercent: 30),
          ]),
        Preset(bank: 128, program: 0, name: "Kit", zones: hats + cymbals + [drums]),
      ])
  }
}

/// - Parameter grid: the frames of all messages are multiples of it.
func randomPiece(
  seed: UInt64, frames: Int, grid: Int, chords: Int = 60, hasModes: Bool = false
) -> [(Int, [UInt8])] {
  var random = SeededRandom(seed: seed)
  var midi: [(Int, [UInt8])] = []
  func frame(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) / grid * grid }
  for _ in 0..<chords {
    let (start, channel) = (frame(0..<frames * 3 / 4), UInt8.random(in: 0...3, using: &random))
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let key = UInt8.random(in: 48...72, using: &random)
      midi.append((start, [0x90 | channel, key, UInt8.random(in: 1...127, using: &random)]))
      midi.append((start + frame(grid..<frames / 4), [0x80 | channel, key, 0]))
    }
    let drum = [35, 36, 38, 42, 44, 46, 49, 57].randomElement(using: &random)!
    let hit = frame(0..<frames * 3 / 4)
    midi.append((hit, [0x99, UInt8(drum), 100]))
    midi.append((hit + frame(grid..<frames / 8), [0x89, UInt8(drum), 0]))
    let value = UInt8.random(in: 0...127, using: &random)
    let time = frame(0..<frames)
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      // A single FluidSynth omits notes if a glide crosses a change of program.
      let program = UInt8.random(in: 0...2, using: &random)
      midi.append((hasModes ? 0 : time, [0xC0 | channel, program]))
    case 1: midi.append((time, [0xE0 | channel, 0, value]))
    case 2: midi.append((time, [0xD0 | channel, value]))
    case 3: midi.append((time, [0xB0 | channel, 66, value]))
    case 4: midi.append((time, [0xB0 | channel, 67, value]))
    case 5:
      midi.append((time, [0xB0 | channel, [7, 10, 11, 1].randomElement(using: &random)!, value]))
    case 6 where hasModes:
      midi.append(
        (
          time,
          [0xB0 | channel, [5, 65, 68, 84, 126, 127, 121].randomElement(using: &random)!, value]
        ))
    default: midi.append((time, [0xB0 | channel, 64, value]))
    }
  }
  return midi.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
    .map(\.element)
}

/// Removes or ends keys that a single FluidSynth plays differently in mono and legato mode. It
/// keeps a key once a press, ten keys at most, and keys ended by a mode message.
func withDistinctKeys(_ piece: [(Int, [UInt8])]) -> [(Int, [UInt8])] {
  var held = [[UInt8]](repeating: [], count: 16)
  return piece.flatMap { time, message -> [(Int, [UInt8])] in
    let channel = Int(message[0] & 15)
    let key = message[1]
    switch message[0] & 0xF0 {
    case 0x80:
      held[channel].removeAll { $0 == key }
    case 0x90:
      if held[channel].contains(key) || held[channel].count == 9 { return [] }
      held[channel].append(key)
    case 0xB0 where [121, 126, 127].contains(key):
      let ends = held[channel].map { (time, [0x80 | message[0] & 15, $0, 0] as [UInt8]) }
      held[channel] = []
      return ends + [(time, [message[0], key, key == 126 ? 1 : message[2]])]
    default: break
    }
    return [(time, message)]
  }
}
