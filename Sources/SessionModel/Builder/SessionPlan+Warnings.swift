// What would be silent, or sound otherwise than somebody expects.

import Graph
import UnitModel

extension SessionPlan {
  /// Lines about files that are not those of the saved session, and what units tell, such as a
  /// sampler without a SoundFont.
  ///
  /// - Thread: [control]
  public var warnings: [String] {
    remarks + reporting.flatMap { id, unit in unit.warnings.map { "\(id): \($0)" } }
  }

  /// Lines about units that cannot play at a sample rate, in hertz.
  package func warnings(atSampleRate rate: Int) -> [String] {
    reporting.compactMap { id, unit in unit.warning(atSampleRate: rate).map { "\(id): \($0)" } }
  }

  private var reporting: [(id: String, unit: any ReportingUnit)] {
    graph.nodes.compactMap { node in (node.unit as? any ReportingUnit).map { (node.id, $0) } }
  }
}
