// Pages that rendering touches are in memory before it starts.

import CTestSupport
import Foundation
import TestSupport
import Testing

/// Whether memory can be locked: AddressSanitizer and ThreadSanitizer ignore `mlockall`, and their
/// own memory is added on use.
private var memoryIsTheProgramsOwn: Bool {
  addressSanitizerIsLinked() == 0 && threadSanitizerIsLinked() == 0
}

@Suite(.serialized) struct PageFaultTests {
  /// The scheduling policy of a thread: 1 is SCHED_FIFO, with which JACK renders.
  private static func policy(of process: pid_t, thread: Int) throws -> Int {
    let text = try String(
      contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8)
    return Int(text[text.lastIndex(of: ")")!...].split(separator: " ")[39])!
  }

  /// The page faults of a thread up to now: `minor` ones of pages in memory that were not mapped,
  /// `major` ones of pages read from a disk.
  private struct Faults {
    let minor: Int
    let major: Int

    init(of process: pid_t, thread: Int) throws {
      let text = try String(
        contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8)
      // "ID (NAME) STATE …"; fields 10 and 12 of the whole line.
      let fields = text[text.lastIndex(of: ")")!...].split(separator: " ")
      minor = Int(fields[8])!
      major = Int(fields[10])!
    }
  }

  private static func font() -> SoundFontMaker {
    SoundFontMaker(
      presets: (0..<64).map { number in
        .init(
          bank: number == 63 ? 128 : 0, program: number == 63 ? 0 : number, name: "\(number)",
          zones: [.init(sample: .sine(periodFrames: 50 + Int(number)), releaseSeconds: 0.3)])
      })
  }

  /// First uses of everything in a sampler and its stages: notes of all keys on all channels,
  /// several on a frame and more than there are voices. Programs, controllers, bends, pressure and
  /// resets, too.
  private static func piece(frames: Int) -> [TimedMIDI] {
    var random = SeededRandom(seed: 2)
    return (0..<frames / 64).flatMap { block -> [TimedMIDI] in
      let channel = UInt8.random(in: 0..<16, using: &random)
      let data = (0..<2).map { _ in UInt8.random(in: 0..<128, using: &random) }
      var messages: [[UInt8]] = [[0x90 | channel, data[0], data[1]]]
      switch block % 16 {
      case 1: messages.append([0xC0 | channel, data[0]])
      case 2, 3, 4: messages.append([0xB0 | channel, data[0] % 120, data[1]])
      case 5: messages.append([0xE0 | channel, data[0], data[1]])
      case 6: messages.append([0xD0 | channel, data[0]])
      case 7: messages.append([0xA0 | channel, data[0], data[1]])
      case 8: messages = (0..<40).map { [0x90 | channel, 40 + $0, 100] }
      case 9: messages.append([0xB0 | channel, 123, 0])
      case 10 where block % 512 == 10: messages.append([0xF0, 0x7E, 0x7F, 9, 1, 0xF7])
      case 11 where block % 512 == 11: messages.append([0xFF])
      default: messages.append([0x80 | channel, data[0], 0])
      }
      return messages.map {
        TimedMIDI(frame: block * 64 + Int.random(in: 0..<64, using: &random), bytes: $0)
      }
    }
  }

  @Test(.enabled(if: memoryIsTheProgramsOwn, "a sanitizer has memory of its own"))
  func theRenderThreadTakesNoPageFault() async throws {
    let directory = try TemporaryDirectory()
    let font = try Self.font().write(to: directory.file("faults.sf2"), silentBytes: 16 << 20)
    let configuration = """
      [[unit]]
      id = "keys"
      component = "sampler"
      soundfont = "\(font.path)"
      parameters = { reverb.on = true, chorus.on = true }
      midi = [
        { stage = "filter" }, { stage = "velocity" }, { stage = "scale" }, { stage = "echo" },
        { stage = "arpeggiator" }, { stage = "chord" },
      ]
      [[unit]]
      id = "lowpass"
      component = "filter"
      [[connect]]
      from = "keys"
      to = "lowpass"
      """
    let server = try await JackServer.start(period: 1024)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    let auricle = try await RunningAuricle(configuration, on: server, arguments: ["--verbose"])
    let line = try await auricle.child.waitForLine(
      containing: "the render thread is ", in: .standardError)
    let thread = try #require(line.split(separator: " ").last.flatMap { Int($0) })
    let process = auricle.child.processIdentifier
    if server.isRealtime { #expect(try Self.policy(of: process, thread: thread) == 1) }
    let before = try Faults(of: process, thread: thread)
    try await player.connect("player:midi_out_1", to: "auricle:keys_midi_in")
    for channel in 1...2 {
      try await recorder.connect(
        "auricle:lowpass_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    player.script.midi = Self.piece(frames: 96_000)
    let takes = try await JackTestClient.run([player, recorder], frames: 96_000)
    #expect(peakDecibels(takes[1].audio[0]) > -60)
    let after = try Faults(of: process, thread: thread)
    // The kernel may move a page of locked memory, and on a busy machine does; first uses would be
    // hundreds.
    #expect(after.minor - before.minor <= 3)
    #expect(after.major == before.major)
    try await auricle.expectEnd()
  }
}
