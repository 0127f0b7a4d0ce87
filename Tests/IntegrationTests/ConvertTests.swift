// `auricle convert`: one audio file to another.

import Foundation
import MediaFiles
import TestSupport
import Testing
import Tools

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
    // Without the beginning and the end, which the filter rounds.
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

  @Test func surroundAndMonoComeIntoStereo() async throws {
    try rig.noise("four.wav", frames: 5000, channels: 4)
    try rig.noise("one.wav", frames: 5000, channels: 1)
    let less = 0.5.squareRoot()
    for (name, matrix) in [
      ("four.wav", [[1, 0, less, 0], [0, 1, 0, less]]), ("one.wav", [[less], [less]]),
    ] {
      #expect(
        try await convert(name, "stereo.wav", "--channels", "2", "--overwrite").status
          == .exited(0))
      let input = try rig.read(name)
      let stereo = try rig.read("stereo.wav")
      #expect(stereo.count == 2)
      for (output, gains) in zip(stereo, matrix) {
        for frame in 0..<5000 {
          let expected = zip(gains, input).reduce(0) { $0 + $1.0 * Double($1.1[frame]) }
          #expect(abs(Double(output[frame]) - expected) < 1e-6)
        }
      }
    }
  }

  @Test func samplesBeyondFullScaleAreClippedAndReported() async throws {
    let writer = try AudioFileWriter(
      url: rig.folder.file("loud.wav"), sampleRate: 48_000, channelCount: 1)
    try writer.write([[0.5, 1.5, -2, 0.25]])
    try writer.finish()
    let (status, child) = try await convert("loud.wav", "out.flac")
    #expect(status == .exited(0))
    #expect(child.standardError.contains("2 samples are beyond full scale and were cut off there"))
    let plain = try await convert("loud.wav", "out.wav")
    #expect(plain.status == .exited(0) && plain.child.standardError.isEmpty)
    #expect(try rig.read("out.wav")[0] == [0.5, 1.5, -2, 0.25])
  }

  @Test func aConversionThatIsCancelledLeavesNothing() throws {
    try rig.noise()
    var parts: [Double] = []
    let conversion = FileConversion(
      input: rig.folder.file("in.wav"), output: rig.folder.file("out.wav"), sampleRate: 44_100)
    #expect {
      _ = try conversion.run(progress: { parts.append($0) }, isCancelled: { parts.count == 2 })
    } throws: { "\($0)" == "cancelled; nothing was written" }
    #expect(parts.count == 2)
    #expect(try rig.names == ["in.wav", "session.toml"])
    parts = []
    _ = try conversion.run(progress: { parts.append($0) })
    #expect(parts == parts.sorted() && parts.count > 2 && parts.last == 1)
  }

  /// Tries other names of the input too. Runs if the tests may mount a small disk.
  @Test(.enabled(if: geteuid() == 0))
  func theInputStaysAndAFullDiskIsReported() async throws {
    let input = try rig.noise(frames: 200_000)
    let before = try Data(contentsOf: input)
    try FileManager.default.createSymbolicLink(
      at: rig.folder.file("link.wav"), withDestinationURL: input)
    try FileManager.default.linkItem(at: input, to: rig.folder.file("same.wav"))
    for output in ["link.wav", "same.wav"] {
      let (status, child) = try await convert("in.wav", output)
      #expect(status == .exited(1))
      #expect(child.standardError.contains("\(output) is the file that is read"))
    }
    #expect(try Data(contentsOf: input) == before)

    let disk = rig.folder.file("disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0 else { return }
    defer { umount2(disk, Int32(MNT_DETACH)) }
    let (status, child) = try await convert("in.wav", "disk/out.wav")
    #expect(status == .exited(1))
    #expect(child.standardError.contains("disk/out.wav would take 1.6 MB"), "\(child.transcript)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk).isEmpty)
  }

  @Test func failedConversionsAreReportedAndLeaveOldFiles() async throws {
    try rig.noise("in.wav", frames: 5000, channels: 3)
    try rig.noise("old.wav", frames: 100)
    let old = try Data(contentsOf: rig.folder.file("old.wav"))
    for (arguments, status, text) in [
      (["in.wav", "in.wav"], 1, "in.wav is the file that is read; give the output another name"),
      (["none.wav", "old.wav", "--overwrite"], 1, "none.wav"),
      (
        ["in.wav", "old.wav", "--channels", "2", "--overwrite"], 1,
        "there is no matrix from 3 channels to 2"
      ),
      (["in.wav", "old.wav"], 2, "old.wav exists; accepted: another name, or --overwrite"),
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

  /// Reads to the end, as a bounce does.
  @Test(arguments: [0, (1 << 36) - 1, 20_001])
  func anInputIsReadToItsEndDespiteAFalseHeader(_ frames: Int) async throws {
    try BounceTests.claim(frames, in: try rig.noise("in.flac"))
    for (rate, wanted) in [(48_000, 20_000), (44_100, 18_375), (8000, 3333)] {
      let (status, child) = try await convert(
        "in.flac", "out.wav", "--sample-rate", "\(rate)", "--overwrite")
      #expect(status == .exited(0), "\(child.transcript)")
      // A header that claims fewer frames is believed at first, and the real end is still found.
      #expect(abs(try rig.read("out.wav")[0].count - wanted) <= 1)
    }
    #expect(try await convert("in.flac", "same.wav").status == .exited(0))
    #expect(try rig.read("same.wav")[0].count == 20_000)
  }

  @Test func ratesThatNobodyMeansAreRefused() async throws {
    for rate in [1.0, 1_000_000_000] {
      let writer = try AudioFileWriter(
        url: rig.folder.file("r.wav"), sampleRate: rate, channelCount: 1)
      try writer.write([Signal.noise(frames: 5000, seed: 1)])
      try writer.finish()
      let (status, child) = try await convert("r.wav", "out.wav", "--sample-rate", "384000")
      #expect(status == .exited(1), "\(child.transcript)")
      #expect(
        child.standardError.contains(
          "r.wav has a sample rate of \(Int(rate)) Hz; accepted: 1000 to 768000 Hz"))
    }
    #expect(try rig.names == ["r.wav", "session.toml"])
  }

  @Test func aFileThatExistsIsReplacedOnlyIfAsked() async throws {
    try rig.noise()
    let former = try rig.folder.write("former", to: "out.wav")
    let (status, child) = try await convert("in.wav", "out.wav")
    #expect(status == .exited(2))
    #expect(
      child.standardError.contains(
        "out.wav exists; accepted: another name, or --overwrite to replace it"))
    #expect(try Data(contentsOf: former) == Data("former".utf8))
    #expect(try await convert("in.wav", "out.wav", "--overwrite").status == .exited(0))
    #expect(try rig.read("out.wav") == rig.read("in.wav"))
  }
}
