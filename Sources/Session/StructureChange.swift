// A change of what a session is made of.

import Configuration

/// A change of units, connections or mappings, that may be made with others at once.
struct StructureChange: Sendable {
  let text: String
  /// What it is about.
  let path: String
  /// The unit that it removes and that rings out.
  var ringsOut: String?
  /// Changes a configuration, and tells the ids of units that are to be made.
  let make: @Sendable (inout SessionConfiguration) throws -> Set<String>
}
