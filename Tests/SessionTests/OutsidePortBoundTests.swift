// The bound of the ports of other clients in the notice of the graph.

import Testing

@testable import JackBackend
@testable import JackHost
@testable import SessionModel

@Suite struct OutsidePortBoundTests {
  private func ports(_ client: String, _ count: Int) -> [JackPort] {
    (0..<count).map {
      JackPort(name: "\(client):\($0)", isMIDI: $0.isMultiple(of: 3), isInput: $0.isMultiple(of: 2))
    }
  }

  /// The session's own ports take no places. A client whose name is longer is not the session.
  @Test func fourThousandAndNinetySixPortsOfOthersAreReported() {
    let all = ports("stage", 100) + ports("stage-01", 5_000) + ports("keys", 10)
    let reported = GraphReading.OutsidePort.ports(all, without: "stage")
    #expect(reported.map(\.name) == (0..<4_096).map { "stage-01:\($0)" })
    #expect(reported.map(\.isMIDI) == (0..<4_096).map { $0.isMultiple(of: 3) })
    #expect(reported.map(\.isInput) == (0..<4_096).map { $0.isMultiple(of: 2) })
    let few = ports("keys", 10) + ports("stage", 5)
    #expect(GraphReading.OutsidePort.ports(few, without: "stage").count == 10)
  }
}
