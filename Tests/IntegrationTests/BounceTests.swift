// Output of a bounce: its content and its length.

import Foundation
import MediaFiles
import SessionTestSupport
import TestSupport
import Testing

@Suite struct BounceTests {
  /// Writes another number of frames into a FLAC header; 0 means unknown, as encoders write into
  /// pipes.
  static func claim(_ frames: Int, in file: URL) throws {
    var bytes = [UInt8](try Data(contentsOf: file))
    bytes[21] = bytes[21] & 0xF0 | UInt8(frames >> 32 & 0xF)
    for (index, shift) in [24, 16, 8, 0].enumerated() {
      bytes[22 + index] = UInt8(frames >> shift & 0xFF)
    }
    try Data(bytes).write(to: file)
  }

  @Test(arguments: [0, (1 << 36) - 1, 20_001], [0, 0.25])
  func anInputIsReadToItsEndDespiteAFalseHeader(frames: Int, tail: Double) async throws {
    let rig = try BounceRig()
    try Self.claim(frames, in: try rig.noise("in.flac"))
    let (status, child) = try await rig.run(
      "--input", "in.flac", "--output", "out.wav", "--tail", "\(tail)")
    #expect(status == .exited(0), "\(child.transcript)")
    #expect(child.standardError.isEmpty)
    try rig.noise("true.wav")
    #expect(try rig.read("out.wav")[0].count == 20_000 + Int(tail * 48000))
    #expect(try rig.names == ["in.flac", "out.wav", "session.toml", "true.wav"])
  }

  @Test func aBounceWithInputAloneIsThatWithAnEmptySongBitForBit() async throws {
    let rig = try BounceRig()
    try rig.noise()
    _ = try rig.folder.write(MIDIFileMaker().bytes(), to: "empty.mid")
    #expect(try await rig.run("--input", "in.wav", "--output", "a.wav").status == .exited(0))
    let (status, child) = try await rig.run(
      "--input", "in.wav", "--midi", "empty.mid", "--output", "b.wav", "--period", "77")
    #expect(status == .exited(0))
    #expect(child.standardError.contains("no unit takes the MIDI of empty.mid"))
    #expect(try rig.read("a.wav") == rig.read("b.wav"))
    #expect(try rig.read("a.wav")[0].count == 20_000 + 3 * 48000)
  }

  @Test func theRateIsTheInputsUnlessOneIsGiven() async throws {
    let rig = try BounceRig()
    let writer = try AudioFileWriter(
      url: rig.folder.file("in.wav"), sampleRate: 44100, channelCount: 1)
    try writer.write([Signal.noise(frames: 1000, seed: 1)])
    try writer.finish()
    #expect(try await rig.run("--input", "in.wav", "--output", "out.wav").status == .exited(0))
    #expect(try AudioFileReader(contentsOf: rig.folder.file("out.wav")).sampleRate == 44100)
    let (status, child) = try await rig.run(
      "--input", "in.wav", "--output", "other.wav", "--sample-rate", "48000")
    #expect(status == .exited(1))
    #expect(child.standardError.contains("in.wav has 44100 Hz, not 48000 Hz"))
  }

  /// A file that is missing is asked for, and the command line can name one.
  @Test func aMissingFileCanBeGivenOnTheCommandLine() async throws {
    let rig = try BounceRig()
    try rig.noise()
    let shipped = ReadyConfigurations.folder.appendingPathComponent("karaoke.toml")
    func bounce(_ settings: [String]) async throws -> (ChildProcess.ExitStatus, ChildProcess) {
      let child = try ChildProcess(
        builtProduct("auricle"),
        ["bounce", shipped.path, "--seconds", "0.5", "--output", "out.wav"]
          + settings.flatMap { ["--set", $0] }, workingDirectory: rig.folder.url)
      return (try await child.wait(), child)
    }
    let (missing, child) = try await bounce([])
    #expect(missing == .exited(2))
    #expect(child.standardError.contains("another file, here or by --set backing/file=FILE"))
    let (status, played) = try await bounce([
      "backing/file=in.wav", "backing/transport=false", "backing/state=Playing",
    ])
    #expect(status == .exited(0), "\(played.transcript)")
    let sound = try #require(rig.read("out.wav")[0].map(abs).max())
    #expect(sound > 0.01)
  }

