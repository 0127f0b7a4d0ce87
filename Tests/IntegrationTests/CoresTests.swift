// `--cores`: presence and priority of a second render thread.

import AuricleCommand
import CJack
import Foundation
import GraphRender
import TestSupport
import Testing

@Suite(.serialized) struct CoresTests {
  private static let configuration = ["one", "other"].map {
    "[[unit]]\nid = \"\($0)\"\ncomponent = \"filter\"\n"
  }.joined()

  /// The status fields of a program's second render thread from the state on; nil if it has none.
  private func helper(of child: ChildProcess) -> [Substring]? {
    let folder = "/proc/\(child.processIdentifier)/task"
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return tasks.lazy.compactMap { task -> [Substring]? in
      guard let text = try? String(contentsOfFile: "\(folder)/\(task)/stat", encoding: .utf8),
        let end = text.range(of: "(render-2) ")?.upperBound
      else { return nil }
      return text[end...].split(separator: " ")
    }.first
  }

  @Test func theWordsAreTheirNumbersOfThreads() {
    #expect(
      ["1", "2", "auto", "3"].map { SecondCore(argument: $0) }
        == [.never, .always, .whereFaster, nil])
  }

  @Test func aSessionHasTheSecondThreadThatWasAskedForWithJacksPriority() async throws {
    let server = try await JackServer.start()
    let client = try JackTestClient(server, "looker", audioInputs: 1)
    for cores in ["2", "1"] {
      let auricle = try await RunningAuricle(
        Self.configuration, on: server, arguments: ["--cores", cores])
      let fields = helper(of: auricle.child)
      #expect((fields != nil) == (cores == "2"))
      if let fields {
        // Fields 40 and 41 of proc(5); the first one here is its third.
        let priority = jack_client_real_time_priority(client.handle)
        #expect(fields[37] == "\(max(priority, 0))")
        #expect(fields[38] == (priority >= 0 ? "\(SCHED_FIFO)" : "\(SCHED_OTHER)"))
      }
      try await auricle.expectEnd()
    }
  }

  @Test func aBounceHasTheSecondThreadThatWasAskedFor() async throws {
    let rig = try BounceRig(Self.configuration)
    try rig.noise()
    for cores in ["2", "1"] {
      let child = try rig.start(
        "--input", "in.wav", "--output", "out.wav", "--tail", "3600", "--cores", cores)
      // By then the graph is compiled.
      #expect(await eventually { (try? rig.parts.count) == 1 && child.isRunning })
      #expect((helper(of: child) != nil) == (cores == "2"))
      child.signal(SIGTERM)
      #expect(try await child.wait() == .exited(1))
    }
  }
}
