// What changes keep to themselves until they are done.

import SessionModel

/// Something that one change at a time has.
///
/// A change that has one may claim others of a higher level, never of the same or a lower one: so
/// no two changes can wait for each other.
enum Claim: Hashable, Sendable {
  /// What begins on a frame, in the order in which it was asked for.
  case frame(Int64)
  /// What is taken back, and made again.
  case history
  /// The session's file, while it is written or followed.
  case file

  /// A unit's place in the session: whether it is there, and what is connected to it.
  case unit(String)
  /// What a unit sounds like as a whole: its presets, SoundFonts and entries.
  case sound(String)

  /// Units, connections, mappings and scenes, while they become others.
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
  /// What must be free before it begins.
  let awaited: Set<Claim>
  /// What later changes wait for until it is done.
  let held: Set<Claim>

  init(awaiting awaited: Set<Claim>, holding held: Set<Claim>) {
    precondition(
      Set(awaited.union(held).map(\.level)).count <= 1, "claims of one change are of one level")
    self.awaited = awaited
    self.held = held
  }

  init(_ claims: Set<Claim>) { self.init(awaiting: claims, holding: claims) }

  static let none = Claims([])

  /// Those of what a unit sounds like: behind a change of the unit's place, and of its sound.
  static func sound(of id: String) -> Claims {
    Claims(awaiting: [.unit(id), .sound(id)], holding: [.sound(id)])
  }

  /// Whether a change with these claims waits for an earlier one.
  func wait(for earlier: Claims) -> Bool {
    !awaited.isDisjoint(with: earlier.held)
  }
}
