// OSCQuery, read by a client of others.

import Foundation
import SessionTestSupport
import Testing

@testable import WebServer

/// `python-oscquery`, and what it needs.
private let packages = PythonPackages(
  [
    "python-oscquery==0.4.0", "python-osc==1.10.2", "requests==2.34.2", "urllib3==2.8.0",
    "idna==3.20", "certifi==2026.10.19.post1", "charset-normalizer==3.5.3", "zeroconf==0.154.0",
    "ifaddr==0.2.0",
  ], in: "python-oscquery-0.4.0")

@Suite struct PythonReaderTests {
  @Test(
    .enabled("python-oscquery is not installed, and PyPI cannot be reached") {
      await packages.areThere {
        (try? await packages.run(["-c", "import pythonoscquery.osc_query_client"]))?.isDone == true
      }
    })
  func aClientOfOthersReadsTheTree() async throws {
    let rig = try OSCQueryRig()
    try await rig.withSession { _ in
      let port = try #require(rig.host.split(separator: ":").last)
      let program = """
        from zeroconf import ServiceInfo
        from pythonoscquery.osc_query_client import OSCQueryClient
        kind = "_oscjson._tcp.local."
        info = ServiceInfo(kind, "x." + kind, port=\(port), addresses=[bytes([127, 0, 0, 1])])
        client = OSCQueryClient(info)
        print(client.get_host_info().name, client.get_host_info().extensions["LISTEN"])
        root = client.query_node("/")
        node = root.find_subnode("/lowpass/cutoff")
        print(node.description, node.value, node.access.name)
        print(client.query_node("/auricle/bypass/lowpass").value, client.query_node("/nothing"))
        print(sum(1 for node in root if not node.is_container))
        """
      let (isDone, output) = try await packages.run(["-c", program])
      #expect(isDone, "\(output)")
      let lines = output.split(separator: "\n")
      #expect(lines.first == "stage True", "\(output)")
      #expect(
        lines.dropFirst().first == "Cutoff [800] READONLY_VALUE"
          && lines.dropFirst(2).first == "[False] None", "\(output)")
      // The parameters of both units, their bypasses and their presets.
      #expect(lines.last.flatMap { Int($0) } ?? 0 > 10, "\(output)")
    }
  }
}
