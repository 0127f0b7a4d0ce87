// Failures of a bounce: its sources stay unchanged, and its output is the old file or the new one.

import BuiltInUnits
import Foundation
import MediaFiles
import SessionModel
import TestSupport
import Testing
import Tools

@Suite struct BounceFaultTests {
  @Test(arguments: ["session.toml", "song.mid", "in.wav", "a.sf2"], ["link", "hard link"])
  func filesThatAreReadAreNotWrittenOver(_ source: String, link: String) async throws {
    let rig = try BounceRig(
      "[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\nsoundfont = \"a.sf2\"\n")
    try SoundFontMaker(presets: [.init(name: "Click", zones: [.init(sample: .click())])])
      .write(to: rig.folder.file("a.sf2"))
    try rig.song()
    try rig.noise()
    let before = try Data(contentsOf: rig.folder.file(source))
    let output = rig.folder.file("out.wav")
    if link == "link" {
      try FileManager.default.createSymbolicLink(
        at: output, withDestinationURL: rig.folder.file(source))
    } else {
      try FileManager.default.linkItem(at: rig.folder.file(source), to: output)
    }
    let names = try rig.names
    let (status, child) = try await rig.run(
      "--midi", "song.mid", "--input", "in.wav", "--output", "out.wav")
    #expect(status == .exited(2))
    #expect(child.standardError.contains("which the bounce would destroy"))
    #expect(try Data(contentsOf: rig.folder.file(source)) == before)
    #expect(try rig.names == names)
  }

  @Test(arguments: [
    (["--output", "out.mp3"], 2, ".flac"), (["--output", "out"], 2, ".wav"),
    (["--output", "out.flac", "--format", "32"], 2, "24, 16"),
    (["--output", "out.wav", "--format", "12"], 2, "'float'"),
    (["--output", "out.wav", "--sample-rate", "44100.5"], 2, "whole numbers from 8000 to 384000"),
    (["--output", "out.wav", "--sample-rate", "0"], 2, "8000 to 384000"),
    (["--output", "out.wav", "--sample-rate=-48000"], 2, "8000 to 384000"),
    (["--output", "out.wav", "--maximum-length", "0"], 2, "1 to 1000000"),
    (
      ["--output", "none/out.wav"], 1, "cannot create none/out.wav: there is no such file or folder"
    ),
    (["--output", "in.wav/out.wav"], 1, "a part of its path is no folder"),
    (["--output", String(repeating: "n", count: 252) + ".wav"], 1, "its name is too long"),
  ])
  func anUnwritableOutputIsRefusedBeforeRendering(
    _ arguments: [String], status: Int32, text: String
  ) async throws {
    let rig = try BounceRig()
    try rig.noise()
    let child = try ChildProcess(
      builtProduct("auricle"), ["bounce", "session.toml", "--input", "in.wav"] + arguments,
      workingDirectory: rig.folder.url)
    #expect(try await child.wait() == .exited(status))
    #expect(child.standardError.contains(text), "\(child.transcript)")
    #expect(child.standardOutput.isEmpty)
    #expect(try rig.names == ["in.wav", "session.toml"])
  }

