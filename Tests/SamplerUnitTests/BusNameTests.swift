// Names of the output busses, which follow the programs.

import Foundation
import SoundFontFiles
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

@Suite struct BusNameTests {
  private func names(_ rig: SamplerRig) -> [String] { rig.unit.outputBusses.map(\.name) }

  private static let rigNames =
    (1...16).map { $0 == 10 ? "Ch 10: Kit" : "Ch \($0): Sine" } + ["Effects"]

  @Test func aLoadNamesTheBusses() async throws {
    for isStarted in [false, true] {
      for (outputs, expected, other) in [
        (SamplerOutputLayout.stereo, ["Sine"], ["Right"]),
        (.dryAndEffects, ["Dry: Sine", "Reverb", "Chorus"], ["Dry: Right", "Reverb", "Chorus"]),
        (.channels, Self.rigNames, Self.rigNames.map { $0.replacing("Sine", with: "Right") }),
      ] {
        let rig = try SamplerRig(outputs: outputs)
        if isStarted { try rig.start() }
        try await rig.unit.load(soundFont: rig.font)
        #expect(names(rig) == expected, "\(outputs)")
        try await rig.unit.load(soundFont: rig.font, bank: 1, program: 0)
        #expect(names(rig) == other, "\(outputs)")
        try rig.unit.setFullState(SamplerUnit().fullState)
        #expect(names(rig) == outputs.busNames, "\(outputs)")
      }
    }
  }

  @Test func programChangesNameTheirChannelAndNotifyObservers() async throws {
    let rig = try await SamplerRig.playing(outputs: .channels)
    let told = Mutex<[String]>([])
    _ = rig.unit.outputBusses.token(byAddingBusObserver: { bus, property in
      told.withLock { $0.append("\(property) \(bus.index) \(bus.name)") }
    })
    _ = try rig.render(64, [(0, [0xC0, 3]), (10, [0xB2, 0, 1]), (20, [0xC2, 0])])
    #expect(await eventually { names(rig)[0] == "Ch 1: Long" && names(rig)[2] == "Ch 3: Right" })
    // A program missing in the font: FluidSynth plays the bank's first one instead.
    _ = try rig.render(64, [(0, [0xC0, 99])])
    #expect(await eventually { names(rig)[0] == "Ch 1: Sine" })
    _ = try rig.render(64, [(0, [0xC4, 1])])
    _ = try rig.render(64, [(0, [0xFF])])
    #expect(await eventually { names(rig) == Self.rigNames })
    // Names may or may not be updated between the last two messages.
    let news = told.withLock { $0 }.filter { !$0.hasPrefix("name 4") }
    #expect(Set(news.prefix(2)) == ["name 0 Ch 1: Long", "name 2 Ch 3: Right"])
    #expect(news.dropFirst(2) == ["name 0 Ch 1: Sine", "name 2 Ch 3: Sine"])
  }

  @Test func programsOfTheStereoLayoutsChannelsLeaveTheNameOfTheWhole() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.render(64, [(0, [0xC0, 3])])
    let looks = rig.unit.bay.presets.lookCount
    #expect(await eventually { rig.unit.reported.withLock { $0.lookCount } == looks })
    #expect(names(rig) == ["Sine"])
  }

  @Test func soundsChosenByMIDIAreReported() async throws {
    let rig = try await SamplerRig.playing()
    #expect(rig.unit.soundsChosenByMIDI == nil)
    _ = try rig.render(64)
    #expect(rig.unit.soundsChosenByMIDI == nil)
    _ = try rig.render(64, [(0, [0xC0, 3]), (10, [0xB2, 0, 1]), (20, [0xC2, 0])])
    #expect(rig.unit.soundsChosenByMIDI == "channel 1: Long, channel 3: Right")
    // A sound that is loaded replaces them all.
    try await rig.unit.load(soundFont: rig.font, bank: 1, program: 0)
    #expect(
      try await eventually {
        _ = try rig.render(64)
        return rig.unit.soundsChosenByMIDI == nil
      })
  }

  @Test func entriesOfALiveSetNameTheSound() async throws {
    for outputs in [SamplerOutputLayout.stereo, .channels] {
      let rig = try SamplerRig(outputs: outputs)
      rig["synths"] = 4
      let font = try SoundFontMaker.sine(periodFrames: 200).write(to: rig.directory.file("o.sf2"))
      let set = LiveSet([
        LiveSetEntry(number: 0, name: "Soft", soundFonts: [SoundFontEntry(rig.font)]),
        LiveSetEntry(number: 1, name: "Hard", soundFonts: [SoundFontEntry(font)]),
        LiveSetEntry(number: 2, name: "Wide", soundFonts: [SoundFontEntry(rig.font)], program: 1),
      ])
      try await rig.unit.setLiveSet(set)
      func check(_ entry: String, _ preset: String) async throws {
        let expected = outputs == .stereo ? entry : "Ch 1: " + preset
        #expect(await eventually { names(rig)[0] == expected }, "\(names(rig)[0])")
      }
      try await check("Soft", "Sine")
      try rig.unit.select(entry: 2)
      try await check("Wide", "Left")
      try rig.start()
      try await check("Wide", "Left")
      for (number, entry, preset) in [(1, "Hard", "Other"), (0, "Soft", "Sine")] {
        _ = try rig.render(64, [(0, [0xC0, UInt8(number)])])
        try await check(entry, preset)
      }
      // A SoundFont loaded next to the live set.
      try await rig.unit.load(soundFont: font)
      _ = try rig.render(64)
      try await check("Other", "Other")
    }
  }

  @Test func namesStayWhileTheUnitIsMadeReadyForAnotherRate() async throws {
    let rig = try await SamplerRig.playing(outputs: .channels)
    _ = try rig.render(64, [(0, [0xC0, 1])])
    #expect(await eventually { names(rig)[0] == "Ch 1: Left" })
    let told = Mutex<[String]>([])
    _ = rig.unit.outputBusses.token(byAddingBusObserver: { bus, property in
      told.withLock { $0.append("\(property) \(bus.name)") }
    })
    try rig.stop()
    rig.unit.soundDidChange()
    try rig.start()
    _ = try rig.render(64)
    let looks = rig.unit.bay.presets.lookCount
    #expect(await eventually { rig.unit.reported.withLock { $0.lookCount } == looks })
    #expect(told.withLock { $0 } == [])
  }

  @Test func aHostsOwnNameStandsUntilTheProgramChanges() async throws {
    let rig = try await SamplerRig.playing(outputs: .channels)
    rig.unit.outputBusses[0].name = "Lead"
    _ = try rig.render(64, [(0, [0xC1, 3])])
    #expect(await eventually { names(rig)[1] == "Ch 2: Long" })
    #expect(names(rig)[0] == "Lead")
    _ = try rig.render(64, [(0, [0xC0, 1])])
    #expect(await eventually { names(rig)[0] == "Ch 1: Left" })
  }
}

