// On which frame a change takes effect.

import SessionModel
import UnitModel
import UnitRender

/// When a change takes effect. What the render side has not told yet is asked for, until it has.
enum ChangeFrame: Sendable {
  case known(Int64)
  /// With the cycle that takes an event which a unit was sent, and not before a frame.
  case sent(ChangedUnit, Int, notBefore: Int64)
  /// With the first call that finds a unit bypassed, or not any more.
  case bypass(ChangedUnit, Int)
  /// With the cycle that begins with the reset of a unit.
  case reset(ChangedUnit, Int)
  /// Nothing renders, or nobody can tell any more.
  case none

  /// That of the last reset that a unit was asked for.
  init(resetOf unit: AudioUnit) {
    self =
      unit.renderResourcesAllocated
      ? .reset(ChangedUnit(unit: unit), unit.switches.resetRequest) : .none
  }

  /// Whether there is nothing more to learn.
  var isSettled: Bool {
    switch self {
    case .known, .none: true
    case .sent, .bypass, .reset: false
    }
  }

  /// The same once it is known.
  var settled: ChangeFrame {
    switch self {
    case .known, .none: return self
    case .sent(let changed, let number, let first):
      guard let unit = changed.unit else { return .none }
      // Asked before the frame, which is there once it is done.
      let isDone = unit.doneEventCount >= number
      if let frame = unit.frame(ofSentEvent: number) { return .known(max(frame, first)) }
      return isDone ? .none : self
    case .bypass(let changed, let request):
      guard let switches = changed.unit?.switches else { return .none }
      if let frame = switches.frame(ofBypass: request) { return .known(frame) }
      return switches.bypassRequest == request ? self : .none
    case .reset(let changed, let request):
      guard let switches = changed.unit?.switches else { return .none }
      if let frame = switches.frame(ofReset: request) { return .known(frame) }
      return switches.resetRequest == request ? self : .none
    }
  }

  var number: Int64? {
    guard case .known(let frame) = self else { return nil }
    return frame
  }
}

/// A unit that nobody keeps for the frames of its changes.
struct ChangedUnit: Sendable {
  weak var unit: AudioUnit?
}

/// A unit before a change, to learn how the change has reached the render side.
struct ChangeMark {
  let unit: AudioUnit
  private let sentEvents: Int
  private let bypassRequest: Int

  /// - Thread: [control]
  init(_ unit: AudioUnit) {
    self.unit = unit
    sentEvents = unit.sentEventCount
    bypassRequest = unit.switches.bypassRequest
  }

  /// When it takes effect what was done since.
  ///
  /// - Parameters:
  ///   - first: the frame that it was to take effect on.
  ///   - next: when the next cycle begins: what is handed over as a whole is taken then.
  func frame(notBefore first: Int64 = 0, orElse next: ChangeFrame) -> ChangeFrame {
    guard unit.renderResourcesAllocated else { return .none }
    let sent = unit.sentEventCount
    if sent != sentEvents { return .sent(ChangedUnit(unit: unit), sent, notBefore: first) }
    let request = unit.switches.bypassRequest
    if request != bypassRequest { return .bypass(ChangedUnit(unit: unit), request) }
    return next
  }
}
