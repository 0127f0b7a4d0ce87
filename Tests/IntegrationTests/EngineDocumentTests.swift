// A program and commands that change the same session.

import AudioEngine
import Configuration
import Effects
import Foundation
import Players
import Session
import TestSupport
import Testing
import UnitModel

@Suite(.serialized) struct EngineDocumentTests {
  @Test func aProgramReconnectsUnitsThatACommandDisconnected() async throws {
    let session = try await EngineSession("again")
    let engine = session.engine
    let tone = try ToneUnit()
    try engine.attach(tone)
    try await engine.connect(tone, to: engine.mainMixerNode)
    try await engine.start()
    #expect(try session.connections().contains("tone:1 -> mixer:1"))
    try session.ctl(.disconnect(from: "tone:1", to: "mixer:1"))
    #expect(try !session.connections().contains("tone:1 -> mixer:1"))
    try await engine.connect(tone, to: engine.mainMixerNode)
    #expect(try session.connections().contains("tone:1 -> mixer:1"))
    // MIDI and the engine's own connections, too.
    try await engine.connectMIDIDevices(to: tone)
    try session.ctl(.disconnect(from: "physical:midi", to: "tone:midi"))
    try await engine.connectMIDIDevices(to: tone)
    #expect(try session.connections().contains("physical:midi -> tone:midi"))
    try session.ctl(.disconnect(from: "output:1", to: "physical:outputs"))
    try await engine.disconnectMIDIInput(of: tone)
    #expect(try session.connections() == ["tone:1 -> mixer:1", "mixer:1 -> output:1"])
    await engine.stop()
  }

  @Test func aSavedSessionKeepsMonoUnchangedAtTheOutput() async throws {
    let session = try await EngineSession("unity")
    let tone = try ToneUnit()
    try session.engine.attach(tone)
    try await session.engine.connect(tone, to: session.engine.mainMixerNode)
    try await session.engine.start()
    let saved = try session.saved()
    let layouts = saved.units.filter { $0.id.value != "tone" }.map {
      "\($0.id.value) \($0.keys["mono-at-unity"]?.content == .boolean(true))"
    }
    #expect(layouts.sorted() == ["mixer false", "output true"])
    await session.engine.stop()
  }

