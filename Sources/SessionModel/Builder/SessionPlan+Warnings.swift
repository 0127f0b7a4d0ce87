// Warnings about silent or unexpected output.

import Graph
import UnitModel

extension SessionPlan {
  /// Lines about files that have changed since the session was saved, and warnings of units, such
  /// as a sampler without a SoundFont.
  ///
  /// - Thread: [control]
  public var warnings: [String] {
    remarks + reporting.flatMap { id, unit in unit.warnings.map { "\(id): \($0)" } }
  }

  /// Returns lines about units that cannot play at a sample rate, in hertz.
  package func warnings(atSampleRate rate: Int) -> [String] {
    reporting.compactMap { id, unit in unit.warning(atSampleRate: rate).map { "\(id): \($0)" } }
  }

  private var reporting: [(id: String, unit: any ReportingUnit)] {
    graph.nodes.compactMap { node in (node.unit as? any ReportingUnit).map { (node.id, $0) } }
  }
}
