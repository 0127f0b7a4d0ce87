// Controllers that show the values of parameters.

import Configuration
import ControlUnit
import SessionModel

extension JackSession {
  /// Name of the port that sends them the values.
  private static let feedbackPort = SessionConfiguration.controlID + "_midi_out"

  /// Sends all values if controllers have been connected to the port since the last call.
  func sendToNewControls() {
    let links = host?.links.filter { $0.own == Self.feedbackPort } ?? []
    let now = Set(links.map(\.outside))
    if !now.isSubset(of: connectedControls) {
      (plan.controlNode?.unit as? ControlUnit)?.requestFeedback()
    }
    connectedControls = now
  }
}