  @Test func aProgramKeepsChangesByCommands() async throws {
    let session = try await EngineSession("left")
    let engine = session.engine
    let (tone, delay) = (try ToneUnit(), try DelayUnit())
    try engine.attach(tone)
    try engine.attach(delay)
    try await engine.connect(tone, to: delay)
    try await engine.connect(delay, to: engine.mainMixerNode)
    try await engine.start()
    try session.ctl(.replace(unit: "delay", component: "filter"))
    try session.ctl(.add(unit: "more", component: "tone"))
    try session.ctl(.connect(from: "more", to: "mixer"))
    let other = try ToneUnit()
    try engine.attach(other, id: "other")
    try await engine.connect(other, to: engine.mainMixerNode)
    let saved = try session.saved()
    #expect(
      saved.units.map { "\($0.id.value) \($0.component.value)" }.sorted() == [
        "delay filter", "mixer aumx/mixr/Aurc", "more tone", "other aumu/tone/Aurc",
        "output aumx/mixr/Aurc", "tone aumu/tone/Aurc",
      ])
    #expect(
      EngineSession.connections(saved) == [
        "tone:1 -> delay:1", "delay:1 -> mixer:1", "more -> mixer:2", "other:1 -> mixer:3",
        "mixer:1 -> output:1", "output:1 -> physical:outputs",
      ])
    // A program can end a connection that a command made.
    let more = try #require(try engine.units.first { try engine.id(of: $0) == "more" })
    try await engine.disconnectOutput(of: more)
    #expect(try !session.connections().contains("more -> mixer:2"))
    #expect(try session.listed().contains("more"))
    try await engine.detach(more)
    #expect(try !session.listed().contains("more"))
    await engine.stop()
  }

  @Test func aUnitThatACommandHasTakenAwayIsAttachedAgainFirst() async throws {
    let session = try await EngineSession("away")
    let engine = session.engine
    let (tone, delay) = (try ToneUnit(), try DelayUnit())
    try engine.attach(tone)
    try engine.attach(delay)
    try await engine.connect(tone, to: delay)
    try await engine.connect(delay, to: engine.mainMixerNode)
    try await engine.start()
    try session.ctl(.replace(unit: "delay", component: "filter"))
    #expect(try session.attached().sorted() == ["delay", "mixer", "output", "tone"])
    #expect(!engine.units.contains { $0 === delay })
    #expect(
      await session.refusal { try await engine.connect(delay, to: engine.mainMixerNode) }
        == "'delay' was removed from the session, or replaced there: attach it again")
    try engine.attach(delay, id: "echo")
    try await engine.connect(delay, to: engine.mainMixerNode)
    #expect(try session.connections().contains("echo:1 -> mixer:2"))
    try session.ctl(.remove(unit: "tone"))
    #expect(try session.attached().sorted() == ["delay", "echo", "mixer", "output"])
    #expect(
      await session.refusal { try await engine.connect(tone, to: delay) }
        == "'tone' was removed from the session, or replaced there: attach it again")
    // Detaching a removed unit is no mistake.
    try await engine.detach(tone)
    try session.ctl(.undo(steps: 1))
    #expect(engine.units.contains { $0 === tone })
    #expect(try engine.id(of: tone) == "tone")
    try await engine.connect(tone, to: engine.mainMixerNode)
    #expect(try session.connections().contains("tone:1 -> mixer:3"))
    await engine.stop()
  }

  @Test func undoRevertsChangesByAProgram() async throws {
    let session = try await EngineSession("undone")
    let engine = session.engine
    let (tone, delay) = (try ToneUnit(), try DelayUnit())
    try engine.attach(tone)
    try engine.attach(delay)
    try await engine.connect(tone, to: engine.mainMixerNode)
    try await engine.start()
    try await engine.connect(delay, to: engine.mainMixerNode)
    try await engine.connect(tone, adding: delay)
    #expect(
      try session.connections() == [
        "tone:1 -> mixer:1", "delay:1 -> mixer:2", "tone:1 -> delay:1", "mixer:1 -> output:1",
        "output:1 -> physical:outputs",
      ])
    try session.ctl(.undo(steps: 1))
    #expect(try !session.connections().contains("tone:1 -> delay:1"))
    // The connection has ended for the program as well.
    #expect(
      await session.refusal { try await engine.disconnectInput(of: delay) }
        == "nothing is connected to 'delay'")
    try session.ctl(.undo(steps: 1))
    #expect(try session.listed() == ["tone", "mixer", "output"])
    #expect(try session.attached().sorted() == ["mixer", "output", "tone"])
    try session.ctl(.redo(steps: 2))
    #expect(engine.units.contains { $0 === delay })
    try await engine.disconnectInput(of: delay)
    #expect(try !session.connections().contains("tone:1 -> delay:1"))
    await engine.stop()
  }

  /// Keeps units that lead nowhere after a command's disconnection.
  @Test func unitsThatACommandDisconnectedStayInTheSession() async throws {
    let session = try await EngineSession("kept")
    let engine = session.engine
    let (tone, delay, other) = (try ToneUnit(), try DelayUnit(), try ToneUnit())
    try engine.attach(tone)
    try engine.attach(delay)
    try engine.attach(other, id: "other")
    try await engine.connect(tone, to: delay)
    try await engine.connect(delay, to: engine.mainMixerNode)
    try await engine.start()
    try session.ctl(.disconnect(from: "delay:1", to: "mixer:1"))
    try await engine.connect(other, to: engine.mainMixerNode)
    #expect(try session.listed() == ["tone", "delay", "mixer", "output", "other"])
    try session.ctl(.connect(from: "delay:1", to: "physical:outputs"))
    // The command's connection is none of the engine's, but it ends a chain, which stays.
    try await engine.disconnectInput(of: engine.outputNode)
    #expect(try session.listed().sorted() == ["delay", "output", "tone"])
    #expect(
      try session.connections() == [
        "tone:1 -> delay:1", "delay:1 -> physical:outputs", "output:1 -> physical:outputs",
      ])
    try await engine.disconnectOutput(of: tone)
    #expect(try session.listed().sorted() == ["delay", "output"])
    await engine.stop()
  }

  @Test func changesInAPauseKeepChangesByCommands() async throws {
    let session = try await EngineSession("paused")
    let engine = session.engine
    let (tone, other) = (try ToneUnit(), try ToneUnit())
    try engine.attach(tone)
    try engine.attach(other, id: "other")
    try await engine.connect(tone, to: engine.mainMixerNode)
    try await engine.start()
    try session.ctl(.add(unit: "more", component: "tone"))
    try session.ctl(.connect(from: "more", to: "mixer"))
    try await engine.pause()
    try await engine.disconnectOutput(of: tone)
    try await engine.connect(other, to: engine.mainMixerNode)
    #expect(
      await session.refusal { try session.ctl(.remove(unit: "more")) }
        == "the program has paused this session")
    #expect(try session.connections().contains("tone:1 -> mixer:1"))
    try await engine.start()
    #expect(
      try session.connections() == [
        "more -> mixer:2", "other:1 -> mixer:1", "mixer:1 -> output:1",
        "output:1 -> physical:outputs",
      ])
    #expect(try session.listed().sorted() == ["mixer", "more", "other", "output"])
    // Units stay attached and connected, by the program or by commands.
    await engine.stop()
    #expect(try session.attached().sorted() == ["mixer", "more", "other", "output", "tone"])
    try await engine.start()
    #expect(try session.listed().sorted() == ["mixer", "more", "other", "output"])
    #expect(try session.connections().contains("more:1 -> mixer:2"))
    await engine.stop()
    // Between two sessions only the program makes changes.
    try await engine.disconnectOutput(of: other)
    try await engine.start()
    #expect(try engine.id(of: other) == "other")
    try await engine.connect(other, to: engine.mainMixerNode)
    #expect(try session.listed().contains("other"))
    await engine.stop()
  }

  @Test func aUnitGoesWithItsMappings() async throws {
    let session = try await EngineSession("mapped")
    let engine = session.engine
    let (tone, delay) = (try ToneUnit(), try DelayUnit())
    try engine.attach(tone)
    try engine.attach(delay)
    try await engine.connect(tone, to: delay)
    try await engine.connect(delay, to: engine.mainMixerNode)
    try await engine.start()
    try session.ctl(.map(path: "delay/mix", settings: ["controller=7"]))
    try session.ctl(.scene(.save("Far")))
    try await engine.detach(delay)
    let saved = try session.saved()
    #expect(saved.mappings.isEmpty)
    #expect(saved.scenes.map(\.name.value) == ["Far"])
    try session.ctl(.undo(steps: 1))
    #expect(try session.saved().mappings.map(\.unit) == ["delay"])
    #expect(engine.units.contains { $0 === delay })
    await engine.stop()
  }

  @Test func theMainMixerIsMadeAgainIfACommandHasRemovedIt() async throws {
    let session = try await EngineSession("mixer")
    let engine = session.engine
    let (tone, other) = (try ToneUnit(), try ToneUnit())
    try engine.attach(tone)
    try engine.attach(other, id: "other")
    let mixer = engine.mainMixerNode
    try await engine.connect(tone, to: mixer)
    try await engine.start()
    try session.ctl(.remove(unit: "mixer"))
    try await engine.connect(other, to: engine.mainMixerNode)
    #expect(engine.mainMixerNode !== mixer)
    #expect(
      try session.connections() == [
        "other:1 -> mixer:1", "mixer:1 -> output:1", "output:1 -> physical:outputs",
      ])
    // A mixer that replaces it becomes the main mixer.
    try session.ctl(.replace(unit: "mixer", component: "mixer"))
    let next = engine.mainMixerNode
    #expect(engine.units.contains { $0 === next })
    try await engine.connect(tone, to: next)
    #expect(try session.connections().contains("tone:1 -> mixer:2"))
    try session.ctl(.disconnect(from: "tone:1", to: "mixer:2"))
    try session.ctl(.replace(unit: "mixer", component: "delay"))
    #expect(
      await session.refusal { try await engine.connect(tone, to: engine.mainMixerNode) }
        == "'mixer' was removed from the session, or replaced there: attach it again")
    await engine.stop()
  }

  @Test func mixValuesFollowASourceThatACommandMoves() async throws {
    let session = try await EngineSession("moved")
    let engine = session.engine
    let player = try ScheduledPlayerUnit(channels: 1)
    try engine.attach(player)
    try await engine.connect(player, to: engine.mainMixerNode)
    try await engine.start()
    player.volume = 0.5
    try session.ctl(.disconnect(from: "player:1", to: "mixer:1"))
    try session.ctl(.connect(from: "player:1", to: "mixer:4"))
    func volume(_ input: Int) -> Float? {
      engine.mainMixerNode.parameterTree.parameter(keyPath: "inputs.\(input).volume")?.value
    }
    #expect(volume(4) == 0.5)
    player.volume = 0.25
    #expect(volume(4) == 0.25)
    #expect(volume(1) == 0.5)
    // A value set at the mixer follows, too.
    try session.ctl(.set(path: "mixer/inputs/4/volume", value: .number(2)))
    try session.ctl(.disconnect(from: "player:1", to: "mixer:4"))
    try session.ctl(.connect(from: "player:1", to: "mixer:2"))
    #expect(volume(2) == 2)
    await engine.stop()
  }

  /// Refuses a unit whose name a command has given to another one since.
  @Test func aUnitWhoseNameIsTakenIsRefused() async throws {
    let session = try await EngineSession("taken")
    let engine = session.engine
    let delay = try DelayUnit()
    try engine.attach(delay)
    _ = engine.mainMixerNode
    try await engine.start()
    try session.ctl(.add(unit: "delay", component: "filter"))
    #expect(
      await session.refusal { try await engine.connect(delay, to: engine.mainMixerNode) }
        == "there is a unit 'delay' already")
    #expect(!engine.connections.contains { $0.source === delay })
    #expect(await session.refusal { try engine.attach(try DelayUnit(), id: "delay") } != nil)
    try await engine.detach(delay)
    try engine.attach(delay)
    try await engine.connect(delay, to: engine.mainMixerNode)
    #expect(try session.connections().contains("delay-2:1 -> mixer:1"))
    await engine.stop()
  }

  @Test func aSavedSessionOpens() async throws {
    let session = try await EngineSession("opened")
    let engine = session.engine
    let (tone, player, delay) = (try ToneUnit(), try ScheduledPlayerUnit(), try DelayUnit())
    try engine.attach(tone)
    try engine.attach(player)
    try engine.attach(delay)
    try await engine.connect(tone, to: delay)
    try await engine.connect(delay, to: engine.mainMixerNode)
    try await engine.connect(player, to: engine.mainMixerNode)
    let tap = try await engine.installTap(on: tone, bufferSize: 256) { _ in }
    try await engine.start()
    try await open(session, leavingOut: ["tone-tap"])
    try session.ctl(.add(unit: "more", component: "filter"))
    try session.ctl(.connect(from: "delay", to: "more"))
    try session.ctl(.connect(from: "more", to: "mixer"))
    try await open(session, leavingOut: ["tone-tap"])
    #expect(try session.listed().contains("tone-tap"))
    try await engine.disconnectInput(of: delay)
    try await engine.removeTap(tap)
    try await open(session)
    try session.ctl(.remove(unit: "delay"))
    try await engine.connect(tone, to: engine.mainMixerNode)
    try await open(session)
    await engine.stop()
  }

  /// Saves the session, and runs the command with it.
  private func open(_ session: EngineSession, leavingOut leftOut: [String] = []) async throws {
    let saved = try session.saved(leavingOut: leftOut)
    let child = try ChildProcess(
      builtProduct("auricle"),
      ["run", session.folder.file("saved.toml").path, "--server", session.server.name])
    _ = try await child.waitForLine(containing: "ready:")
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    #expect(try saved.units.map(\.id.value) == session.listed().filter { !leftOut.contains($0) })
  }
}
