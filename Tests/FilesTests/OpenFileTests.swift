// Opening files without blocking, and timeouts for files that are not regular.
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Files

@Suite struct OpenFileTests {
  private let folder: TemporaryDirectory
  private let pipe: String

  init() throws {
    folder = try TemporaryDirectory()
    pipe = try folder.makePipe().path
  }

  /// Opens the pipe for writing without waiting for a reader, and writes `parts`.
  private func write(_ parts: [String]) -> Int32 {
    let writer = open(pipe, O_RDWR | O_CLOEXEC)
    for part in parts { #expect(Glibc.write(writer, part, part.utf8.count) == part.utf8.count) }
    return writer
  }

  @Test func aFileIsReadToItsEndOrItsLimit() throws {
    let file = try folder.write("some text", to: "file").path
    #expect(try OpenFile(file).contents(upTo: 9) == Array("some text".utf8))
    #expect(try OpenFile(file).contents(upTo: 8) == nil)
    let opened = try OpenFile(file, isRegular: true)
    #expect(opened.isRegular && opened.size == 9)
    #expect(throws: SystemError(number: EISDIR)) { try OpenFile(folder.url.path) }
    #expect(throws: SystemError(number: ENOENT)) { try OpenFile(folder.file("none").path) }
    #expect(throws: SystemError.notRegular) { try OpenFile(pipe, isRegular: true) }
    #expect(throws: SystemError.notRegular) { try FileDigest(path: pipe) }
    #expect(throws: SystemError.notRegular) { try OpenFile("/dev/null", isRegular: true) }
    #expect(try OpenFile("/dev/zero").contents(upTo: 1000) == nil)
  }

  /// No writer has opened the pipe, or one has and writes nothing more.
  @Test(arguments: [false, true]) func aPipeWithoutDataIsGivenUpAndReported(
    hasWriter: Bool
  ) throws {
    let writer = hasWriter ? write(["a part"]) : -1
    defer { if hasWriter { close(writer) } }
    let lines = Mutex<[String]>([])
    let wait = FileWait(
      limit: .milliseconds(1), patience: .zero,
      notify: { line in lines.withLock { $0.append(line) } })
    try FileWait.$current.withValue(wait) {
      let file = try OpenFile(pipe)
      #expect(throws: SystemError(number: ETIMEDOUT)) { try file.contents(upTo: 100) }
    }
    let told = lines.withLock { $0 }
    #expect(told.count == 1 && told[0].hasPrefix("waiting for \(pipe), which is no regular file"))
  }

  @Test func aPipeThatIsWrittenToIsReadToItsEnd() throws {
    let writer = write(["one ", "two"])
    let file = try OpenFile(pipe)
    close(writer)
    #expect(try file.contents(upTo: 100) == Array("one two".utf8))
  }

  @Test func whoeverHasGoneIsWaitedForNoMore() throws {
    let asked = Mutex(0)
    let lines = Mutex<[String]>([])
    let wait = FileWait(
      patience: .seconds(1000), notify: { line in lines.withLock { $0.append(line) } },
      isAbandoned: {
        asked.withLock { count in
          count += 1
          return count > 2
        }
      })
    try FileWait.$current.withValue(wait) {
      let file = try OpenFile(pipe)
      #expect(throws: SystemError(number: ECANCELED)) { try file.contents(upTo: 100) }
    }
    #expect(lines.withLock { $0.joined() }.contains("\(pipe) is waited for no longer"))
  }

  // MARK: Relays

  /// Returns the output of a relay until its end.
  private func all(_ relay: FileRelay) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16)
    while case let count = read(relay.output, &chunk, chunk.count), count > 0 {
      bytes += chunk[..<count]
    }
    close(relay.output)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aRelayPassesDataOnAndEndsWithIt() throws {
    let writer = write(["one ", "two"])
    let relay = try FileRelay(OpenFile(pipe), renews: false)
    close(writer)
    #expect(all(relay) == "one two")
    #expect(relay.failure == nil)
  }

  @Test(arguments: [false, true]) func aRelayEndsWhenNothingComes(renews: Bool) throws {
    let writer = write(["a part"])
    defer { close(writer) }
    let relay = try FileWait.$current.withValue(FileWait(limit: .milliseconds(1))) {
      try FileRelay(OpenFile(pipe), renews: renews)
    }
    #expect(all(relay) == "a part")
    #expect(relay.failure == SystemError(number: ETIMEDOUT))
  }

  /// Without a reader of its output the relay stops reading and closes the pipe.
  @Test func aRelayEndsWithItsReader() async throws {
    let relay = try FileRelay(OpenFile(pipe), renews: true)
    close(relay.output)
    #expect(
      await eventually(within: .seconds(20)) {
        let writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if writer >= 0 { close(writer) }
        return writer < 0 && errno == ENXIO
      })
    #expect(relay.failure == nil)
  }
}
