// OSCQuery, read by a client of others.

import Foundation
import SessionTestSupport
import TestSupport
import Testing

@testable import WebServer

/// `python-oscquery`, which is fetched once into the folder of the build.
private enum PythonReader {
  private static let packages = [
    "python-oscquery==0.4.0", "python-osc==1.10.2", "requests==2.34.2", "urllib3==2.8.0",
    "idna==3.20", "certifi==2026.10.19.post1", "charset-normalizer==3.5.3", "zeroconf==0.154.0",
    "ifaddr==0.2.0",
  ]

  static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("python-oscquery-0.4.0")

  static func run(_ arguments: [String]) async throws -> (isDone: Bool, output: String) {
    let child = try ChildProcess(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3"] + arguments,
      environment: ["PYTHONPATH": folder.path, "PYTHONDONTWRITEBYTECODE": "1"])
    let status = try await child.wait(within: .seconds(180))
    return (status == .exited(0), child.standardOutput + child.standardError)
  }

  /// Whether it can be imported. Without a network the test is left out.
  static func isThere() async -> Bool {
    let check = ["-c", "import pythonoscquery.osc_query_client"]
    if (try? await run(check))?.isDone == true { return true }
    let fetch =
      [
        "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--timeout", "15",
        "--retries", "1", "--upgrade", "--target", folder.path,
      ] + packages
    _ = try? await run(fetch)
    return (try? await run(check))?.isDone == true
  }
}

@Suite struct PythonReaderTests {
  @Test(
    .enabled("python-oscquery is not installed, and PyPI cannot be reached") {
      await PythonReader.isThere()
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
      let (isDone, output) = try await PythonReader.run(["-c", program])
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
