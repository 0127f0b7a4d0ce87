// Every public function that throws is called in these tests.

import Foundation
import Testing

@Suite struct CoverageTests {
  /// Functions that are not called here, with the reason.
  private static let elsewhere: [String: String] = [
    "JackClient connect(_:to:)": "needs a server: IntegrationTests",
    "ConnectionMemory restore(_:)": "needs a server: IntegrationTests",
    "JackBackend start(_:)": "needs a server: IntegrationTests",
    "DummyServer start(clientName:server:)": "starts a server: IntegrationTests",
    "JackSession+Remotes run(until:commandsFrom:osc:isDone:)": "needs a server: IntegrationTests",
    "RecordedSession record(_:)": "needs a server: IntegrationTests",
    "Recording init(_:_:waits:)": "needs a server: IntegrationTests",
    "Recording look()": "needs a server: IntegrationTests",
    "Recording end()": "needs a server: IntegrationTests",
    "Graph+Checks checkChains()": "takes no values; called by Graph.connect",
    "BoxPosition encode(to:)": "takes an encoder alone",
    "MonitoredEvent encode(to:)": "takes an encoder alone",
    "SessionAnswer encode(to:)": "takes an encoder alone",
    "SessionCommand+JSON encode(to:)": "takes an encoder alone",
    "MIDIChainHost setStages(_:of:tree:)": "called by setMIDIStages",
    "AudioUnit setNonRealTimeParameter(_:to:)": "does nothing unless a unit overrides it",
    "SamplerUnit setNonRealTimeParameter(_:to:)": "called by Parameter.setValue",
  ]

  @Test func everyPublicFunctionThatThrowsIsCalled() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    var called: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: /(?:refuses|bears)\(\s*"([^"]+)"/) {
        called.insert(String(match.1))
      }
    }
    let names = try PublicThrowing().names
    #expect(names.count > 200)
    // A name without a file stands for a function of many units.
    let left = names.filter { name in
      !called.contains(name)
        && !called.contains(String(name.split(separator: " ", maxSplits: 1)[1]))
        && Self.elsewhere[name] == nil
    }
    #expect(left.isEmpty, "not called with values out of range: \(left.sorted())")
    let gone = called.union(Self.elsewhere.keys).filter { $0.contains(" ") && !names.contains($0) }
    #expect(gone.isEmpty, "no such function: \(gone.sorted())")
  }
}
