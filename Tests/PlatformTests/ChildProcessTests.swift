import Foundation
import Glibc
import Platform
import Testing

@Suite struct ChildProcessTests {
  private func run(
    _ script: String, descriptors: [Int32: Int32] = [:]
  ) throws -> Platform.ChildProcess {
    try Platform.ChildProcess(
      "/bin/sh", arguments: ["sh", "-c", script],
      environment: ["WORD": "a b", "PATH": "/usr/bin:/bin"],
      descriptors: descriptors)
  }

  /// Returns everything that a script writes to its descriptor 3.
  private func output(of script: String, _ others: [Int32: Int32] = [:]) throws -> String {
    let ends = try openPipe()
    let child = try run(script, descriptors: others.merging([3: ends.write]) { $1 })
    close(ends.write)
    defer { close(ends.read) }
    let data = FileHandle(fileDescriptor: ends.read).readDataToEndOfFile()
    #expect(child.waitForEnd() == .exited(0))
    return String(decoding: data, as: UTF8.self).trimmed
  }

  @Test func aProcessHasItsEnvironmentAndItsDescriptors() throws {
    let null = open("/dev/null", O_RDWR)
    defer { close(null) }
    #expect(try output(of: "echo $WORD >&3") == "a b")
    // Open here, and not closed when a program starts.
    #expect(fcntl(null, F_GETFD) == 0)
    let open = try output(of: "exec ls /proc/self/fd >&3", [1: null])
    // Descriptor 0 is the folder that is listed.
    #expect(open.split(separator: "\n") == ["0", "1", "3"])
  }

  @Test func theEndOfAProcessIsReported() throws {
    #expect(try run("exit 3").waitForEnd() == .exited(3))
    let child = try run("kill -TERM $$; sleep 100")
    #expect(child.waitForEnd() == .signalled(SIGTERM))
    #expect(child.end == .signalled(SIGTERM))
    let slow = try run("sleep 100 & wait")
    #expect(slow.waitForEnd(until: .now + .milliseconds(20)) == nil)
    slow.send(SIGKILL, toGroup: true)
    #expect(slow.waitForEnd() == .signalled(SIGKILL))
    #expect(throws: ChildProcessError.self) {
      try Platform.ChildProcess(
        "/nowhere", arguments: ["nowhere"], environment: [:], descriptors: [:])
    }
  }

  /// A process that ignored SIGTERM, as its parent does, could not be ended by it.
  @Test func signalsHaveTheirOwnMeaningAgain() throws {
    #expect(
      try output(of: "grep -E 'Sig(Blk|Ign)' /proc/self/status >&3").contains("0000000000000000"))
  }
}
