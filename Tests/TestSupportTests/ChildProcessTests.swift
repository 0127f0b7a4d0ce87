// Child processes: output, exit, signals.
import Foundation
import TestSupport
import Testing

@Suite struct ChildProcessTests {
  let shell = URL(fileURLWithPath: "/bin/sh")

  @Test func outputLargerThanAPipeIsKeptWhole() async throws {
    let child = try ChildProcess(
      shell, ["-c", "head -c 1000000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2"])
    #expect(try await child.wait() == .exited(0))
    #expect(child.standardOutput.utf8.count == 1_000_000)
    #expect(child.standardError.utf8.count == 300_000)
  }

  @Test func awaitsACompleteLine() async throws {
    let child = try ChildProcess(
      shell, ["-c", "echo first; printf rea; sleep 0.1; echo dy: 1; cat"])
    #expect(try await child.waitForLine(containing: "rea") == "ready: 1")
  }

  @Test func aLineThatNeverComesFailsAtTheEnd() async throws {
    let child = try ChildProcess(shell, ["-c", "echo something; exit 3"])
    await #expect(throws: RigError.self) { try await child.waitForLine(containing: "ready") }
    #expect(child.exitStatus == .exited(3))
  }

  @Test func signalsReachItAndAreReported() async throws {
    let child = try ChildProcess(shell, ["-c", "echo up; while :; do sleep 0.05; done"])
    _ = try await child.waitForLine(containing: "up")
    child.signal(SIGTERM)
    #expect(try await child.wait() == .signalled(SIGTERM))
    child.signal(SIGTERM)
  }

  @Test func isKilledWithItsObject() async throws {
    var child: ChildProcess? = try ChildProcess(shell, ["-c", "echo up; exec sleep 1000"])
    _ = try await child?.waitForLine(containing: "up")
    let identifier = try #require(child?.processIdentifier)
    child = nil
    #expect(await eventually { kill(identifier, 0) != 0 })
  }

  @Test func inheritsNoOpenFiles() async throws {
    let child = try ChildProcess(shell, ["-c", "ls -l /proc/self/fd"])
    #expect(try await child.wait() == .exited(0))
    let descriptors = child.standardOutput.split(separator: "\n").filter { $0.contains("->") }
    #expect(descriptors.count == 4, "0, 1, 2 and the one that ls reads the directory with")
  }

  @Test func environmentAndDirectoryAreSet() async throws {
    let directory = try TemporaryDirectory()
    let child = try ChildProcess(
      shell, ["-c", "echo \"$RIG_VALUE ${HOME-none}\"; pwd"],
      environment: ["RIG_VALUE": "seven", "HOME": nil], workingDirectory: directory.url)
    #expect(try await child.wait() == .exited(0))
    #expect(child.standardOutput == "seven none\n\(directory.url.path)\n")
  }

  @Test func aSanitizersReportIsKeptForTheRun() async throws {
    let directory = try TemporaryDirectory()
    // In a child process, because the collecting process reads the variable from its environment.
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    for name in ["reportsUnexpectedly", "reportsAsExpected"] {
      let child = try ChildProcess(
        tests, ["--testing-library", "swift-testing", "--filter", name],
        environment: [
          "AURICLE_SANITIZER_REPORTS": directory.file(name).path, "RIG_REPORTS": "1",
        ])
      #expect(try await child.wait() == .exited(0))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(files.count == 1 && files[0].hasPrefix("reportsUnexpectedly."))
  }

  private static let isChild = ProcessInfo.processInfo.environment["RIG_REPORTS"] != nil
  private let report = ["-c", "echo '==1==ERROR: RealtimeSanitizer: unsafe-library-call' >&2"]

  @Test(.enabled(if: isChild)) func reportsUnexpectedly() async throws {
    _ = try await ChildProcess(shell, report).wait()
  }

  @Test(.enabled(if: isChild)) func reportsAsExpected() async throws {
    _ = try await ChildProcess(shell, report, expectsSanitizerReport: true).wait()
  }
}
