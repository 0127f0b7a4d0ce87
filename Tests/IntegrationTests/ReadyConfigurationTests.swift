// Every shipped configuration builds, and sounds as its comments promise.

import BuiltInUnits
import Foundation
import MediaFiles
import SessionModel
import SessionTestSupport
import TestSupport
import Testing
import Tools

@Suite struct ReadyConfigurationTests {
  /// Bounces a configuration with a low and a high note, and noise at the inputs.
  func bounce(
    _ name: String, controllers: [UInt8] = [], semitones: UInt8 = 0
  ) async throws -> [[Float]] {
    let temporary = try TemporaryDirectory()
    let midi = temporary.url.appendingPathComponent("notes.mid")
    var file = MIDIFileMaker.frameExact(sampleRate: 48000)
    for number in controllers { file.add([0xB0, number, 127], at: 0) }
    file.addNote(40 + semitones, at: 0, length: 6000)
    file.addNote(72 + semitones, at: 12000, length: 6000)
    try Data(file.bytes()).write(to: midi)
    let input = temporary.url.appendingPathComponent("noise.wav")
    let writer = try AudioFileWriter(url: input, sampleRate: 48000, channelCount: 1)
    try writer.write([Signal.noise(frames: 24000, seed: 1)])
    try writer.finish()
    let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(contentsOf: ReadyConfigurations.file(name, in: temporary))
    let output = temporary.url.appendingPathComponent("out.wav")
    _ = try Bounce(plan, BounceOptions(midi: midi, output: output, input: input, tailSeconds: 0.5))
      .run()
    let reader = try AudioFileReader(contentsOf: output)
    return try reader.read(maximumFrames: reader.frameCount)
  }

  @Test func allThatAreShippedAreTested() throws {
    let shipped = try FileManager.default.contentsOfDirectory(
      atPath: ReadyConfigurations.folder.path)
    #expect(shipped.sorted() == ReadyConfigurations.names)
  }

  @Test(arguments: ReadyConfigurations.names) func makesSoundOnEveryOutput(_ name: String)
    async throws
  {
    for channel in try await bounce(name) {
      #expect((channel.map(abs).max() ?? 0) > 1e-3)
    }
  }

  @Test func theKnobsOfTheFilterAreHeard() async throws {
    // The energy, which a low-pass takes from noise.
    let loudness = { (samples: [Float]) in samples.reduce(0) { $0 + $1 * $1 } }
    let plain = loudness(try await bounce("filter.toml")[0])
    #expect(loudness(try await bounce("filter.toml", controllers: [74])[0]) > 3 * plain)
    #expect(loudness(try await bounce("filter.toml", controllers: [71])[0]) > 1.5 * plain)
  }

  @Test func theWheelTunesTheCombsRing() async throws {
    // The correlation with the sound `distance` frames ago: 178 frames are 3.7 ms, 480 are 10 ms.
    func likeness(_ samples: [Float], _ distance: Int) -> Float {
      let pairs = zip(samples.dropFirst(distance), samples)
      return pairs.reduce(0) { $0 + $1.0 * $1.1 } / samples.reduce(0) { $0 + $1 * $1 }
    }
    let plain = try await bounce("comb.toml")[0]
    #expect(likeness(plain, 178) > 0.5)
    #expect(likeness(plain, 480) < 0.2)
    let tuned = try await bounce("comb.toml", controllers: [1])[0]
    #expect(likeness(tuned, 178) < 0.2)
    #expect(likeness(tuned, 480) > 0.5)
  }

  @Test func theFadersOfTheDeskAreThoseOfTheBandAndOfTheMicrophone() async throws {
    let energy = { (samples: [Float]) in samples.reduce(0) { $0 + $1 * $1 } }
    let plain = try await bounce("mixer.toml").map(energy)
    let band = try await bounce("mixer.toml", controllers: [20]).map(energy)
    let voice = try await bounce("mixer.toml", controllers: [21]).map(energy)
    // The microphone, noise here, is louder than the band, and its fader is at its maximum.
    for side in 0..<2 {
      #expect(band[side] > 1.001 * plain[side])
      #expect(abs(voice[side] / plain[side] - 1) < 1e-4)
    }
  }

  @Test func theWheelCarriesThePianoOfTheSceneToTheRight() async throws {
    let energy = { (samples: [Float]) in samples.reduce(0) { $0 + $1 * $1 } }
    let plain = try await bounce("scene.toml")
    let moved = try await bounce("scene.toml", controllers: [1])
    // Farther right it is quieter on the left; the other sources stay.
    #expect(energy(moved[0]) < energy(plain[0]))
    #expect(try await bounce("scene.toml", controllers: [20]) != plain)
  }

  @Test func theWheelOfTheTapeTakesItAnOctaveDown() async throws {
    // The number of rises through zero, a measure of the pitch.
    func crossings(_ samples: [Float]) -> Int {
      let part = samples[4_000..<6_000]
      return zip(part.dropFirst(), part).count { $0.0 > 0 && $0.1 <= 0 }
    }
    let plain = crossings(try await bounce("tape.toml")[0])
    let slow = crossings(try await bounce("tape.toml", controllers: [1])[0])
    #expect(Double(slow) < 0.75 * Double(plain) && slow > 0)
  }

