// One file that is played, and one that is recorded.

import AudioEngine
import Foundation
import MediaFiles
import Players
import TestSupport
import Testing

@Suite struct AudioFileTests {
  private let directory: TemporaryDirectory
  private let sound = [Signal.noise(frames: 9000, seed: 5), Signal.noise(frames: 9000, seed: 6)]

  init() throws { directory = try TemporaryDirectory() }

  private func file(_ name: String, channels: Int) throws -> URL {
    let url = directory.file(name)
    let writer = try AudioFileWriter(
      url: url, format: AudioFileFormat(fileName: name, encoding: .float), sampleRate: 48_000,
      channelCount: channels)
    try writer.write((0..<channels).map { sound[$0 % 2] })
    try writer.finish()
    return url
  }

  private func player(_ channels: Int) async throws -> AudioPlayer {
    let player = try await AudioPlayer(
      contentsOf: file("sound.wav", channels: channels), .offline(sampleRate: 48_000))
    try player.unit.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    return player
  }

  @Test(arguments: [1, 2, 5]) func aFileIsPlayedUnchanged(channels: Int) async throws {
    let player = try await player(channels)
    try await player.play()
    let output = try player.engine.render(9000)
    #expect(output == (0..<max(2, channels)).map { sound[channels == 1 ? 0 : $0 % 2] })
    #expect(try player.engine.render(1000).allSatisfy { $0.allSatisfy { $0 == 0 } })
    await player.stop()
  }

  /// A pause keeps the frame, a stop does not.
  @Test func playingContinuesAndBeginsAnew() async throws {
    let player = try await player(2)
    try await player.play()
    #expect(try player.engine.render(1000) == sound.map { Array($0[..<1000]) })
    try player.pause()
    _ = try player.engine.render(1000)
    try await player.play()
    let rest = try player.engine.render(4000)
    let start = try #require(sound[0].firstIndex { $0 == rest[0][2000] })
    #expect((3000...4000).contains(start))
    await player.stop()
    #expect(!player.unit.isPlaying && !player.engine.isRunning)
    try await player.play()
    #expect(try player.engine.render(1000) == sound.map { Array($0[..<1000]) })
    await player.stop()
  }

  @Test func theInputIsRecorded() async throws {
    let take = directory.file("take.wav")
    let recorder = try await AudioRecorder(
      to: take, encoding: .float, .offline(sampleRate: 48_000))
    for (number, name) in ["take.wav", "take-2.wav"].enumerated() {
      try await recorder.record()
      _ = try recorder.engine.render(9000, input: sound)
      await recorder.stop()
      #expect(recorder.unit.file == nil && !recorder.engine.isRunning, "\(number)")
      let recorded = try AudioFileReader(contentsOf: directory.file(name)).read()
      #expect(recorded == sound, "\(name)")
    }
  }

  @Test func wrongFilesAreRefused() async throws {
    await #expect(throws: PlaybackError.self) {
      try await AudioPlayer(contentsOf: directory.file("none.wav"))
    }
    await #expect(throws: AudioFileError.self) {
      try await AudioRecorder(to: directory.file("take.xyz"))
    }
    await #expect(throws: EngineError.self) {
      try await AudioRecorder(to: directory.file("take.wav"), channels: 9)
    }
  }
}