  @Test(arguments: [
    (["--output", "out.flac"], "24-bit FLAC"), (["--output", "out.ogg"], "Ogg Vorbis"),
    (["--output", "out.wav", "--format", "16"], "16-bit WAV"),
    (["--output", "out.aiff", "--format", "float"], "32-bit float AIFF"),
  ])
  func theOutputHasTheKindOfItsNameAndFormat(_ arguments: [String], name: String) async throws {
    let rig = try BounceRig()
    try rig.noise()
    let child = try ChildProcess(
      builtProduct("auricle"), ["bounce", "session.toml", "--input", "in.wav"] + arguments,
      workingDirectory: rig.folder.url)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput.contains("2 channels, 3.42 s at 48000 Hz, \(name), peak "))
    #expect(try rig.read(arguments[1])[0].count == 20_000 + 3 * 48000)
  }

  /// An hour, at a rate at which even a release build is ended before it is done.
  @Test func anUnusualLengthIsReportedBeforehand() async throws {
    let rig = try BounceRig()
    let song = try rig.song(endTick: 48000 * 3600)
    let child = try rig.start(
      "--midi", song.path, "--output", "out.wav", "--sample-rate", "96000", "--period", "64")
    let line = try await child.waitForLine(containing: "will last", in: .standardError)
    #expect(
      line.contains("out.wav will last 1 h and take 2.8 GB: all of \(song.path), which waits 1 h")
    )
    #expect(line.contains("for one event (byte "))
    #expect(child.isRunning)
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(1))
    #expect(try rig.names == ["session.toml", "song.mid"])
  }

  @Test func anOutputBeyondTheLimitIsRefusedBeforehand() async throws {
    let rig = try BounceRig()
    // 960 ticks a second.
    var song = MIDIFileMaker()
    song.addNote(60, at: 0, length: 100)
    _ = try rig.folder.write(song.bytes(endTick: 960 * 3600 * 7), to: "song.mid")
    for (option, status) in [([], Int32(1)), (["--maximum-length", "25203"], 1)] {
      let child = try ChildProcess(
        builtProduct("auricle"),
        ["bounce", "session.toml", "--midi", "song.mid", "--output", "out.wav", "--tail", "4"]
          + option,
        workingDirectory: rig.folder.url)
      #expect(try await child.wait() == .exited(status))
      #expect(child.standardError.contains("the output would last 7 h: all of song.mid"))
      #expect(child.standardError.contains("--maximum-length 25204)"), "\(child.standardError)")
    }
    try Self.claim(0, in: try rig.noise("in.flac", frames: 60_000))
    let (status, child) = try await rig.run(
      "--input", "in.flac", "--output", "out.wav", "--maximum-length", "1")
    #expect(status == .exited(1))
    #expect(
      child.standardError.contains("the output would last longer than 1.0 s: all of in.flac"))
    #expect(try rig.names == ["in.flac", "session.toml", "song.mid"])
  }

  /// A pipe cannot be measured beforehand.
  @Test func anInputThatGoesOnIsEndedAtTheLimit() async throws {
    let rig = try BounceRig()
    let noise = try rig.noise("long.wav", frames: 200_000)
    let pipe = try rig.folder.makePipe()
    let child = try rig.start(
      "--input", "pipe", "--output", "out.wav", "--maximum-length", "1")
    let feeder = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "cat '\(noise.path)' >'\(pipe.path)'"])
    #expect(try await child.wait() == .exited(1), "\(child.transcript)")
    #expect(child.standardError.contains("longer than 1.0 s: all of pipe"))
    _ = try await feeder.wait()
    #expect(try rig.names == ["long.wav", "pipe", "session.toml"])
  }

  @Test func unusedInputIsReported() async throws {
    let rig = try BounceRig()
    try rig.noise("five.wav", channels: 5)
    try rig.song()
    let (_, filter) = try await rig.run("--midi", "song.mid", "--output", "out.wav")
    #expect(filter.standardError.contains("no unit takes the MIDI of song.mid"))
    #expect(filter.standardError.contains("out.wav is silent; there was no --input"))
    let (_, five) = try await rig.run("--input", "five.wav", "--output", "five-out.wav")
    #expect(five.standardError.contains("five.wav has 5 channels, of which 2 are used"))

    let sampler = try BounceRig(
      "[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\nsoundfont = \"a.sf2\"\n")
    try SoundFontMaker(presets: [.init(name: "Click", zones: [.init(sample: .click())])])
      .write(to: sampler.folder.file("a.sf2"))
    try sampler.noise()
    _ = try sampler.folder.write(MIDIFileMaker().bytes(), to: "empty.mid")
    let (status, child) = try await sampler.run(
      "--input", "in.wav", "--midi", "empty.mid", "--output", "out.wav")
    #expect(status == .exited(0))
    #expect(child.standardError.contains("empty.mid has no notes"))
    #expect(child.standardError.contains("no unit takes the audio of in.wav"))
    #expect(child.standardError.contains("out.wav is silent"))
  }

  @Test func countersOfUnitsAreReportedAtTheEnd() async throws {
    let rig = try BounceRig()
    let writer = try AudioFileWriter(
      url: rig.folder.file("in.wav"), sampleRate: 48000, channelCount: 1)
    var audio = Signal.noise(frames: 9000, seed: 1)
    audio[5000] = .nan
    try writer.write([audio])
    try writer.finish()
    let (status, child) = try await rig.run("--input", "in.wav", "--output", "out.wav")
    #expect(status == .exited(0))
    #expect(
      child.standardError.contains("warning: lowpass: cycles in which the unit made NaN"))
    #expect(child.standardError.split(separator: "\n").count == 1)
  }

  @Test func flawsOfASongAreReportedAndTheRestIsPlayed() async throws {
    let rig = try BounceRig(
      "[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\nsoundfont = \"a.sf2\"\n")
    try SoundFontMaker(presets: [.init(name: "Click", zones: [.init(sample: .click())])])
      .write(to: rig.folder.file("a.sf2"))
    var song = MIDIFileMaker.frameExact(sampleRate: 48000)
    song.add([0xB0, 7, 128], at: 0)
    song.addNote(60, at: 100, length: 4000)
    _ = try rig.folder.write(song.bytes(), to: "song.mid")
    let (status, child) = try await rig.run("--midi", "song.mid", "--output", "out.wav")
    #expect(status == .exited(0))
    #expect(
      child.standardError.contains(
        "warning: song.mid: 1 message with data bytes above 127, at byte 32 of the file, in track 1"
      ))
    #expect(try peakDecibels(rig.read("out.wav")[0]) > -60)
  }

  @Test func unitsThatPlayByThemselvesNeedOnlyALength() async throws {
    let rig = try BounceRig(
      """
      [[unit]]
      id = "tone"
      component = "tone"
      parameters = { playing = true }
      """)
    let (status, child) = try await rig.run("--seconds", "1.5", "--output", "out.wav")
    #expect(status == .exited(0), "\(child.transcript)")
    let samples = try rig.read("out.wav")
    #expect(samples[0].count == 72_000)
    #expect((samples[0].map(abs).max() ?? 0) > 0.1)
    // The output ends at that length, even within a note.
    try rig.song()
    #expect(
      try await rig.run("--seconds", "0.01", "--midi", "song.mid", "--output", "b.wav").status
        == .exited(0))
    #expect(try rig.read("b.wav")[0].count == 480)
    let (failed, refusal) = try await rig.run("--output", "c.wav")
    #expect(failed == .exited(2))
    #expect(refusal.standardError.contains("--seconds for what plays by itself"))
  }

  /// The length ends within the input, in its tail, or after both.
  @Test(arguments: ["0.25", "1", "5"])
  func aLengthIsKeptAndNothingElseIsOther(seconds: String) async throws {
    let rig = try BounceRig()
    try rig.noise()
    #expect(
      try await rig.run("--input", "in.wav", "--output", "whole.wav", "--tail", "5").status
        == .exited(0))
    let (status, child) = try await rig.run(
      "--input", "in.wav", "--output", "out.wav", "--tail", "0.5", "--seconds", seconds)
    #expect(status == .exited(0), "\(child.transcript)")
    let frames = Int(Double(seconds)! * 48_000)
    let (whole, output) = (try rig.read("whole.wav"), try rig.read("out.wav"))
    for channel in 0..<2 {
      #expect(firstDifference(output[channel], Array(whole[channel].prefix(frames))) == nil)
      #expect(output[channel].count == frames)
    }
  }

  @Test func aLengthBeyondTheLimitIsRefused() async throws {
    let rig = try BounceRig()
    try rig.noise()
    for (arguments, status, text) in [
      (["--seconds", "2", "--maximum-length", "1"], 1, "last 2.0 s: what was asked for"),
      (["--seconds", "0"], 2, "--seconds takes 0.001 to 1000000 seconds"),
    ] as [([String], Int32, String)] {
      let child = try ChildProcess(
        builtProduct("auricle"),
        ["bounce", "session.toml", "--input", "in.wav", "--output", "out.wav"] + arguments,
        workingDirectory: rig.folder.url)
      #expect(try await child.wait() == .exited(status))
      #expect(child.standardError.contains(text), "\(child.standardError)")
    }
    #expect(try rig.names == ["in.wav", "session.toml"])
  }
}
