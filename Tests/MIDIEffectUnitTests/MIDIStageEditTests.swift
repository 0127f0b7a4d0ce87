// New stages for a playing unit: settings, parameter tree, refusals and threads.

import MIDIEffectUnit
import MIDIStages
import MIDIStagesModel
import Synchronization
import TestSupport
import Testing
import UnitHost
import UnitModel

@Suite struct MIDIStageEditTests {
  typealias MIDI = DirectHost.MIDI

  private func set(_ unit: MIDIEffectUnit, _ keyPath: String, _ value: Float) {
    unit.parameterTree.parameter(keyPath: "midi." + keyPath)!.value = value
  }

  private func sent(_ host: DirectHost, _ messages: [UInt8]...) throws -> [[UInt8]] {
    _ = try host.render(64, midi: messages.map { MIDI($0) })
    return host.midiOutput.map(\.bytes)
  }

  @Test func stagesComeAndGoWhileNotesAreHeldAndThoseThatStayKeepTheirSettings() throws {
    let unit = try MIDIEffectUnit(midiStages: [.transpose])
    set(unit, "transpose.semitones", 12)
    let tree = unit.parameterTree
    let heard = Mutex<[AudioUnitProperty]>([])
    let token = unit.token(byAddingPropertyObserver: { property in
      heard.withLock { $0.append(property) }
    })
    try unit.allocateRenderResources()
    let host = try DirectHost(unit)
    #expect(try sent(host, [0x90, 60, 1]) == [[0x90, 72, 1]])

    try unit.setMIDIStages([.channel, .transpose])
    #expect(heard.withLock { $0 } == [.renderResourcesAllocated, .parameterTree])
    #expect(unit.midiLayout.stages.map(\.kind) == [.channel, .transpose])
    #expect(unit.parameterTree !== tree)
    #expect(unit.parameterTree.parameter(keyPath: "midi.transpose.semitones")?.value == 12)
    #expect(unit.parameterTree.parameter(keyPath: "midi.channel.mode")?.value == 0)
    // A value set now applies when the stages take over; the held note ends as it began.
    set(unit, "channel.map.1", 5)
    #expect(
      try sent(host, [0x80, 60, 1], [0x90, 60, 2]) == [[0x80, 72, 1], [0x94, 72, 2]])
    try unit.setMIDIStages([])
    #expect(unit.parameterTree.allParameters.isEmpty)
    #expect(try sent(host, [0x80, 60, 2], [0x90, 60, 3]) == [[0x84, 72, 2], [0x90, 60, 3]])
    unit.removePropertyObserver(token)
  }

  @Test func valuesThatChangeBetweenAnEditAndTheNextCycleCount() throws {
    let unit = try MIDIEffectUnit(midiStages: [.transpose])
    try unit.allocateRenderResources()
    let host = try DirectHost(unit)
    let oldTree = unit.parameterTree
    let old = oldTree.parameter(keyPath: "midi.transpose.semitones")!
    try unit.scheduleParameter(old.address, value: 3, at: .frame(10))
    try unit.setMIDIStages([.filter, .transpose])
    #expect(try sent(host, [0x90, 60, 1]) == [[0x90, 60, 1]])
    #expect(try sent(host, [0x90, 61, 1]) == [[0x90, 64, 1]])
    old.value = 5
    #expect(try sent(host, [0x90, 62, 1]) == [[0x90, 67, 1]])
    #expect(unit.parameterTree.parameter(keyPath: "midi.transpose.semitones")!.value == 5)
    // A value scheduled for a removed stage has no effect.
    try unit.scheduleParameter(old.address, value: 9)
    try unit.setMIDIStages([.filter])
    #expect(try sent(host, [0x90, 63, 1]) == [[0x90, 63, 1]])
  }

  @Test func stagesAreExchangedBetweenAllocationsToo() throws {
    let unit = try MIDIEffectUnit()
    for semitones in 1...3 as ClosedRange<UInt8> {
      try unit.setMIDIStages([.channel, .transpose])
      set(unit, "channel.map.1", 5)
      set(unit, "transpose.semitones", Float(semitones))
      try unit.allocateRenderResources()
      var host: DirectHost? = try DirectHost(unit)
      #expect(try sent(host!, [0x90, 60, 1]) == [[0x94, 60 + semitones, 1]])
      try unit.setMIDIStages([.transpose])
      #expect(try sent(host!, [0x90, 60, 1]) == [[0x90, 60 + semitones, 1]])
      // No cycle takes this change.
      try unit.setMIDIStages([])
      host = nil
      try unit.deallocateRenderResources()
    }
  }

  @Test func aUnitGoesWithTheChainsThatItHas() throws {
    var unit: MIDIEffectUnit? = try MIDIEffectUnit(midiStages: [.transpose])
    weak let gone = unit
    try unit!.allocateRenderResources()
    var host: DirectHost? = try DirectHost(unit!)
    _ = try sent(host!, [0x90, 60, 1])
    try unit!.setMIDIStages([.channel])
    _ = try sent(host!, [0x90, 61, 1])
    try unit!.setMIDIStages([.filter])
    host = nil
    unit = nil
    #expect(gone == nil)
  }

  @Test func stagesThatAreTooManyAreRefusedWhole() throws {
    let unit = try MIDIEffectUnit(midiStages: [.transpose])
    set(unit, "transpose.semitones", 12)
    let tree = unit.parameterTree
    let tooMany = [MIDIStageKind](repeating: .velocity, count: 257)
    #expect(throws: MIDIStagesError.tooManyStages(257)) { try unit.setMIDIStages(tooMany) }
    do throws(MIDIStagesError) {
      try unit.setMIDIStages(Array(tooMany.dropLast()))
      Issue.record("there is no room for their parameters")
    } catch {
      #expect(error.description.hasPrefix("the stages have 10"))
      #expect(error.description.hasSuffix("make another unit with the parameters that are wanted"))
    }
    #expect(unit.parameterTree === tree)
    #expect(unit.midiLayout.stages.count == 1)
    try unit.setMIDIStages(Array(tooMany.prefix(40)) + [.transpose])
    #expect(unit.parameterTree.parameter(keyPath: "midi.transpose.semitones")!.value == 12)
  }

  @Test func aStateIsCheckedAgainstTheStagesThatThereAre() throws {
    let unit = try MIDIEffectUnit(midiStages: [.transpose, .velocity])
    set(unit, "transpose.semitones", 12)
    let state = unit.fullState
    try unit.setMIDIStages([.transpose])
    #expect(throws: StateError.self) { try unit.setFullState(state) }
    let shorter = unit.fullState
    set(unit, "transpose.semitones", 5)
    try unit.setMIDIStages([.velocity, .transpose])
    set(unit, "velocity.fixed", 3)
    try unit.setFullState(shorter)
    #expect(unit.parameterTree.parameter(keyPath: "midi.transpose.semitones")!.value == 12)
    #expect(unit.parameterTree.parameter(keyPath: "midi.velocity.fixed")!.value != 3)
    try unit.setFullState(state)
  }

  /// One thread renders, another exchanges stages and sets values: every note ends.
  @Test func stagesAreExchangedWhileAnotherThreadRenders() async throws {
    let unit = try MIDIEffectUnit(midiStages: [.transpose])
    try unit.allocateRenderResources()
    let done = Flag()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        defer { done.set() }
        var random = SeededRandom(seed: 8)
        let kinds: [MIDIStageKind] = [.transpose, .channel, .scale, .filter, .chord, .arpeggiator]
        for _ in 0..<500 {
          try unit.setMIDIStages(
            (0..<Int.random(in: 0...4, using: &random)).map { _ in
              kinds.randomElement(using: &random)!
            })
          for _ in 0..<10 {
            guard let parameter = unit.parameterTree.allParameters.randomElement(using: &random)
            else { break }
            // A full queue refuses the value, and nothing is damaged.
            try? parameter.setValue(Float.random(in: parameter.range, using: &random).rounded())
          }
        }
        try unit.setMIDIStages([.channel, .transpose])
      }
      tasks.addTask { try Self.play(unit, until: done) }
      try await tasks.waitForAll()
    }
    for parameter in unit.parameterTree.allParameters { parameter.value = parameter.defaultValue }
    set(unit, "transpose.semitones", 7)
    let host = try DirectHost(unit, frame: 1 << 40)
    #expect(try sent(host, [0x90, 60, 1], [0x80, 60, 1]) == [[0x90, 67, 1], [0x80, 67, 1]])
  }

  /// Plays random notes until `done` is set, releases all keys, and expects that no note is left.
  private static func play(_ unit: MIDIEffectUnit, until done: Flag) throws {
    var random = SeededRandom(seed: 7)
    let host = try DirectHost(unit)
    var sounding: [Int: Int] = [:]
    var held: [UInt8] = []
    func cycle(_ messages: [[UInt8]]) throws {
      _ = try host.render(64, midi: messages.map { MIDI($0) })
      for bytes in host.midiOutput.map(\.bytes) where bytes.count == 3 && bytes[0] < 0xA0 {
        let note = Int(bytes[0] & 15) << 8 | Int(bytes[1])
        let count = sounding[note, default: 0] + (bytes[0] >= 0x90 && bytes[2] > 0 ? 1 : -1)
        sounding[note] = count > 0 ? count : nil
      }
    }
    while !done.isSet {
      var messages: [[UInt8]] = []
      for _ in 0..<4 {
        if Bool.random(using: &random) || held.isEmpty {
          held.append(UInt8.random(in: 40..<80, using: &random))
          messages.append([0x90, held.last!, 1])
        } else {
          let place = Int.random(in: 0..<held.count, using: &random)
          messages.append([0x80, held.remove(at: place), 1])
        }
      }
      try cycle(messages)
    }
    try cycle(held.map { [0x80, $0, 0] })
    // Notes held by earlier chains have ended with the last key.
    try cycle([])
    #expect(sounding == [:])
  }
}
