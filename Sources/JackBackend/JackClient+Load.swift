// How busy a server is.

import CJack

extension JackClient {
  /// The part of each cycle's time that the server and its clients take, in percent.
  /// - Thread: [control]
  public var load: Float {
    let load = jack_cpu_load(handle)
    return load.isFinite ? load : 0
  }
}
