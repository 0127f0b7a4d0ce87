// A lock belongs to one process until it is released.
import Files
import Foundation
import TestSupport
import Testing

@Suite struct FileLockTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.file("lock").path }

  init() throws { folder = try TemporaryDirectory() }

  private func isFree() -> Bool {
    do throws(SystemError) { _ = try FileLock(path: path) } catch {
      #expect(error.number == EWOULDBLOCK)
      return false
    }
    return true
  }

  @Test func aLockIsHeldUntilItIsReleased() throws {
    var lock: FileLock? = try FileLock(path: path)
    #expect(!isFree())
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(isFree())
  }

  @Test func holdersOfALockRunOneAfterTheOther() async throws {
    let path = path
    let count = folder.file("count")
    try Data("0".utf8).write(to: count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            try FileLock.hold(path) { () throws(SystemError) in
              let number = (try? String(contentsOf: count, encoding: .utf8)).flatMap { Int($0) }
              try? Data("\((number ?? 0) + 1)".utf8).write(to: count)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try String(contentsOf: count, encoding: .utf8) == "100")
    #expect(isFree())
  }

  @Test func aFolderThatIsNotThereIsSaid() {
    #expect(throws: SystemError(number: ENOENT)) {
      try FileLock.hold(folder.file("none/lock").path) { () throws(SystemError) in }
    }
  }
}
