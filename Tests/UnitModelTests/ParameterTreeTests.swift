// The parameter tree: lookup of nodes, and refused trees.

import Testing
import UnitModel

@Suite struct ParameterTreeTests {
  static func number(_ identifier: String, _ address: ParameterAddress) -> Parameter {
    Parameter(identifier: identifier, name: identifier, address: address, range: 0...10)
  }

  @Test func nodesAreFoundByKeyPathAndAddress() throws {
    let cutoff = Self.number("cutoff", 7)
    let gain = Self.number("gain", 1 << 40)
    let filter = ParameterGroup(identifier: "filter", name: "Filter", children: [cutoff])
    let outer = ParameterGroup(identifier: "outer", name: "Outer", children: [filter])
    let tree = try ParameterTree(children: [outer, gain])
    #expect(tree.parameter(keyPath: "outer.filter.cutoff") === cutoff)
    #expect(tree.node(keyPath: "outer.filter") === filter)
    #expect(tree.parameter(keyPath: "outer.filter") == nil)
    #expect(tree.parameter(address: 1 << 40) === gain)
    #expect(tree.parameter(address: 8) == nil)
    #expect(tree.allParameters.map(\.keyPath) == ["outer.filter.cutoff", "gain"])
    #expect(tree.index(ofAddress: 1 << 40) == 1)
    #expect(cutoff.parent === filter)
    #expect(cutoff.tree === tree)
    #expect(tree.parent == nil)
    gain.value = 3
    #expect(tree.allValues == ["outer.filter.cutoff": 0, "gain": 3])
  }

  @Test func duplicatesAndBadDescriptionsAreRefused() throws {
    func refusal(_ children: [ParameterNode]) -> ParameterTreeError? {
      do {
        _ = try ParameterTree(children: children)
        return nil
      } catch { return error }
    }
    let group = { (identifier: String, children: [ParameterNode]) in
      ParameterGroup(identifier: identifier, name: "", children: children)
    }
    #expect(
      refusal([Self.number("a", 1), Self.number("a", 2)]) == .duplicateIdentifier(keyPath: "a"))
    #expect(
      refusal([group("g", [Self.number("a", 1)]), Self.number("a", 1)])
        == .duplicateAddress(1, first: "g.a", second: "a"))
    for identifier in ["", "a.b", "a b", "é", "a/"] {
      #expect(
        refusal([group("g", [Self.number(identifier, 1)])])
          == .invalidIdentifier(identifier, below: "g"))
    }
    let outside = Parameter(
      identifier: "a", name: "", address: 0, range: 0...1, defaultValue: 2)
    #expect(
      refusal([outside])
        == .defaultOutOfRange(keyPath: "a", defaultValue: 2, range: 0...1))
    let endless = Parameter(identifier: "a", name: "", address: 0, range: 0...(.infinity))
    #expect(refusal([endless]) == .rangeNotFinite(keyPath: "a"))
    let unnamed = Parameter(
      identifier: "a", name: "", address: 0, range: 0...2, unit: .indexed, valueStrings: ["x"])
    #expect(
      refusal([unnamed]) == .valueStringsDoNotFit(keyPath: "a", expected: 3, given: 1))
    let twice = Self.number("a", 1)
    #expect(refusal([twice, group("g", [twice])]) == .alreadyInTree("g.a"))
  }

  @Test func aNodeBelongsToOneTreeAndARefusedTreeTakesNone() throws {
    let node = Self.number("a", 1)
    #expect(throws: ParameterTreeError.self) {
      try ParameterTree(children: [node, Self.number("a", 2)])
    }
    let tree = try ParameterTree(children: [node])
    #expect(throws: ParameterTreeError.alreadyInTree("a")) { try ParameterTree(children: [node]) }
    #expect(node.tree === tree)
  }

  @Test func aTemplateIsCopiedWithShiftedAddresses() throws {
    let source = Parameter(
      identifier: "level", name: "Level", address: 1, range: -1...1, defaultValue: 0.5, unit: .pan,
      flags: [.readable, .writable, .canRamp], isWhole: true)
    source.implementorStringFromValueCallback = { _, _ in "copied" }
    let template = ParameterGroup(
      identifier: "t", name: "T", children: [source, Self.number("other", 2)])
    let groups = (0..<2).map {
      ParameterGroup(
        template: template, identifier: "s\($0)", name: "Section \($0)",
        addressOffset: UInt64($0 * 100))
    }
    let tree = try ParameterTree(children: groups)
    let copy = try #require(tree.parameter(address: 101))
    #expect(copy.keyPath == "s1.level")
    #expect(copy.range == -1...1)
    #expect(copy.value == 0.5)
    #expect(copy.flags == source.flags)
    #expect(copy.isWhole)
    #expect(copy.string() == "copied")
    copy.value = 1
    #expect(tree.parameter(address: 1)?.value == 0.5)
  }

  @Test func everyUnitAndFlagHasAudioToolboxsNumber() {
    #expect(ParameterUnit.allCases.count == 28)
    #expect(ParameterUnit.hertz.rawValue == 8)
    #expect(ParameterUnit.decibels.rawValue == 13)
    #expect(ParameterUnit.pan.rawValue == 18)
    #expect(ParameterUnit.beatsPerMinute.rawValue == 22)
    #expect(ParameterUnit.custom.rawValue == 26)
    #expect(ParameterUnit.hertz.symbol == "Hz")
    #expect(ParameterFlags.canRamp.rawValue == 0x200_0000)
    #expect(ParameterFlags.writable.rawValue == 0x8000_0000)
    #expect(ParameterFlags.displayLogarithmic.rawValue == 0x40_0000)
  }
}
