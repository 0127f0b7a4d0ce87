// auricle convert: from one audio file to another.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite struct ConvertTests {
  private let rig: BounceRig

  init() throws { rig = try BounceRig() }

  private func convert(
    _ arguments: String...
  ) async throws -> (status: ChildProcess.ExitStatus, child: ChildProcess) {
    let child = try ChildProcess(
      builtProduct("auricle"), ["convert"] + arguments, workingDirectory: rig.folder.url)
    return (try await child.wait(), child)
  }

  @Test func anotherKindOfFileHasTheSameSamples() async throws {
    try rig.noise()
    for (name, format) in [("a.flac", "24"), ("b.caf", "float"), ("c.aiff", "16")] {
      let (status, child) = try await convert("in.wav", name, "--format", format)
      #expect(status == .exited(0), "\(child.transcript)")
      #expect(
        child.standardOutput.hasPrefix("wrote \(name): 00:00, 2 channels, 48000 Hz, "))
      let step = format == "16" ? 1 / 32_768.0 : 1 / 8_388_608.0
      for (old, new) in zip(try rig.read("in.wav"), try rig.read(name)) {
        #expect(old.count == new.count)
        #expect(zip(old, new).allSatisfy { abs(Double($0 - $1)) <= step })
      }
    }
  }

  @Test func anotherRateHasTheSameSound() async throws {
    let writer = try AudioFileWriter(
      url: rig.folder.file("in.wav"), sampleRate: 44_100, channelCount: 1)
    let sine = { (rate: Double, frames: Int) in
      Signal.sine(frames: frames, frequencyHertz: 997, sampleRate: rate, amplitude: 0.5)
    }
    try writer.write([sine(44_100, 88_200)])
    try writer.finish()
    #expect(
      try await convert("in.wav", "out.wav", "--sample-rate", "96000").status == .exited(0))
    let reader = try AudioFileReader(contentsOf: rig.folder.file("out.wav"))
    #expect(reader.sampleRate == 96_000)
    let samples = try reader.read()[0]
    #expect(samples.count == 192_000)
    // Beside the beginning and the end, which the filter rounds.
    let expected = sine(96_000, 192_000)
    #expect(
      peakDecibels(difference: Array(samples[5000..<187_000]), Array(expected[5000..<187_000]))
        < -100)
  }

  @Test func channelsAreMixedAsInAMixer() async throws {
    try rig.noise("stereo.wav", frames: 5000)
    #expect(try await convert("stereo.wav", "mono.wav", "--channels", "1").status == .exited(0))
    let stereo = try rig.read("stereo.wav")
    let mono = try rig.read("mono.wav")
    #expect(mono.count == 1)
    for frame in 0..<5000 {
      let expected = (Double(stereo[0][frame]) + Double(stereo[1][frame])) * 0.5.squareRoot()
      #expect(abs(Double(mono[0][frame]) - expected) < 1e-6)
    }
  }

  @Test func whatCannotBeIsToldAndLeavesFormerFiles() async throws {
    try rig.noise("in.wav", frames: 5000, channels: 3)
    try rig.noise("old.wav", frames: 100)
    let old = try Data(contentsOf: rig.folder.file("old.wav"))
    for (arguments, status, text) in [
      (["in.wav", "in.wav"], 1, "in.wav is the file that is read; give the output another name"),
      (["none.wav", "old.wav"], 1, "none.wav"),
      (["in.wav", "old.wav", "--channels", "2"], 1, "there is no matrix from 3 channels to 2"),
      (["in.wav", "old.xyz"], 2, "old.xyz"),
      (["in.wav", "old.wav", "--sample-rate", "1"], 2, "8000 to 384000"),
      (["in.wav", "old.wav", "--channels", "9"], 2, "--channels takes 1 to 8"),
    ] as [([String], Int32, String)] {
      let child = try ChildProcess(
        builtProduct("auricle"), ["convert"] + arguments, workingDirectory: rig.folder.url)
      #expect(try await child.wait() == .exited(status), "\(arguments)")
      #expect(child.standardError.contains(text), "\(child.standardError)")
    }
    #expect(try Data(contentsOf: rig.folder.file("old.wav")) == old)
    #expect(try rig.names == ["in.wav", "old.wav", "session.toml"])
  }

  @Test func aFileThatDoesNotSayItsLengthKeepsItsRate() async throws {
    try BounceTests.claim(0, in: try rig.noise("in.flac"))
    #expect(try await convert("in.flac", "out.wav").status == .exited(0))
    #expect(try rig.read("out.wav")[0].count == 20_000)
    let (status, child) = try await convert("in.flac", "other.wav", "--sample-rate", "44100")
    #expect(status == .exited(1))
    #expect(child.standardError.contains("does not say how long it is"))
  }
}
