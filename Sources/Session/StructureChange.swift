// A change of what a session is made of.

import Configuration
import SessionModel

/// A change of units, connections or mappings, that may be made with others at once.
struct StructureChange: Sendable {
  let text: String
  /// What it is about.
  let path: String
  /// The unit that it removes and that rings out.
  var ringsOut: String?
  /// The unit that it brings, where that can be read.
  var brings: UnitConfiguration?
  /// The units that it is about.
  var units: Set<String> = []
  /// Whether it takes its unit away, for which it waits for nobody.
  var takesAway = false
  /// Changes a configuration, and tells the ids of units that are to be made.
  let make: @Sendable (inout SessionConfiguration) throws -> Set<String>
}

extension [StructureChange] {
  /// The ids of units that go and ring out.
  var ringingOut: Set<String> { Set(compactMap(\.ringsOut)) }

  var text: String { map(\.text).joined(separator: ", ") }

  var claims: Claims {
    func places(_ changes: [StructureChange]) -> Set<Claim> {
      Set(changes.flatMap(\.units).map { .unit($0) })
    }
    return Claims(awaiting: places(filter { !$0.takesAway }), holding: places(self))
  }

  /// Makes the changes, one after the other.
  ///
  /// - Returns: the ids of the units that are to be made.
  func make(_ configuration: inout SessionConfiguration) throws -> Set<String> {
    var made: Set<String> = []
    for (number, change) in enumerated() {
      do { made.formUnion(try change.make(&configuration)) } catch {
        throw SessionCommandError(error, of: count > 1 ? number + 1 : nil)
      }
    }
    return made
  }
}