  @Test func theWheelOfTheStretchTakesThePitchUpAndNotTheTime() async throws {
    func crossings(_ samples: [Float]) -> Int {
      let part = samples[12_500..<14_500]
      return zip(part.dropFirst(), part).count { $0.0 > 0 && $0.1 <= 0 }
    }
    let plain = try await bounce("stretch.toml")[0]
    let high = try await bounce("stretch.toml", controllers: [1])[0]
    #expect(Double(crossings(high)) > 1.5 * Double(crossings(plain)))
    let starts = try [plain, high].map { try #require(onset(of: $0, above: 0.02)) }
    #expect(abs(starts[0] - starts[1]) < 1_000)
  }

  @Test func theKnobOfTheDistortionDrivesItToItsLimits() async throws {
    // Most of the noise is at the limits already.
    let energy = { (samples: [Float]) in samples.reduce(0) { $0 + $1 * $1 } }
    let plain = energy(try await bounce("distortion.toml")[0])
    #expect(energy(try await bounce("distortion.toml", controllers: [74])[0]) > 1.02 * plain)
  }

  @Test func theKnobOfTheEqualizerBringsItsTrebleUp() async throws {
    // Treble weighs most in the steps from frame to frame.
    let steps = { (samples: [Float]) in
      zip(samples.dropFirst(), samples).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let plain = steps(try await bounce("eq.toml")[0])
    #expect(steps(try await bounce("eq.toml", controllers: [74])[0]) > 2 * plain)
  }

  @Test func theKnobOfTheLimiterMakesItLouderAndNoHigherThanItsCeiling() async throws {
    let energy = { (samples: [Float]) in samples.reduce(0) { $0 + $1 * $1 } }
    let plain = try await bounce("ducking.toml")
    let loud = try await bounce("ducking.toml", controllers: [71])
    #expect(energy(loud[0]) > 1.2 * energy(plain[0]))
    for channel in plain + loud { #expect(channel.map(abs).max()! <= pow(10, -1 / 20)) }
  }

  @Test func theKnobOfTheDuckingHasTheMusicGiveWayToTheVoice() async throws {
    // The same noise is the music and the voice.
    let energy = { (samples: [Float]) in samples.reduce(0) { $0 + $1 * $1 } }
    let plain = energy(try await bounce("ducking.toml")[0])
    #expect(energy(try await bounce("ducking.toml", controllers: [74])[0]) < 0.99 * plain)
  }

  @Test func theKnobsOfTheSpaceBringTheHallAndTheEnsemble() async throws {
    // The noise ends after half a second.
    let energy = { (samples: [Float]) in samples[26_000...].reduce(0) { $0 + $1 * $1 } }
    let plain = try await bounce("space.toml")
    let hall = try await bounce("space.toml", controllers: [91])
    #expect(energy(hall[0]) > 2 * energy(plain[0]))
    #expect(try await bounce("space.toml", controllers: [93]) != plain)
  }

  @Test func layersSplitTheKeyboardAtMiddleC() async throws {
    let channels = try await bounce("layers.toml")
    let peak = { (samples: ArraySlice<Float>) in samples.map(abs).max() ?? 0 }
    // The bass (outputs 1 and 2) plays only the first note, the piano (3 and 4) the second.
    #expect(peak(channels[2][..<12000]) == 0)
    #expect(peak(channels[0][..<12000]) > 1e-3)
    #expect(peak(channels[2][12000...]) > 1e-3)
  }

  @Test func theKeyboardsSwitchTakesItsOctaveOutOfTheBypass() async throws {
    let plain = try await bounce("keyboard.toml")
    let higher = try await bounce("keyboard.toml", semitones: 12)
    #expect(plain != higher)
    #expect(try await bounce("keyboard.toml", controllers: [80], semitones: 12) == plain)
  }

  @Test func theLiveSetChangesItsSoundWithAProgramChange() async throws {
    let temporary = try TemporaryDirectory()
    var outputs: [[Float]] = []
    for program: UInt8 in [0, 1, 2, 7] {
      var file = MIDIFileMaker.frameExact(sampleRate: 48000)
      file.add([0xC0, program], at: 0)
      file.addNote(60, at: 480, length: 12000)
      let midi = temporary.file("notes.mid")
      try Data(file.bytes()).write(to: midi)
      let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
        .build(contentsOf: ReadyConfigurations.folder.appendingPathComponent("liveset.toml"))
      let output = temporary.file("out.wav")
      _ = try Bounce(
        plan, BounceOptions(midi: midi, output: output, tailSeconds: 0, overwrites: true)
      ).run()
      let reader = try AudioFileReader(contentsOf: output)
      outputs.append(try reader.read(maximumFrames: reader.frameCount)[0])
    }
    #expect(outputs[0] != outputs[1] && outputs[1] != outputs[2] && outputs[0] != outputs[2])
    // A number without an entry leaves the first one.
    #expect(outputs[3] == outputs[0])
  }

  @Test func generalMIDISoundsWithReverbAndChorusByController() async throws {
    let plain = try await bounce("general-midi.toml")
    for controller: UInt8 in [91, 93] {
      let sent = try await bounce("general-midi.toml", controllers: [controller])
      let difference = zip(plain[0], sent[0]).map { abs($0 - $1) }.max()!
      #expect(difference > 1e-3, "controller \(controller)")
    }
  }
}
