// The load of a server.

import CJack

extension JackClient {
  /// The share of each cycle's duration that the server and its clients use, in percent.
  /// - Thread: [control]
  public var load: Float {
    let load = jack_cpu_load(handle)
    return load.isFinite ? load : 0
  }
}
