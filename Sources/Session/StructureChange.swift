// Structural changes of a session.

import Configuration
import SessionModel

/// A change of units, connections, mappings or scenes. Several can be made as one.
struct StructureChange: Sendable {
  let text: String
  /// Path of its subject.
  let path: String
  /// Id of the removed unit that rings out; nil for none.
  var ringsOut: String?
  /// Configuration of the unit that it adds; nil if it adds none, or if it cannot be read.
  var brings: UnitConfiguration?
  /// Ids of the units that it changes.
  var units: Set<String> = []
  /// Whether it removes or replaces its unit, for which it waits for no other change.
  var takesAway = false
  /// Changes a configuration, and returns the ids of the units to be made.
  let make: @Sendable (inout SessionConfiguration) throws -> Set<String>
}

extension [StructureChange] {
  /// Ids of removed units that ring out.
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
  /// - Returns: the ids of the units to be made.
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
