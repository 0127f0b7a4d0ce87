// The program auricle-web.

import FoundationEssentials
import Glibc
import Logging
import Platform

/// The program that shows sessions in a browser. It is installed beside `auricle`.
enum WebProgram {
  static let name = "auricle-web"

  /// Returns the path of its file, also of a missing one.
  /// - Throws: `CommandFailure` if the folder of this program is unknown.
  static func path() throws(CommandFailure) -> String {
    guard let folder = programFile?.deletingLastPathComponent() else {
      throw CommandFailure(message: "/proc is not mounted: start \(name) itself", status: 1)
    }
    return folder.appendingPathComponent(name).path
  }

  static func failure(_ path: String) -> CommandFailure {
    .failed(
      "\(path) cannot be started: \(String(cString: strerror(errno))); install it beside auricle")
  }
}

/// The program `auricle-web`, started by a session and ended with it, even if the session is
/// killed: it ends with its standard input, a pipe from here.
final class WebCompanion {
  private let path: String
  private var child: ChildProcess?
  private var input: Int32 = -1

  /// - Throws: `CommandFailure` if there is no such program.
  init() throws(CommandFailure) {
    path = try WebProgram.path()
    guard access(path, X_OK) == 0 else { throw WebProgram.failure(path) }
  }

  /// Starts it once; later calls do nothing. It prints the page's address.
  ///
  /// - Parameter session: the name of the session's socket.
  func start(_ session: String?, _ log: Logger) {
    guard let session, child == nil else { return }
    do throws(ChildProcessError) {
      let (inputEnd, ownEnd) = try openPipe()
      defer { close(inputEnd) }
      input = ownEnd
      child = try ChildProcess(
        path, arguments: [WebProgram.name, "--for-session", session],
        environment: ProcessInfo.processInfo.environment,
        descriptors: [0: inputEnd, 1: STDOUT_FILENO, 2: STDERR_FILENO])
    } catch {
      closeInput()
      log.warning("\(path) cannot be started: \(error)")
    }
  }

  /// Ends it.
  func end() {
    closeInput()
    if child?.waitForEnd(until: .now + .seconds(2)) == nil { child?.send(SIGKILL) }
    child = nil
  }

  private func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }
}
