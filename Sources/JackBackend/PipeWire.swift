// PipeWire in place of jackd.

import CJack
import FoundationEssentials
import Glibc
import Platform

/// PipeWire, which serves programs that use its own JACK library.
public enum PipeWire {
  /// Set in programs that were restarted.
  private static let mark = "AURICLE_PW_JACK"

  /// Whether there is PipeWire's socket, at the place that its clients search.
  ///
  /// - Source: PIPEWIRE_REMOTE, PIPEWIRE_RUNTIME_DIR and XDG_RUNTIME_DIR, pipewire(1).
  static var isHere: Bool {
    let remote = variable("PIPEWIRE_REMOTE") ?? "pipewire-0"
    let folder = variable("PIPEWIRE_RUNTIME_DIR") ?? variable("XDG_RUNTIME_DIR") ?? ""
    var status = stat()
    return stat(remote.hasPrefix("/") ? remote : "\(folder)/\(remote)", &status) == 0
      && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Restarts this program by `pw-jack`, with PipeWire's JACK library, if PipeWire runs and no
  /// jackd. That happens once. Returns in all other cases, also if there is no `pw-jack`.
  ///
  /// - Parameter notify: is called before the new start.
  /// - Thread: [control], before anything is open that the program needs to close.
  public static func restart(_ notify: () -> Void) {
    guard isHere, !isLinked, variable(mark) == nil, let tool = programInPath("pw-jack"),
      let program = programFile
    else { return }
    do throws(JackError) {
      try JackClient(name: "auricle-probe").close()
      return
    } catch {
      guard error == .noServer(name: nil) else { return }
    }
    notify()
    setenv(mark, "1", 1)
    ServiceNotification.current?.putBack()
    let words = [tool.path, program.path] + CommandLine.arguments.dropFirst()
    var arguments = words.map { strdup($0) } + [nil]
    execv(tool.path, &arguments)
    // Without success the program goes on, and reports that there is no server.
    for argument in arguments { free(argument) }
  }

  /// Whether this program uses PipeWire's JACK library already: it tells PipeWire's version.
  private static var isLinked: Bool {
    jack_get_version_string().map { String(cString: $0).contains("PipeWire") } ?? false
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
