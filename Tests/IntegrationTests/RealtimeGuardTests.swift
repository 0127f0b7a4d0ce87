// The proof that RealtimeSanitizer guards the process callback.

import CRealtime
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct RealtimeGuardTests {
  private func probe(
    _ server: JackServer, _ arguments: [String] = [], expectsReport: Bool
  ) async throws -> (ChildProcess, ChildProcess.ExitStatus) {
    let child = try ChildProcess(
      builtProduct("RealtimeGuardProbe"), [server.name] + arguments,
      environment: ["RTSAN_OPTIONS": "halt_on_error=true"], expectsSanitizerReport: expectsReport)
    return (child, try await child.wait())
  }

  @Test func aUnitThatKeepsTheRulesPasses() async throws {
    let server = try await JackServer.start()
    let (child, status) = try await probe(server, ["--behaved"], expectsReport: false)
    #expect(status == .exited(0), "\(child.transcript)")
    #expect(child.standardOutput == "survived\n")
  }

  @Test(.enabled(if: realtimeSanitizerIsLinked() != 0, "the build has no RealtimeSanitizer"))
  func aUnitThatAllocatesIsReported() async throws {
    let server = try await JackServer.start()
    let (child, status) = try await probe(server, expectsReport: true)
    #expect(status != .exited(0))
    #expect(child.standardError.contains("RealtimeSanitizer"), "\(child.transcript)")
    #expect(child.standardError.contains("malloc"))
    #expect(!child.standardOutput.contains("survived"))
  }
}
