// Labels of a graph's ports: display names, order and groups.

import Effects
import Graph
import JackBackend
import JackHost
import MixerUnit
import Testing
import UnitModel

@Suite struct PortLabelTests {
  @Test func labelsNameTheUnitItsBusAndTheChannel() throws {
    let graph = Graph()
    let door = try graph.add(GateUnit(), id: "door")
    let desk = try graph.add(MixerUnit(), id: "desk")
    try graph.connect(GraphBus(unit: door, bus: 0), to: GraphBus(unit: desk, bus: 0))
    let ports = try graph.compile(CompileOptions(sampleRate: 48_000)).ports
    let labels = PortLabel.labels(of: ports, graph.nodes)
    #expect(
      labels.sorted { $0.value.order < $1.value.order }.map(\.value.prettyName) == [
        "door Input L", "door Input R", "door Side-chain L", "door Side-chain R", "desk Output L",
        "desk Output R",
      ])
    let key = try #require(labels["door_side_chain_2"])
    #expect(key.formerName == "door_in_4" && key.group == "door in 2" && key.isAudio)
    #expect(labels["door_in_1"]?.group == "door in 1" && labels["door_in_1"]?.formerName == nil)
    #expect(labels["desk_out_1"]?.group == "desk out 1")
  }

  @Test func labelsFollowTheNamesOfBusses() throws {
    let graph = Graph()
    let unit = try FilterUnit()
    try graph.add(unit, id: "tone")
    let ports = try graph.compile(CompileOptions(sampleRate: 48_000)).ports
    unit.outputBusses[0].name = "Low\u{7}pass"
    let labels = PortLabel.labels(of: ports, graph.nodes)
    #expect(labels["tone_out_2"]?.prettyName == "tone Low pass R")
    unit.outputBusses[0].name = String(repeating: "ä", count: 1000)
    let long = PortLabel.labels(of: ports, graph.nodes)["tone_out_2"]?.prettyName ?? ""
    #expect(long.utf8.count <= PortLabel.maximumBytes && long.hasPrefix("tone ää"))
  }

  @Test func propertiesOfMIDIHaveNoSignalTypeAndNoGroup() throws {
    let label = PortLabel(prettyName: "keys MIDI In", order: 7, group: nil, isAudio: false)
    let properties = PortProperty.all(of: label)
    #expect(
      properties.map(\.key.description)
        == ["pretty-name", "order"].map {
          "http://jackaudio.org/metadata/" + $0
        })
    #expect(properties.map(\.value) == ["keys MIDI In", "7"])
    #expect(properties.map(\.type) == [nil, "http://www.w3.org/2001/XMLSchema#int"])
  }
}
