// Detection of PipeWire.

import Glibc

/// PipeWire, which serves programs that use its own JACK library.
enum PipeWire {
  /// Whether there is PipeWire's socket, at the place that its clients search.
  ///
  /// - Source: PIPEWIRE_REMOTE, PIPEWIRE_RUNTIME_DIR and XDG_RUNTIME_DIR, pipewire(1).
  static var isHere: Bool {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let remote = variable("PIPEWIRE_REMOTE") ?? "pipewire-0"
    let folder = variable("PIPEWIRE_RUNTIME_DIR") ?? variable("XDG_RUNTIME_DIR") ?? ""
    var status = stat()
    return stat(remote.hasPrefix("/") ? remote : "\(folder)/\(remote)", &status) == 0
      && status.st_mode & S_IFMT == S_IFSOCK
  }
}
