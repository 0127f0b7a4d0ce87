// Frames at which changes take effect.

import SessionModel
import UnitModel
import UnitRender

/// Time at which a change takes effect. The render side is asked for it until it is known.
enum ChangeFrame: Sendable {
  case known(Int64)
  /// With the cycle that takes an event sent to a unit, and not before a frame.
  case sent(ChangedUnit, Int, notBefore: Int64)
  /// With the first call that finds a unit bypassed, or bypassed no longer.
  case bypass(ChangedUnit, Int)
  /// With the cycle that begins with the reset of a unit.
  case reset(ChangedUnit, Int)
  /// Nothing renders, or the frame cannot be learnt any more.
  case none

  /// The frame of the last reset that a unit was asked for.
  init(resetOf unit: AudioUnit) {
    self =
      unit.renderResourcesAllocated
      ? .reset(ChangedUnit(unit: unit), unit.switches.resetRequest) : .none
  }

  /// Whether its value is final.
  var isSettled: Bool {
    switch self {
    case .known, .none: true
    case .sent, .bypass, .reset: false
    }
  }

  /// The known frame, if there is one by now; otherwise unchanged.
  var settled: ChangeFrame {
    switch self {
    case .known, .none: return self
    case .sent(let changed, let number, let first):
      guard let unit = changed.unit else { return .none }
      // Read before the frame: a done event has its frame if it is ever to have one.
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

/// A weak reference to a unit, for the frames of its changes.
struct ChangedUnit: Sendable {
  weak var unit: AudioUnit?
}

/// State of a unit before a change, to learn how the change reaches the render side.
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

  /// Returns when the changes made since take effect.
  ///
  /// - Parameters:
  ///   - first: the frame that was requested.
  ///   - next: the start of the next cycle, which takes all that is handed over as a whole.
  func frame(notBefore first: Int64 = 0, orElse next: ChangeFrame) -> ChangeFrame {
    guard unit.renderResourcesAllocated else { return .none }
    let sent = unit.sentEventCount
    if sent != sentEvents { return .sent(ChangedUnit(unit: unit), sent, notBefore: first) }
    let request = unit.switches.bypassRequest
    if request != bypassRequest { return .bypass(ChangedUnit(unit: unit), request) }
    return next
  }
}
