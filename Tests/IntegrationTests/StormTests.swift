// Everything at once: edits, parameters, floods, killed servers, and a voice that stays untouched.

import Configuration
import ControlSocket
import Effects
import Foundation
import Graph
import OSC
import OfflineBackend
import Remotes
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

/// Lasts 20 seconds, or `AURICLE_STORM_SECONDS`; `AURICLE_STORM_SEED` repeats one.
@Suite(.serialized) struct StormTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let frames = 48_000

  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  /// The voice is between a player and a recorder; other units are added and removed.
  private static let configuration = """
    [client]
    name = "storm"
    [[unit]]
    id = "voice"
    component = "filter"
    [[unit]]
    id = "keys"
    component = "midi"
    [[unit]]
    id = "other"
    component = "filter"
    [[connect]]
    from = "player:audio_out_1"
    to = "voice"
    [[connect]]
    from = "voice"
    to = "recorder:audio_in_1"
    [[connect]]
    from = "player:midi_out_1"
    to = "keys"
    """

  /// The voice's output for a signal on both channels, mixed into one port, without other units.
  private static func expected(_ input: [[Float]]) throws -> [[Float]] {
    let graph = Graph()
    try graph.add(FilterUnit(), id: "voice")
    let renderer = OfflineRenderer(
      try graph.compile(CompileOptions(sampleRate: 48_000, isOffline: true)))
    var output: [[Float]] = [[]]
    for start in stride(from: 0, to: frames, by: 1_000) {
      let rendered = renderer.render(
        frameCount: 1_000, input: [0, 0].map { Array(input[$0][start..<start + 1_000]) })
      output[0] += zip(rendered[0], rendered[1]).map { $0 + $1 }
    }
    return output
  }

  /// A change of anything but the voice, sometimes on a frame within a second after `now`.
  private static func command(_ random: inout SeededRandom, now: Int64) -> SessionCommand {
    func unit() -> String { "u\(Int.random(in: 0..<6, using: &random))" }
    func source() -> String {
      ["voice", "keys", "other", unit(), unit()].randomElement(using: &random)!
    }
    func kind() -> String {
      ["filter", "filter", "midi", "distortion"].randomElement(using: &random)!
    }
    let value = SettingValue.number(Double(Int.random(in: 100...9_000, using: &random)))
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2: return .add(unit: unit(), component: kind())
    case 3: return .replace(unit: unit(), component: kind())
    case 4: return .remove(unit: unit(), ringsOut: Bool.random(using: &random))
    case 5...7: return .connect(from: source(), to: unit())
    case 8: return .disconnect(from: source(), to: unit())
    case 9: return .set(path: "\(unit())/cutoff", value: value, rampMilliseconds: 20)
    case 10: return .set(path: "other/cutoff", value: value)
    case 11: return .bypass(unit: unit(), isOn: Bool.random(using: &random))
    case 12:
      let frame = now + Int64.random(in: 0..<Int64(frames), using: &random)
      return .together(
        [
          .add(unit: "u6", component: kind()), .connect(from: source(), to: "u6"),
          .remove(unit: "u6"), .connect(from: source(), to: unit()),
        ], frame: Bool.random(using: &random) ? frame : nil)
    default:
      return Bool.random(using: &random) ? .undo(steps: 1) : .redo(steps: 1)
    }
  }

  private static func floodOfMIDI(_ random: inout SeededRandom) -> [TestSupport.TimedMIDI] {
    (0..<4_000).map { _ in
      let status = [0x80, 0x90, 0xA0, 0xB0, 0xE0].randomElement(using: &random)! as UInt8
      return TestSupport.TimedMIDI(
        frame: Int.random(in: 0..<frames, using: &random),
        bytes: [status | UInt8.random(in: 0...15, using: &random)]
          + random.bytes(2).map { $0 & 0x7F })
    }.sorted { $0.frame < $1.frame }
  }

  /// Sends commands to the socket, each of which is answered, and a flood of OSC.
  private func storm(
    _ random: inout SeededRandom, _ session: ControlClient, _ osc: OSCTestSender,
    _ counts: inout Counts
  ) throws {
    try session.send(SessionWire.encode(.status))
    guard case .status(let status) = try SessionWire.answer(try session.nextLine()) else { return }
    for _ in 0..<10 {
      for _ in 0..<40 {
        let path = ["/other/cutoff", "/u1/cutoff", "/u2/resonance", "/nothing"].randomElement(
          using: &random)!
        let number = Float.random(in: -1_000...20_000, using: &random)
        try osc.send(OSCMessage(path, [.float(number)]))
      }
      try session.send(
        SessionWire.encode(Self.command(&random, now: status.frame ?? 0)))
      do {
        _ = try SessionWire.answer(try session.nextLine())
        counts.done += 1
      } catch let error as SessionCommandError {
        counts.refused += 1
        counts.refusals[error.message, default: 0] += 1
      }
    }
  }

  private struct Counts {
    var done = 0
    var refused = 0
    var compared = 0
    var disturbed = 0
    var kills = 0
    /// The numbers of refusals by message, which show whether it is a storm.
    var refusals: [String: Int] = [:]
  }

  /// Records the voice in a second of storm; nil if the machine missed frames or had xruns.
  private func take(
    _ input: [[Float]], _ random: inout SeededRandom, _ server: JackServer,
    _ session: ControlClient, _ osc: OSCTestSender, _ counts: inout Counts
  ) async throws -> [[Float]]? {
    let player = try JackTestClient(server, "player", audioOutputs: 1, midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    func links() -> [[String]] {
      ["storm:voice_in_1", "storm:voice_in_2", "recorder:audio_in_1"].map {
        recorder.connections(of: $0).sorted()
      }
    }
    let wanted = [
      ["player:audio_out_1"], ["player:audio_out_1"], ["storm:voice_out_1", "storm:voice_out_2"],
    ]
    let isConnected = await eventually(within: .seconds(30)) { links() == wanted }
    #expect(isConnected, "\(links())")
    try session.send(SessionWire.encode(.panic))
    _ = try session.nextLine()
    try await recorder.waitForCycles(3)
    player.script.audio = input
    player.script.midi = Self.floodOfMIDI(&random)
    let takes = try await JackTestClient.run([player, recorder], frames: Self.frames) {
      try storm(&random, session, osc, &counts)
    }
    return takes.allSatisfy { $0.missedFrames == 0 && $0.xruns == 0 } ? takes[1].audio : nil
  }

  @Test func nothingReachesAVoiceThatNobodyTouches() async throws {
    let seconds = Self.number("AURICLE_STORM_SECONDS") ?? 20
    let seed = UInt64(Self.number("AURICLE_STORM_SEED") ?? Int.random(in: 0..<1_000_000))
    var random = SeededRandom(seed: seed)
    let input = [Signal.noise(frames: Self.frames, seed: 1, amplitude: 0.25)]
    let expected = try Self.expected(input)
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
    let auricle = try await rig.run(
      Self.configuration, on: server, arguments: ["--osc", "0", "--cores", "2"])
    let line = try await auricle.child.waitForLine(
      containing: "OSC: listening at ", in: .standardError)
    let osc = try OSCTestSender(to: String(line.split(separator: " ").last ?? ""))
    let session = try rig.connect()
    let end = ContinuousClock.now + .seconds(seconds)
    var counts = Counts()
    repeat {
      if let audio = try await take(input, &random, server, session, osc, &counts) {
        counts.compared += 1
        for channel in audio.indices {
          let place = firstDifference(
            audio[channel].map(\.bitPattern), expected[channel].map(\.bitPattern))
          #expect(place == nil, "seed \(seed), take \(counts.compared), channel \(channel)")
        }
      } else {
        counts.disturbed += 1
      }
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      counts.kills += 1
      try await server.kill(SIGKILL)
      try await server.restart(server.options)
      let isBack = await eventually(within: .seconds(30)) {
        auricle.child.standardError.components(separatedBy: "server is back").count > counts.kills
      }
      #expect(isBack, "seed \(seed): \(auricle.child.transcript)")
    } while ContinuousClock.now < end
    print(
      "storm \(seed): \(counts.done) commands, \(counts.refused) refused,",
      "\(counts.compared) takes compared, \(counts.disturbed) disturbed, \(counts.kills) kills")
    #expect(counts.done > 0 && counts.compared + counts.disturbed > 0, "seed \(seed)")
    // No refusal is about an outside connection.
    #expect(!counts.refusals.keys.contains { $0.contains("player:") }, "seed \(seed)")
    // The session still answers, and ends in order.
    #expect(try await rig.ctl("list").contains("voice  filter"))
    try await auricle.expectEnd()
  }
}
