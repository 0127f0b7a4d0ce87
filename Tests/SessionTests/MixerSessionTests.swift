// A mixer in a running session, with inputs added and removed.

import Foundation
import MediaFiles
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite struct MixerSessionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Starts a session of a mixer with a port at its first input, and a filter at the third.
  private func run(_ others: String = "") async throws -> SteppedSession {
    let file = try directory.write(
      """
      [[unit]]
      id = "one"
      component = "filter"
      [[unit]]
      id = "two"
      component = "filter"
      [[unit]]
      id = "desk"
      component = "mixer"
      inputs = 5
      ports = [1]
      parameters = { inputs.5.pan = -1.0 }
      [[connect]]
      from = "one"
      to = "desk:3"

      """ + others, to: "session.toml")
    return try await SteppedSession(file)
  }

  private func saved(_ session: SteppedSession) async throws -> String {
    let file = directory.file("saved.toml")
    try await session.ask(.save(file: file.path))
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func inputsComeAndGoWhileAnotherOnePlaysOnToTheBit() async throws {
    let noise = Signal.noise(frames: 60_000, seed: 1)
    let writer = try AudioFileWriter(
      url: directory.file("sound.wav"), sampleRate: 48_000, channelCount: 1)
    try writer.write([noise])
    try writer.finish()
    let session = try await run(
      """
      [[unit]]
      id = "backing"
      component = "player"
      file = "sound.wav"
      [[connect]]
      from = "backing"
      to = "desk:5"
      """)
    try await session.ask(.set(path: "backing/state", value: .string("Playing")))
    await session.step(4_800)
    try await session.ask(.connect(from: "two", to: "desk"))
    #expect(await session.refusal(.connect(from: "two", to: "desk")).contains("already"))
    try await session.ask(.disconnect(from: "two", to: "desk"))
    try await session.ask(.connect(from: "two", to: "desk:2"))
    try await session.ask(.set(path: "desk/inputs/2/volume", value: .number(0.5)))
    try await session.ask(.add(unit: "three", component: "filter"))
    try await session.ask(.connect(from: "three", to: "desk"))
    let refusal = await session.refusal(.connect(from: "three", to: "desk:6"))
    #expect(
      refusal
        == "unit 'desk' has no input bus 6; accepted: 1 to 5")
    // The lowest free numbers above the input with the port.
    let text = try await saved(session)
    for (source, input) in [("one", 3), ("two", 2), ("three", 4), ("backing", 5)] {
      #expect(text.contains("from = \"\(source)\"\nto = \"desk:\(input)\""), "\(text)")
    }
    #expect(try await session.value("backing/state") != 0, "it has ended before the last change")
    await session.step(60_000)
    // Mono on the left side is unchanged. Inputs connected meanwhile are silent.
    let sound = session.audio("desk_out_1")
    let start = try #require(sound.firstIndex { $0 != 0 })
    #expect(firstDifference(Array(sound[start..<start + noise.count]), noise) == nil)
    #expect(sound[(start + noise.count)...].allSatisfy { $0 == 0 })
    #expect(session.audio("desk_out_2").allSatisfy { $0 == 0 })
    #expect(await session.end() == nil)
  }

  /// `mix` names the input of a source at its mixer. The values of the input stay with the source.
  @Test func mixValuesTravelWithTheirSource() async throws {
    let session = try await run()
    func set(_ path: String, _ value: Double) async throws {
      try await session.ask(.set(path: path, value: .number(value)))
    }
    // Through an effect.
    try await session.ask(.add(unit: "singer", component: "tone"))
    try await session.ask(.connect(from: "singer", to: "two"))
    try await session.ask(.connect(from: "two", to: "desk:2"))
    try await set("singer/mix/volume", 0.5)
    try await set("singer/mix/pan", 1)
    #expect(try await session.value("desk/inputs/2/volume") == 0.5)
    #expect(
      await session.refusal(.get(path: "desk/mix/volume"))
        == "'desk' is no source that a mixer hears; accepted: one, singer")
    #expect(
      await session.refusal(.set(path: "singer/mix/echo", value: .number(1)))
        .contains("desk/inputs/"))
    // To another mixer that is added for it.
    try await session.ask(.disconnect(from: "two", to: "desk:2"))
    try await set("desk/inputs/2/volume", 0.125)
    try await session.ask(.add(unit: "other", component: "mixer"))
    try await session.ask(.connect(from: "two", to: "other:3"))
    #expect(try await session.value("other/inputs/3/volume") == 0.5)
    #expect(try await session.value("singer/mix/pan") == 1)
    #expect(try await session.value("desk/inputs/2/volume") == 0.125)
    // And back, together with the connections made meanwhile.
    try await set("singer/mix/volume", 0.75)
    try await session.ask(
      .together([
        .disconnect(from: "two", to: "other:3"), .connect(from: "two", to: "desk:4"),
      ]))
    #expect(try await session.value("desk/inputs/4/volume") == 0.75)
    // A 3D mixer keeps a pan without effect.
    try await session.ask(.add(unit: "scene", component: "environment"))
    try await session.ask(
      .together([
        .disconnect(from: "two", to: "desk:4"), .connect(from: "singer", to: "scene"),
      ]))
    #expect(try await session.value("scene/inputs/1/volume") == 0.75)
    #expect(try await session.value("scene/inputs/1/pan") == 1)
    #expect(await session.end() == nil)
  }

  /// The new mixer's own settings of an input take precedence over those of the source.
  @Test func aMixerAddedWithTheConnectionTakesTheValuesOfTheSource() async throws {
    let session = try await run()
    for (path, value) in [("one/mix/volume", 0.5), ("one/mix/pan", 1)] {
      try await session.ask(.set(path: path, value: .number(value)))
    }
    let move: [SessionCommand] = [
      .disconnect(from: "one", to: "desk:3"),
      .add(unit: "other", component: "mixer", settings: ["parameters.inputs.2.volume=0.25"]),
      .connect(from: "one", to: "other:2"),
    ]
    func heard() async throws -> [Float?] {
      [
        try await session.value("other/inputs/2/volume"),
        try await session.value("other/inputs/2/pan"),
      ]
    }
    try await session.ask(.together(move))
    #expect(try await heard() == [0.25, 1])
    _ = try await session.undo()
    #expect(try await session.value("one/mix/volume") == 0.5)
    _ = try await session.redo()
    #expect(try await heard() == [0.25, 1])
    #expect(try await saved(session).contains("inputs.2.pan = 1"))
    #expect(await session.end() == nil)
  }

  /// One step: the connection, and the values its input gets from it.
  @Test func aConnectionIsUndoneWithTheValuesOfItsInput() async throws {
    let session = try await run()
    let volume = "desk/inputs/4/volume"
    func set(_ path: String, _ value: Double) async throws {
      try await session.ask(.set(path: path, value: .number(value)))
    }
    try await set("one/mix/volume", 0.5)
    try await session.ask(.disconnect(from: "one", to: "desk:3"))
    try await set(volume, 0.25)
    let refusal = await session.refusal(
      .together([.connect(from: "one", to: "desk:4"), .connect(from: "desk", to: "one")]))
    #expect(refusal.contains("go round in a circle"), "\(refusal)")
    #expect(try await session.value(volume) == 0.25)
    try await session.ask(.connect(from: "one", to: "desk:4"))
    #expect(try await session.value(volume) == 0.5)
    #expect(try await session.undo() == ["one connected to desk:4"])
    #expect(try await session.value(volume) == 0.25)
    #expect(try await session.redo() == ["one connected to desk:4"])
    #expect(try await session.value(volume) == 0.5)
    #expect(await session.end() == nil)
  }
}
