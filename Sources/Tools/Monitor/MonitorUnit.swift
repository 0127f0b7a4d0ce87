// The unit that passes the MIDI of one port to a program.

import Realtime
import UnitModel
import UnitRender

/// Hands all its MIDI to the control side: a unit without output. Not among the built-in
/// components: only `auricle monitor` makes it.
final class MonitorUnit: AudioUnit, @unchecked Sendable {
  static let component = Component(
    description: ComponentDescription(
      type: .midiProcessor, subtype: "mntr", manufacturer: "Aurc"),
    name: "Monitor", shortName: "monitor", unitType: MonitorUnit.self
  ) { description, _ in try MonitorUnit(description) }

  private let ring = MonitorRing()

  /// - Thread: [control]
  init(_ description: ComponentDescription = component.description) throws {
    super.init(
      componentDescription: description, parameterTree: try ParameterTree(children: []))
  }

  deinit { ring.deallocate() }

  /// The frame before which `take` has returned all events, if it is read first.
  /// - Thread: [any]
  var renderedFrames: FrameTime { ring.renderedFrames }

  /// Returns the events since the last call, in order.
  /// - Thread: [control], one at a time.
  func take() -> [CapturedEvent] { ring.take() }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(MonitorKernel(ring), for: self, render: monitorRender, reset: monitorReset)
  }
}

extension MonitorUnit: ReportingUnit {
  var counts: [UnitCount] {
    [
      UnitCount(
        "MIDI events that are not shown, because more arrived than could be printed",
        ring.lostCount)
    ]
  }
}
