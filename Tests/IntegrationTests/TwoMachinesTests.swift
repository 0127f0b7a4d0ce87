// Two machines coupled by NetJACK2, in network namespaces of this one.

import Foundation
import TestSupport
import Testing

@Suite struct TwoMachinesTests {
  /// Held so that no other test of this process runs a server meanwhile: two cores are few.
  private let slot: ServerSlot

  init() async throws { slot = try await ServerSlot.acquire() }

  /// Whether this machine can be two: that needs root, namespaces and `ip`.
  private static func canBeTwo() async -> Bool {
    guard geteuid() == 0, installedProgram("ip") != nil, let unshare = installedProgram("unshare"),
      let child = try? ChildProcess(
        unshare,
        [
          "--net", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
          "ip link add one type veth peer name two && ip link add three type bridge",
        ])
    else { return false }
    return (try? await child.wait()) == .exited(0)
  }

  /// The script ends all its processes and namespaces with itself, also when this test is killed.
  @Test(
    .enabled("two machines need root, network namespaces and bridges") { await canBeTwo() })
  func theLatencyIsThatOfTheNetworkAndAPulledCableLeavesNoNote() async throws {
    let script = Page.root.appendingPathComponent("scripts/two-machines.sh")
    let child = try ChildProcess(script, [builtProduct("auricle").path, "256"])
    #expect(try await child.wait(within: .seconds(300)) == .exited(0), "\(child.transcript)")
    let lines = child.standardOutput.split(separator: "\n")
    #expect(lines.count == 4, "\(child.transcript)")
  }
}
