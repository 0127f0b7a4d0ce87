// The repeated changes of a session in a soak.

import Configuration
import ControlSocket
import Foundation
import MediaFiles
import Remotes
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

/// Adds units of each kind, plays them and removes them.
struct SoakRound {
  static let players = 8

  let number: Int
  let material: SoakMaterial
  let session: ControlClient

  private static let effects = [
    "filter", "comb", "delay", "eq", "distortion", "compressor", "limiter", "gate", "reverb",
    "chorus", "varispeed", "time-pitch", "mixer", "environment",
  ]

  @discardableResult
  private func ask(_ command: SessionCommand) throws -> SessionAnswer {
    try session.send(SessionWire.encode(command))
    return try SessionWire.answer(try session.nextLine())
  }

  func play(on server: JackServer, _ random: inout SeededRandom) async throws {
    let takes = try TemporaryDirectory()
    let keys = try JackTestClient(
      server, "keys", midiOutputs: 1, capacityFrames: 48_000, capacityEvents: 1_024)
    var units: [String] = []
    var commands: [SessionCommand] = []
    func add(_ id: String, _ component: String, _ settings: String...) {
      commands.append(.add(unit: id, component: component, settings: settings))
      units.append(id)
    }
    func connect(_ source: String, _ destination: String) {
      commands.append(.connect(from: source, to: destination))
    }
    for player in 0..<Self.players {
      let turn = number * Self.players + player
      let sound = material.sounds[turn % material.sounds.count]
      let isStreamed = (turn / material.sounds.count + turn) % 2 == 0
      add("player\(player)", "player", "file=\(sound.path)", "stream=\(isStreamed)")
    }
    for recorder in 0..<2 {
      let kind = SoakMaterial.recorded[(2 * number + recorder) % SoakMaterial.recorded.count]
      let file = takes.file("\(recorder).\(kind.container.rawValue)").path
      add(
        "recorder\(recorder)", "recorder", "file=\(file)", "encoding=\"\(kind.encoding.rawValue)\"")
    }
    for sampler in 0..<2 {
      let font = material.fonts[(number + sampler) % 2].path
      add("sampler\(sampler)", "sampler", "soundfont=\(font)")
      connect("keys:midi_out_1", "sampler\(sampler)")
      connect("sampler\(sampler)", "recorder\(sampler)")
    }
    for effect in 0..<2 {
      let kind = Self.effects[(2 * number + effect) % Self.effects.count]
      add("effect\(effect)", kind)
      connect("player\(effect)", "effect\(effect)")
      connect("effect\(effect)", "desk")
    }
    for player in 2..<Self.players {
      connect("player\(player)", "desk")
    }
    for recorder in 0..<2 { connect("recorder\(recorder)", "desk") }
    if number % 4 < 2 {
      try ask(.together(commands))
    } else {
      for command in commands { try ask(command) }
    }
    for player in 0..<Self.players {
      try ask(.set(path: "player\(player)/loop", value: .boolean(Bool.random(using: &random))))
    }
    try expectRefusals(in: takes)
    for player in 0..<Self.players {
      try ask(.set(path: "player\(player)/state", value: .string("Playing")))
    }
    for recorder in 0..<2 {
      try ask(.set(path: "recorder\(recorder)/recording", value: .boolean(true)))
    }
    keys.script.midi = (0..<100).map { note in
      let key = UInt8(40 + note % 40)
      return TestSupport.TimedMIDI(
        frame: note * 110, bytes: [note % 3 == 2 ? 0x80 : 0x90, key, UInt8(note)])
    }
    _ = try await keys.run(frames: 12_288)
    try change(&random)
    _ = try await keys.run(frames: 2_048)
    if number % 2 == 1 {
      for unit in units.shuffled(using: &random) {
        try ask(.remove(unit: unit, ringsOut: Bool.random(using: &random)))
      }
    }
    try takeBack()
  }

  /// Replaces some files and units.
  private func change(_ random: inout SeededRandom) throws {
    let sound = material.sounds.randomElement(using: &random)!
    for path in ["player0", "player3"] {
      try ask(.set(path: "\(path)/state", value: .string("Paused")))
      try ask(.set(path: "\(path)/state", value: .string("Playing")))
    }
    try ask(.soundFont(unit: "sampler0", file: material.fonts[(number + 1) % 2].path))
    try ask(
      .replace(unit: "player2", component: "player", settings: ["file=\(sound.path)"]))
    try ask(
      .replace(
        unit: "sampler1", component: "sampler",
        settings: ["soundfont=\(material.fonts[number % 2].path)"]))
  }

  /// Expects errors for broken files, and for a recorder's file in a missing folder.
  private func expectRefusals(in takes: TemporaryDirectory) throws {
    for file in material.broken {
      #expect(throws: SessionCommandError.self) {
        try ask(.add(unit: "broken", component: "player", settings: ["file=\(file.path)"]))
      }
      #expect(throws: SessionCommandError.self) {
        try ask(.add(unit: "broken", component: "sampler", settings: ["soundfont=\(file.path)"]))
      }
      #expect(throws: SessionCommandError.self) {
        try ask(.soundFont(unit: "sampler0", file: file.path))
      }
    }
    #expect(throws: SessionCommandError.self) {
      try ask(
        .add(
          unit: "broken", component: "recorder", settings: ["file=\(takes.file("a/b.wav").path)"]))
    }
  }

  /// Undoes the round, so that the history is as long as before. Then adds and undoes some filters,
  /// the only removed units that it keeps.
  private func takeBack() throws {
    do { while true { try ask(.undo(steps: 1)) } } catch let error as SessionCommandError {
      #expect(error.message == "there is nothing to undo")
    }
    let ids = (0..<9).map { "last\($0)" }
    try ask(.together(ids.map { .add(unit: $0, component: "filter") }))
    try ask(.undo(steps: 1))
    guard case .units(let units) = try ask(.list(path: nil)) else { return }
    #expect(units.map(\.id) == ["desk"])
  }
}
