// The user's browser.

import FoundationEssentials
import Glibc
import Platform

enum Browser {
  /// Opens an address by `xdg-open`, which runs on beside this program. What goes wrong is printed.
  static func open(_ address: String) {
    guard let program = programInPath("xdg-open") else {
      return warn("there is no xdg-open; open the address yourself")
    }
    do throws(ChildProcessError) {
      _ = try ChildProcess(
        program.path, arguments: ["xdg-open", address],
        environment: ProcessInfo.processInfo.environment,
        descriptors: [0: STDIN_FILENO, 1: STDERR_FILENO, 2: STDERR_FILENO])
    } catch { warn("xdg-open does not start: \(error); open the address yourself") }
  }

  private static func warn(_ text: String) {
    let line = Array("auricle-web: \(text)\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
