// Live and bounced audio are bit-identical.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct ExactnessTests {
  @Test(arguments: [(48_000, 16), (48_000, 64), (44_100, 256), (96_000, 256), (48_000, 1024)])
  func liveAndBouncedAudioAreIdentical(sampleRate: Int, period: Int) async throws {
    let frames = 30_011
    let input = (1...2).map { Signal.noise(frames: frames, seed: UInt64($0), amplitude: 0.5) }
    let live = try await play(input, sampleRate: sampleRate, period: period)
    let bounced = try await bounce(input, sampleRate: sampleRate, period: 512)
    #expect(bounced.count == 2 && live.count == 2)
    #expect(peakDecibels(live[0]) > -20, "there is something to compare")
    for channel in 0..<2 {
      #expect(firstDifference(live[channel], bounced[channel]) == nil)
      #expect(firstDifference(live[channel], input[channel]) != nil)
    }
  }

  private func play(
    _ input: [[Float]], sampleRate: Int, period: Int
  ) async throws -> [[Float]] {
    let server = try await JackServer.start(sampleRate: sampleRate, period: period)
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    let player = try JackTestClient(server, "player", audioOutputs: 2)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    for channel in 1...2 {
      try await player.connect(
        "player:audio_out_\(channel)", to: "filter:lowpass_in_\(channel)")
      try await recorder.connect(
        "filter:lowpass_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    player.script.audio = input
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: input[0].count)
    try await player.setFreewheel(false)
    #expect(takes.allSatisfy { $0.isComplete && $0.startsInCycle == 0 })
    try await auricle.expectEnd()
    return takes[1].audio
  }

  private func bounce(
    _ input: [[Float]], sampleRate: Int, period: Int
  ) async throws -> [[Float]] {
    let directory = try TemporaryDirectory()
    let configuration = try directory.write(Configurations.filter(), to: "session.toml")
    let midi = try directory.write(MIDIFileMaker().bytes(), to: "empty.mid")
    let writer = try AudioFileWriter(
      url: directory.file("input.wav"), sampleRate: Double(sampleRate), channelCount: 2)
    try writer.write(input)
    try writer.finish()
    let (status, child) = try await auricle([
      "bounce", configuration.path, "--midi", midi.path, "--input",
      directory.file("input.wav").path, "--output", directory.file("output.wav").path,
      "--sample-rate", "\(sampleRate)", "--period", "\(period)", "--tail", "0",
    ])
    #expect(status == .exited(0), "\(child.transcript)")
    let reader = try AudioFileReader(contentsOf: directory.file("output.wav"))
    #expect(reader.frameCount == input[0].count && reader.sampleRate == Double(sampleRate))
    return try reader.read(maximumFrames: reader.frameCount)
  }
}
