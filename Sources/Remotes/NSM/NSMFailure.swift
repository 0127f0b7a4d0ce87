// Errors between a session manager and this program.

import Configuration

/// An error number of the protocol and a text for people.
package struct NSMFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The protocol's error numbers that this program uses.
  package enum Code: Int32, Sendable {
    case general = -1
    case incompatibleAPI = -2
    case noSessionOpen = -6
    case notNow = -8
    case badProject = -9
    case createFailed = -10
  }

  /// The error number; a server may use one that is not in `Code`.
  package let number: Int32
  package let text: String

  init(number: Int32, _ text: String) { (self.number, self.text) = (number, text) }

  init(_ code: Code, _ text: String) { self.init(number: code.rawValue, text) }

  package var description: String { "\(printable(text, 1000)) (\(number))" }
}
