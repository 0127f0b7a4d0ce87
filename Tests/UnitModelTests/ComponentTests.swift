// Codes, searches, and creation of units by name.

import Testing
import UnitModel

@Suite struct ComponentTests {
  static let flag = ComponentFlags(rawValue: 2)
  static let gain = Component(
    description: GainUnit.description, name: "Gain", shortName: "gain", manufacturerName: "Tests",
    version: 0x0002_0103
  ) { description, _ in try GainUnit(description: description) }

  static func other(
    _ type: FourCharacterCode, _ subtype: FourCharacterCode, _ name: String,
    flags: ComponentFlags = []
  ) -> Component {
    Component(
      description: ComponentDescription(
        type: type, subtype: subtype, manufacturer: "Test", flags: flags),
      name: name, shortName: name
    ) { _, _ in throw AudioUnitError.failed("no memory") }
  }

  func registry() throws -> ComponentRegistry {
    let registry = ComponentRegistry()
    try registry.register(Self.gain)
    try registry.register(Self.other(.instrument, "smpl", "sampler", flags: Self.flag))
    try registry.register(Self.other(.instrument, "hidn", "hidden", flags: [.unsearchable]))
    return registry
  }

  @Test func codesAreFourPrintableCharacters() {
    #expect(FourCharacterCode(parsing: "aumu")?.rawValue == 0x6175_6D75)
    for text in ["", "abc", "abcde", "ab\nc", "aé"] {
      #expect(FourCharacterCode(parsing: text) == nil)
    }
    #expect(FourCharacterCode.instrument.description == "aumu")
    #expect(FourCharacterCode(rawValue: 1).description == "0x1")
    let description = ComponentDescription(codes: "aumu/smpl/Aurc")
    #expect(
      description
        == ComponentDescription(type: .instrument, subtype: "smpl", manufacturer: "Aurc"))
    #expect(description?.codes == "aumu/smpl/Aurc")
    #expect(ComponentDescription(codes: "aumu/*/*")?.codes == "aumu/*/*")
    for text in ["aumu", "aumu/smpl", "aumu/smpl/Aurc/", "aumu/sm/Aurc", "///"] {
      #expect(ComponentDescription(codes: text) == nil)
    }
  }

  @Test func searchesMatchFieldsAndMaskedFlags() throws {
    let registry = try registry()
    func names(_ pattern: ComponentDescription) -> [String] {
      registry.components(matching: pattern).map(\.shortName)
    }
    #expect(names(ComponentDescription()) == ["gain", "sampler"])
    #expect(names(ComponentDescription(type: .instrument)) == ["sampler"])
    #expect(names(ComponentDescription(subtype: "gain")) == ["gain"])
    // Flags count only if the mask has them.
    #expect(names(ComponentDescription(flags: Self.flag)) == ["gain", "sampler"])
    #expect(names(ComponentDescription(manufacturer: "None")) == [])
    #expect(names(ComponentDescription(flagsMask: Self.flag)) == ["gain"])
    #expect(
      names(ComponentDescription(flags: Self.flag, flagsMask: Self.flag)) == ["sampler"])
    #expect(
      names(ComponentDescription(flags: .unsearchable, flagsMask: .unsearchable)) == ["hidden"])
    #expect(registry.components { $0.name.count == 4 }.map(\.name) == ["Gain"])
    #expect(try registry.component(named: "aumu/hidn/Test").name == "hidden")
  }

  @Test func unknownComponentsAreErrorsThatListTheKnownOnes() async throws {
    let registry = try registry()
    do {
      _ = try await registry.instantiate(named: "reverb")
      Issue.record("there is no reverb")
    } catch {
      #expect(error.description.contains("reverb"))
      #expect(error.description.contains("gain (aumf/gain/Test), sampler (aumu/smpl/Test)"))
    }
    await #expect(throws: InstantiationError.self) {
      try await registry.instantiate(ComponentDescription(type: .mixer))
    }
    do {
      _ = try await registry.instantiate(ComponentDescription())
      Issue.record("two components match")
    } catch {
      guard case .ambiguous(_, let matches) = error else { throw error }
      #expect(matches.count == 2)
    }
  }

  @Test func unitsAreMadeInProcessOnly() async throws {
    let registry = try registry()
    let unit = try await registry.instantiate(named: "gain", options: .loadInProcess)
    #expect(unit is GainUnit)
    #expect(unit.componentName == "Tests: Gain")
    #expect(unit.component?.versionString == "2.1.3")
    do {
      _ = try await registry.instantiate(named: "gain", options: .loadOutOfProcess)
      Issue.record("out of process is not available")
    } catch {
      guard case .outOfProcessUnavailable = error else { throw error }
    }
    do {
      _ = try await registry.instantiate(
        GainUnit.description, options: [.loadInProcess, .loadOutOfProcess])
      Issue.record("the options contradict each other")
    } catch {
      guard case .contradictingOptions = error else { throw error }
    }
    do {
      _ = try await registry.instantiate(named: "sampler")
      Issue.record("the factory throws")
    } catch {
      #expect(error.description == "sampler could not be made: no memory")
    }
  }

  @Test func tagsAreTheTypesNameAndTheGivenOnes() {
    let tagged = Component(
      description: ComponentDescription(type: .effect, subtype: "a  b", manufacturer: "Test"),
      name: "A", shortName: "a", tags: ["Reverb", "effect", "reverb"]
    ) { _, _ in throw AudioUnitError.failed("no memory") }
    #expect(tagged.typeName == "Effect")
    #expect(tagged.tags == ["Effect", "Reverb"])
    #expect(tagged.hasTag("REVERB") && tagged.hasTag("Effect") && !tagged.hasTag("rev"))
    #expect(Self.gain.tags == ["Music Effect"])
    #expect(Self.other("aAbB", "a  b", "a").typeName == "aAbB")
  }

  @Test func midiFollowsFromTheTypeUnlessItIsGiven() {
    func midi(_ component: Component) -> [Bool] {
      [component.hasMIDIInput, component.hasMIDIOutput]
    }
    #expect(midi(Self.other(.effect, "a  b", "a")) == [false, false])
    #expect(midi(Self.other(.musicEffect, "a  b", "a")) == [true, false])
    #expect(midi(Self.other(.instrument, "a  b", "a")) == [true, false])
    #expect(midi(Self.other(.midiProcessor, "a  b", "a")) == [true, true])
    let own = Component(
      description: Self.gain.description, name: "A", shortName: "a", hasMIDIInput: false,
      hasMIDIOutput: true
    ) { _, _ in throw AudioUnitError.failed("no memory") }
    #expect(midi(own) == [false, true])
  }

  @Test func codesAndNamesAreRegisteredOnce() throws {
    let registry = try registry()
    #expect(throws: RegistrationError.taken("aumf/gain/Test", by: "Gain")) {
      try registry.register(Self.gain)
    }
    #expect(throws: RegistrationError.taken("gain", by: "Gain")) {
      try registry.register(Self.other(.effect, "gain", "gain"))
    }
    #expect(throws: RegistrationError.invalidShortName("My Unit")) {
      try registry.register(Self.other(.effect, "mine", "My Unit"))
    }
    #expect(throws: RegistrationError.incompleteDescription("aufx/*/Test")) {
      try registry.register(Self.other(.effect, .any, "mine"))
    }
  }
}