@Suite struct TailNewsTests {
  @Test func observersGetEveryChangedTail() async throws {
    let rig = try SamplerRig([.transpose])
    let tails = Mutex<[Double]>([])
    let unit = rig.unit
    _ = unit.token(byAddingPropertyObserver: { [weak unit] property in
      if property == .tailTime, let unit { tails.withLock { $0.append(unit.tailTime) } }
    })
    func news() -> [Double] { tails.withLock { $0 } }
    rig["reverb.on"] = 1
    rig["reverb.roomSize"] = 0.5
    #expect(news() == [])  // Without a SoundFont there is nothing to ring.
    try await unit.load(soundFont: rig.font)
    #expect(news() == [unit.tailTime])
    rig["reverb.roomSize"] = 0.8
    #expect(news().count == 2 && news()[1] == unit.tailTime && news()[1] > news()[0])
    rig["gain"] = -3
    rig["reverb.level"] = 0.5
    rig["reverb.roomSize"] = 0.8
    #expect(news().count == 2)
    rig["reverb.on"] = 0
    #expect(news().count == 3 && news()[2] == unit.tailTime && news()[2] < news()[0])
    rig["chorus.on"] = 1
    rig["chorus.depth"] = 200
    #expect(news().count == 5 && news()[4] == unit.tailTime)
    rig["chorus.on"] = 0
    rig["reverb.on"] = 1
    // A new MIDI chain has a new parameter tree.
    let before = news().count
    try unit.setMIDIStages([.velocity])
    rig["reverb.roomSize"] = 0.6
    #expect(news().count == before + 1 && news().last == unit.tailTime)
    let count = news().count
    // Observers are also notified of changes by events.
    try rig.start()
    try rig.schedule("reverb.roomSize", 0.3)
    _ = try rig.render(64)
    #expect(await eventually { news().count > count })
    #expect(news().count == count + 1 && news().last == unit.tailTime)
  }

  @Test func aProgramChangeToAnEntryReportsItsTail() async throws {
    let rig = try SamplerRig()
    rig["synths"] = 4
    rig["reverb.on"] = 1
    try await rig.unit.setLiveSet(
      LiveSet([
        LiveSetEntry(number: 0, name: "Dry", soundFonts: [SoundFontEntry(rig.font)]),
        LiveSetEntry(
          number: 1, name: "Hall", soundFonts: [SoundFontEntry(rig.font)],
          parameters: ["reverb.roomSize": 0.9]),
      ]))
    try rig.start()
    let tails = Mutex<[Double]>([])
    let unit = rig.unit
    let before = unit.tailTime
    _ = unit.token(byAddingPropertyObserver: { [weak unit] property in
      if property == .tailTime, let unit { tails.withLock { $0.append(unit.tailTime) } }
    })
    _ = try rig.render(64, [(0, [0xC0, 1])])
    #expect(await eventually { tails.withLock { !$0.isEmpty } })
    #expect(tails.withLock { $0.last ?? 0 } > before)
  }
}
