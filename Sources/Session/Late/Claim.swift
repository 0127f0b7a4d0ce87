// Exclusive claims of changes.

import SessionModel

/// A resource that one change at a time holds.
///
/// A change with a claim may claim others of a higher level, never of the same or a lower one. So
/// no two changes can wait for each other.
enum Claim: Hashable, Sendable {
  /// Changes that begin at a frame, in the order of the requests.
  case frame(Int64)
  /// Undo and redo.
  case history
  /// The session's file, while it is written or followed.
  case file

  /// A unit as part of the session: its existence and its connections.
  case unit(String)
  /// A unit's whole sound: its presets, SoundFonts and entries.
  case sound(String)

  /// Units, connections, mappings and scenes, while they change.
  case structure

  var level: Int {
    switch self {
    case .frame, .history, .file: 0
    case .unit, .sound: 1
    case .structure: 2
    }
  }
}

/// The claims of one change.
struct Claims: Sendable {
  /// Claims that must be free before it begins.
  let awaited: Set<Claim>
  /// Claims that later changes wait for until it is done.
  let held: Set<Claim>

  init(awaiting awaited: Set<Claim>, holding held: Set<Claim>) {
    precondition(
      Set(awaited.union(held).map(\.level)).count <= 1, "claims of one change are of one level")
    self.awaited = awaited
    self.held = held
  }

  init(_ claims: Set<Claim>) { self.init(awaiting: claims, holding: claims) }

  static let none = Claims([])

  /// Returns the claims of a change of a unit's sound. It waits for earlier changes of the unit
  /// itself and of its sound.
  static func sound(of id: String) -> Claims {
    Claims(awaiting: [.unit(id), .sound(id)], holding: [.sound(id)])
  }

  /// Whether a change with these claims waits for an earlier one.
  func wait(for earlier: Claims) -> Bool {
    !awaited.isDisjoint(with: earlier.held)
  }
}
