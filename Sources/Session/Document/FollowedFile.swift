// Changes to a running session by its rewritten file.

import Configuration
import FoundationEssentials
import SessionModel
import UnitModel

/// Changes that a rewritten file makes to a running session.
struct FollowedFile: Sendable {
  /// The file as it was read or saved last, and its current content.
  let (base, new): (SessionOrigin, SessionOrigin)
  let difference: SessionDifference
  let rebase: SessionRebase
  private let written: SessionConfiguration

  /// - Parameters:
  ///   - written: the current content of the file.
  ///   - running: the session's current configuration.
  /// - Throws: the mistake in the file.
  /// - Thread: [control]
  init(
    _ written: SessionConfiguration, _ file: URL, from base: SessionOrigin,
    _ running: SessionConfiguration, _ units: [(id: String, unit: AudioUnit)]
  ) throws(ConfigurationProblem) {
    (self.base, self.written) = (base, written)
    new = base.with(written.numberingInputs(base.registry), file: file)
    difference = try SessionDifference(from: base, to: new, units: units)
    rebase = try Self.rebase(running, base, new, written, difference)
  }

  private static func rebase(
    _ running: SessionConfiguration, _ base: SessionOrigin, _ new: SessionOrigin,
    _ written: SessionConfiguration, _ difference: SessionDifference
  ) throws(ConfigurationProblem) -> SessionRebase {
    try SessionRebase(
      running, from: base.configuration, to: new.configuration, written: written,
      made: difference.made, base.registry)
  }

  /// Returns the rebase onto a session that has changed since.
  func rebase(on running: SessionConfiguration) throws(ConfigurationProblem) -> SessionRebase {
    try Self.rebase(running, base, new, written, difference)
  }

  /// Whether the units that it changes are still those of the session.
  func isMeant(of units: [(id: String, unit: AudioUnit)]) -> Bool {
    difference.units.allSatisfy { change in
      units.contains { $0.id == change.id && $0.unit === change.unit }
    }
  }

  /// Claims on the units it changes and on their sounds. Removed units are held but not waited for.
  var claims: Claims {
    var awaited: Set<Claim> = []
    for unit in difference.units { awaited.formUnion([.unit(unit.id), .sound(unit.id)]) }
    let ids = rebase.changedIDs
    awaited.formUnion(ids.touched.subtracting(ids.takenAway).map { .unit($0) })
    return Claims(awaiting: awaited, holding: awaited.union(ids.takenAway.map { .unit($0) }))
  }

  var name: String { new.file?.lastPathComponent ?? "" }

  /// Returns a description of the changes.
  ///
  /// - Parameter parts: the steps that were made.
  func text(_ parts: [SessionStep]) -> String {
    let settings = parts.filter { $0.edits.allSatisfy { $0.structure == nil } }.map(\.text)
    return "\(name): \(SessionStep.text(difference.structure + settings))"
  }
}
