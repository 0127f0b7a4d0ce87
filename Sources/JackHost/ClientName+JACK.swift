// Client names that fit the JACK library in use.

import Configuration
import JackBackend

extension ClientName {
  /// - Throws: `NameError` for an invalid name, or one that is too long for this library.
  /// - Thread: [any]
  package init(forJACK text: String) throws(NameError) {
    try self.init(text, maximumBytes: min(Self.maximumBytes, JackClient.maximumNameBytes))
  }
}