  /// Also checks the target of a link; only regular files are replaced.
  @Test func aFileThatExistsIsReplacedOnlyIfAsked() async throws {
    let rig = try BounceRig()
    try rig.noise()
    _ = try rig.folder.write("former", to: "former.wav")
    try FileManager.default.createSymbolicLink(
      at: rig.folder.file("link.wav"), withDestinationURL: rig.folder.file("former.wav"))
    for name in ["former.wav", "link.wav"] {
      let (status, child) = try await rig.run("--input", "in.wav", "--output", name)
      #expect(status == .exited(2), "\(child.transcript)")
      #expect(
        child.standardError.contains(
          "\(name) exists; accepted: another name, or --overwrite to replace it"))
      #expect(child.standardOutput.isEmpty)
    }
    #expect(try Data(contentsOf: rig.folder.file("former.wav")) == Data("former".utf8))
    #expect(try rig.parts.isEmpty)
    #expect(
      try await rig.run("--input", "in.wav", "--output", "link.wav", "--overwrite").status
        == .exited(0))
    #expect(try rig.read("former.wav")[0].count == 20_000 + 3 * 48000)
    // The link's name gives the format, since a device's name has none.
    try FileManager.default.createSymbolicLink(
      at: rig.folder.file("null.wav"), withDestinationURL: URL(fileURLWithPath: "/dev/null"))
    let (status, child) = try await rig.run("--input", "in.wav", "--output", "null.wav")
    #expect(status == .exited(1))
    #expect(child.standardError.contains("cannot create null.wav: it is no regular file"))
  }

  /// Creates the file while a bounce renders.
  @Test func aFileThatComesMeanwhileStays() async throws {
    let rig = try BounceRig()
    try rig.noise(frames: 4000)
    let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(contentsOf: rig.folder.file("session.toml"))
    let output = rig.folder.file("out.wav")
    let bounce = Bounce(
      plan,
      BounceOptions(output: output, input: rig.folder.file("in.wav"), seconds: 0.1))
    let error = try #require(throws: BounceError.self) {
      try bounce.run(isCancelled: {
        if (try? rig.parts.count) == 1 { try? Data("mine".utf8).write(to: output) }
        return false
      })
    }
    #expect(error.isUsage && error.description.contains("out.wav exists"))
    #expect(try Data(contentsOf: output) == Data("mine".utf8))
    // The next run refuses the file before anything is rendered.
    #expect(throws: BounceError.self) {
      try bounce.run(isCancelled: {
        #expect((try? rig.parts) == [])
        return false
      })
    }
    #expect(try rig.parts.isEmpty)
  }

  @Test func aBounceWithoutInputNamesTheMissingOptions() async throws {
    let (status, child) = try await BounceRig().run("--output", "out.wav")
    #expect(status == .exited(2))
    #expect(child.standardError.contains("give --midi, --input, or both"))
  }

  @Test func unitsWithoutAudioOutputAreRefused() async throws {
    let rig = try BounceRig("[[unit]]\nid = \"keys\"\ncomponent = \"midi\"\n")
    try rig.song()
    let (status, child) = try await rig.run("--midi", "song.mid", "--output", "out.wav")
    #expect(status == .exited(1))
    #expect(child.standardError.contains("no unit has an audio output"))
  }

  /// Starts a bounce long enough to be interrupted.
  private func startLong(_ rig: BounceRig) async throws -> ChildProcess {
    try rig.noise()
    let child = try rig.start(
      "--input", "in.wav", "--output", "out.wav", "--seconds", "14400", "--format", "16",
      "--overwrite")
    #expect(
      await eventually(within: .seconds(60)) { (try? rig.parts.count) == 1 && child.isRunning },
      "\(child.transcript)")
    return child
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalLeavesNothing(_ signal: Int32) async throws {
    let rig = try BounceRig()
    _ = try rig.folder.write("former", to: "out.wav")
    let child = try await startLong(rig)
    child.signal(signal)
    #expect(try await child.wait() == .exited(1))
    #expect(child.standardError.contains("cancelled; nothing was written"))
    #expect(try rig.names == ["in.wav", "out.wav", "session.toml"])
    #expect(try Data(contentsOf: rig.folder.file("out.wav")) == Data("former".utf8))
  }

  @Test func onlyFilesOfKilledBouncesAreRemoved() async throws {
    let rig = try BounceRig()
    let dead = try await startLong(rig)
    dead.signal(SIGKILL)
    _ = try await dead.wait()
    let left = try rig.parts
    #expect(left.count == 1)
    #expect(try await rig.run("--input", "in.wav", "--output", "b.wav").status == .exited(0))
    #expect(try rig.parts.isEmpty)

    let living = try await startLong(rig)
    let written = try rig.parts
    #expect(try await rig.run("--input", "in.wav", "--output", "c.wav").status == .exited(0))
    #expect(try rig.parts == written)
    living.signal(SIGTERM)
    _ = try await living.wait()
    #expect(try rig.names == ["b.wav", "c.wav", "in.wav", "session.toml"])
  }

  @Test func killedAtAnyMomentTheOutputIsTheOldFileOrTheNewOne() async throws {
    let rig = try BounceRig()
    try rig.noise(frames: 4000)
    let former = Data("former".utf8)
    let arguments = ["--input", "in.wav", "--output", "out.flac", "--tail", "0", "--overwrite"]
    let whole = try ChildProcess(
      builtProduct("auricle"), ["bounce", "session.toml"] + arguments,
      workingDirectory: rig.folder.url)
    #expect(try await whole.wait() == .exited(0))
    let complete = try Data(contentsOf: rig.folder.file("out.flac"))
    var random = SeededRandom(seed: 11)
    let rounds = ProcessInfo.processInfo.environment["AURICLE_MUTATIONS"].flatMap(Int.init) ?? 1
    for _ in 0..<12 * rounds {
      try former.write(to: rig.folder.file("out.flac"))
      let child = try ChildProcess(
        builtProduct("auricle"), ["bounce", "session.toml"] + arguments,
        workingDirectory: rig.folder.url)
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
      child.signal(SIGKILL)
      _ = try await child.wait()
      let now = try Data(contentsOf: rig.folder.file("out.flac"))
      #expect(now == former || now == complete)
    }
    #expect(try await rig.run("--input", "in.wav", "--output", "b.wav").status == .exited(0))
    #expect(try rig.parts.isEmpty)
  }

  @Test(arguments: [">&-", ">/dev/full"])
  func theOutputIsCompleteIfStandardOutputFails(_ redirection: String) async throws {
    let rig = try BounceRig()
    try rig.noise()
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c", "exec \"$0\" \"$@\" \(redirection)", try builtProduct("auricle").path, "bounce",
        "session.toml", "--input", "in.wav", "--output", "out.wav",
      ], workingDirectory: rig.folder.url)
    #expect(try await child.wait() == .exited(1), "\(child.transcript)")
    #expect(child.standardError.contains("standard output cannot be written"))
    #expect(try rig.read("out.wav")[0].count == 20_000 + 3 * 48000)
    #expect(try rig.parts.isEmpty)
  }

  /// Treats a limit of the file size like a full disk.
  @Test(arguments: ["wav", "flac", "ogg"])
  func aFileThatMayNotGrowIsAnErrorAndLeavesNothing(_ ending: String) async throws {
    let rig = try BounceRig()
    try rig.noise()
    // The limit is in blocks of 512 bytes.
    let child = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c", "ulimit -f 20; exec \"$0\" \"$@\"", try builtProduct("auricle").path, "bounce",
        "session.toml", "--input", "in.wav", "--output", "out.\(ending)",
      ], workingDirectory: rig.folder.url)
    #expect(try await child.wait() == .exited(1), "\(child.transcript)")
    #expect(child.standardError.contains("cannot write out.\(ending): File too large"))
    #expect(try rig.names == ["in.wav", "session.toml"])
  }

  /// Runs if the tests may mount a small disk.
  @Test(.enabled(if: geteuid() == 0), arguments: ["wav", "flac", "ogg"])
  func aFullDiskIsAnErrorAndLeavesNothing(_ ending: String) async throws {
    let rig = try BounceRig()
    let disk = rig.folder.file("disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0 else { return }
    defer { umount2(disk, Int32(MNT_DETACH)) }
    try rig.noise(frames: 300_000)
    try Data("former".utf8).write(to: URL(fileURLWithPath: "\(disk)/out.\(ending)"))
    let (status, child) = try await rig.run(
      "--input", "in.wav", "--output", "disk/out.\(ending)", "--overwrite")
    #expect(status == .exited(1), "\(child.transcript)")
    #expect(
      child.standardError.contains(
        ending == "wav"
          ? "disk/out.wav will take 3.6 MB, but its disk has " : "no space left for disk/out."),
      "\(child.standardError)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk) == ["out.\(ending)"])
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: "\(disk)/out.\(ending)")) == Data("former".utf8))
  }
}
