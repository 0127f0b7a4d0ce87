// The rooms that reverbs offer as presets.

/// A room of the reverb, as in its factory presets.
///
/// - Thread: [any]
public enum ReverbPreset: Sendable, BitwiseCopyable, CaseIterable {
  case smallRoom, mediumRoom, largeRoom, chamber, plate, mediumHall, largeHall, cathedral

  /// Creates the preset with an index in the order of the cases; the last one for any other index.
  @_noLocks @_noAllocation
  public init(place: Int) {
    switch place {
    case 0: self = .smallRoom
    case 1: self = .mediumRoom
    case 2: self = .largeRoom
    case 3: self = .chamber
    case 4: self = .plate
    case 5: self = .mediumHall
    case 6: self = .largeHall
    default: self = .cathedral
    }
  }

  /// The display name.
  public var name: String {
    switch self {
    case .smallRoom: "Small Room"
    case .mediumRoom: "Medium Room"
    case .largeRoom: "Large Room"
    case .chamber: "Chamber"
    case .plate: "Plate"
    case .mediumHall: "Medium Hall"
    case .largeHall: "Large Hall"
    case .cathedral: "Cathedral"
    }
  }

  /// Returns the time in which the sound decays by 60 dB, in seconds, and damping and width in per
  /// cent.
  @_noLocks @_noAllocation
  public func room() -> (decay: Float, damping: Float, width: Float) {
    switch self {
    case .smallRoom: (0.35, 35, 70)
    case .mediumRoom: (0.7, 35, 85)
    case .largeRoom: (1.1, 40, 100)
    case .chamber: (1.4, 20, 90)
    case .plate: (1.8, 5, 100)
    case .mediumHall: (2.0, 45, 100)
    case .largeHall: (3.0, 50, 100)
    case .cathedral: (6.5, 60, 100)
    }
  }

  /// Returns the room's share in an effect's mix, in per cent.
  public func mix() -> Float {
    switch self {
    case .smallRoom: 20
    case .mediumRoom: 25
    case .largeRoom: 28
    case .chamber, .plate, .mediumHall: 30
    case .largeHall: 32
    case .cathedral: 38
    }
  }
}
