// Files that hang while they are read: they delay only their readers, and not for ever.

import Configuration
import Files
import Foundation
import MediaFiles
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct HangingFileTests {
  private let folder: TemporaryDirectory
  /// A pipe without a writer.
  private let pipe: URL

  init() throws {
    folder = try TemporaryDirectory()
    pipe = try folder.makePipe()
  }

  /// Returns the error of a body whose reads may take 1 ms; "nothing" if there is none.
  private func refusal(_ body: () async throws -> Void) async -> String {
    do {
      try await FileWait.$current.withValue(FileWait(limit: .milliseconds(1)), operation: body)
      return "nothing"
    } catch { return "\(error)" }
  }

  private static let tooLate = "nothing came from it in time; accepted: a regular file"
  private static let notRegular = "it is no regular file"

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      ("sampler", "soundfont", "not a SoundFont; give an SF2 or SF3 file"),
      ("player", "file", tooLate), ("environment", "hrtf", notRegular),
      ("filter", "state", notRegular),
    ])
  func aUnitsFileThatHangsIsRefusedByItsName(
    component: String, key: String, reason: String
  ) async throws {
    let file = try folder.write(
      "[[unit]]\nid = \"unit\"\ncomponent = \"\(component)\"\n\(key) = \"\(pipe.path)\"\n",
      to: "a.toml")
    let said = await refusal { _ = try await DocumentRig(file) }
    #expect(said.contains(pipe.path) && said.contains(reason), "\(said)")
  }

  @Test(.timeLimit(.minutes(5))) func aConfigurationThatHangsIsRefusedByItsName() async throws {
    let said = await refusal { _ = try await DocumentRig(pipe) }
    #expect(said.contains("\(pipe.path):") && said.contains(Self.tooLate), "\(said)")
  }

  @Test(.timeLimit(.minutes(5))) func hangingMediaFilesAreRefusedByName() async throws {
    let song = await refusal { _ = try MIDIFile(contentsOf: pipe) }
    #expect(song.contains(pipe.path) && song.contains(Self.tooLate), "\(song)")
    let clip = await refusal { _ = try AudioClip(contentsOf: pipe) }
    #expect(clip.contains(pipe.path) && clip.contains(Self.tooLate), "\(clip)")
  }

  @Test(.timeLimit(.minutes(5))) func aPresetAndAFileToSaveToThatHangAreRefusedByTheirNames()
    async throws
  {
    let file = try folder.write(Configurations.filter(), to: "a.toml")
    let rig = try await DocumentRig(file)
    let said = await refusal { try await rig.ask(.save(file: pipe.path)) }
    #expect(said.contains(pipe.path) && said.contains(Self.notRegular), "\(said)")
    // The backup of the previous session.
    _ = try folder.makePipe("a.toml~")
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(1500)))
    #expect(await refusal { try await rig.ask(.save(file: nil)) }.contains("a.toml~"))
  }

  /// A WAV file through a pipe, as other programs write it.
  @Test func aPlayersFileThatIsWrittenToIsRead() async throws {
    let writer = try AudioFileWriter(
      url: folder.file("tone.wav"), sampleRate: 48000, channelCount: 1)
    try writer.write([Signal.noise(frames: 1000, seed: 1, amplitude: 0.5)])
    try writer.finish()
    let feeder = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "cat '\(folder.file("tone.wav").path)' >'\(pipe.path)'"])
    let read = try AudioClip(contentsOf: pipe)
    #expect(read.channels == (try AudioFileReader(contentsOf: folder.file("tone.wav")).read()))
    #expect(try await feeder.wait() == .exited(0))
  }
}
