// Client names that the JACK library in use has room for.

import Configuration
import JackBackend

extension ClientName {
  /// - Throws: `NameError` as for any name, and for one that is too long for this library.
  /// - Thread: [any]
  package init(forJACK text: String) throws(NameError) {
    try self.init(text, maximumBytes: min(Self.maximumBytes, JackClient.maximumNameBytes))
  }
}
