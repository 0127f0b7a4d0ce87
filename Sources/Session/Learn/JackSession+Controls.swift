// Controllers that show where the parameters are.

import Configuration
import ControlUnit
import SessionModel

extension JackSession {
  /// The port by which they are told.
  private static let feedbackPort = SessionConfiguration.controlID + "_midi_out"

  /// Tells those all values that have come to the port since the last call.
  func tellNewControls() {
    let links = host?.links.filter { $0.own == Self.feedbackPort } ?? []
    let now = Set(links.map(\.outside))
    if !now.isSubset(of: toldControls) {
      (plan.controlNode?.unit as? ControlUnit)?.tellControls()
    }
    toldControls = now
  }
}
