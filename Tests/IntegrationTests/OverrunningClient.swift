// A JACK client that is late on demand.

import Foundation
import Synchronization
import TestSupport

private let naps = Atomic(0)

/// A client that can sleep in its next cycle, for much longer than a period.
final class OverrunningClient: RawClient<Int> {
  init(_ server: JackServer) throws {
    try super.init(server, "overrunner", outputs: 1, state: 0) { _, _ in
      if naps.exchange(0, ordering: .relaxed) != 0 { usleep(300_000) }
      return 0
    }
  }

  func overrun() { naps.store(1, ordering: .relaxed) }
}
