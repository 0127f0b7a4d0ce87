// Proof that RealtimeSanitizer guards the process callback.

import CRealtime
import CTestSupport
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

  /// Whether all system calls but libjack's own can be forbidden. RealtimeSanitizer does not look
  /// for them.
  private static var canRestrict: Bool {
    addressSanitizerIsLinked() == 0 && threadSanitizerIsLinked() == 0
      && realtimeSanitizerIsLinked() == 0
  }

  @Test(.enabled(if: canRestrict, "a sanitizer makes system calls of its own"))
  func theKernelEndsAUnitThatMakesASystemCall() async throws {
    let server = try await JackServer.start()
    let (child, status) = try await probe(server, ["--restricted"], expectsReport: false)
    #expect(status == .signalled(SIGSYS), "\(child.transcript)")
    let (other, otherStatus) = try await probe(
      server, ["--restricted", "--behaved"], expectsReport: false)
    #expect(otherStatus == .exited(0), "\(other.transcript)")
  }

  @Test(.enabled(if: canRestrict, "a sanitizer makes system calls of its own"))
  func ourUnitsMakeNoSystemCall() async throws {
    let directory = try TemporaryDirectory()
    let zone = SoundFontMaker.Zone(sample: .sine(periodFrames: 100), releaseSeconds: 0.2)
    let font = try SoundFontMaker(
      presets: (0..<8).map { .init(program: $0, name: "\($0)", zones: [zone]) }
    ).write(to: directory.file("music.sf2"))
    let server = try await JackServer.start(period: 256)
    for options in [[], ["--shared"]] {
      let (child, status) = try await probe(
        server, options + ["--music", font.path], expectsReport: false)
      #expect(status == .exited(0), "\(child.transcript)")
      #expect(child.standardOutput == "survived\n")
    }
  }
}
