// `auricle record take.mid`: MIDI of live ports on its frames, and files after a kill.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct RecordMIDITests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func start(_ arguments: [String], on server: JackServer) throws -> ChildProcess {
    try ChildProcess(
      builtProduct("auricle"), ["record", "take.mid", "--server", server.name] + arguments,
      environment: ["XDG_RUNTIME_DIR": folder.url.path], workingDirectory: folder.url)
  }

  private func read() throws -> [TimedMIDI] {
    let file = try MIDIFile(contentsOf: folder.file("take.mid"))
    return file.events.map {
      TimedMIDI(frame: Int(($0.seconds * 48_000).rounded()), bytes: Array(file.bytes(of: $0)))
    }
  }

  @Test(arguments: [64, 1024])
  func messagesOfTwoPortsAreOnTheirFrames(period: Int) async throws {
    let server = try await JackServer.start(period: period, isSynchronous: true)
    let player = try JackTestClient(server, "player", midiOutputs: 2)
    player.script.midi = [
      TimedMIDI(frame: 30_011, bytes: [0x90, 60, 100]),
      TimedMIDI(frame: 30_012, bytes: [0xF0, 1, 2, 3, 0xF7], port: 1),
      TimedMIDI(frame: 31_000, bytes: [0xC1, 7], port: 1),
      TimedMIDI(frame: 47_777, bytes: [0x80, 60, 0]),
      TimedMIDI(frame: 60_000, bytes: [0x90, 61, 100]),
    ]
    let child = try start(["--from", "player:midi_out_*", "--start", "note"], on: server)
    _ = try await child.waitForLine(containing: "ready:")
    let looker = try JackTestClient(server, "looker")
    let isConnected = await eventually {
      looker.connections(of: "recorder:take_midi_in") == ["player:midi_out_1", "player:midi_out_2"]
    }
    #expect(isConnected, "\(looker.connections(of: "recorder:take_midi_in"))")
    let take = try await JackTestClient.run([player], frames: 100_000)[0]
    #expect(take.isComplete)
    child.signal(SIGINT)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let events = try read()
    let expected = player.script.midi.map {
      TimedMIDI(frame: $0.frame - 30_011, bytes: $0.bytes)
    }
    #expect(Array(events.prefix(5)) == expected)
    // The note that is held ends with the take.
    #expect(events.count == 6 && events.last?.bytes == [0x80, 61, 64])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains("take.mid"))
    #expect(looker.ports(matching: "recorder:.*").allSatisfy { !$0.contains("take_in") })
  }

  /// A piece of Debian's package openttd-openmsx: with drums, pedals, programs and SysEx.
  @Test func aRecordedSongSoundsBitForBitAsTheSong() async throws {
    let song = "/usr/share/games/openttd/baseset/openmsx/modern_motion.mid"
    let session = try folder.write(
      """
      [[unit]]
      id = "take"
      component = "recorder"
      file = "take.mid"
      parameters = { recording = true }
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "/usr/share/sounds/sf2/TimGM6mb.sf2"
      [[connect]]
      from = "physical:midi"
      to = "take:midi"
      [[connect]]
      from = "physical:midi"
      to = "piano"
      [[connect]]
      from = "piano"
      to = "physical:outputs"
      """, to: "session.toml")
    var sounds: [[[Float]]] = []
    for (index, midi) in [song, folder.file("take.mid").path].enumerated() {
      let name = "sound-\(index).wav"
      let child = try ChildProcess(
        builtProduct("auricle"),
        [
          "bounce", session.path, "--midi", midi, "--sample-rate", "48000", "--tail", "0",
          "--output", folder.file(name).path,
        ], workingDirectory: folder.url)
      #expect(try await child.wait() == .exited(0), "\(child.transcript)")
      sounds.append(try AudioFileReader(contentsOf: folder.file(name)).read())
    }
    #expect(sounds[0].contains { $0.contains { $0 != 0 } })
    #expect(sounds[0] == sounds[1])
  }

  @Test func aKillLosesTheLastSecondAtMost() async throws {
    let server = try await JackServer.start(period: 256)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    player.script.midi = (0..<2000).map {
      TimedMIDI(frame: 240 * $0, bytes: [0x90, UInt8($0 % 128), 0])
    }
    let child = try start(["--from", "player:midi_out_1"], on: server)
    _ = try await child.waitForLine(containing: "take: records", in: .standardError)
    let take = try await JackTestClient.run([player], frames: 240_000) {
      try await Task.sleep(for: .seconds(3))
      child.signal(SIGKILL)
      _ = try await child.wait()
    }[0]
    _ = take
    let events = try read()
    #expect(events.count > 200)
    for (former, next) in zip(events, events.dropFirst()) {
      #expect(next.bytes[1] == (former.bytes[1] + 1) % 128)
    }
  }
}
