// Status of a session's units.

import Graph
import GraphRender
import SessionModel
import UnitModel

extension JackSession {
  /// Status of each unit, in the order of the session. A request for it starts the measurement.
  var unitStatus: [UnitStatus] {
    let rendered = host?.compiled
    let measurement = self.meters.measurement(of: rendered, now: time.now)
    let meters = measurement.map { levels($0) } ?? [:]
    let links = Dictionary(grouping: host?.links ?? [], by: \.own)
    return plan.graph.nodes.enumerated().map { index, node in
      let reading = UnitReading(node.unit, id: node.id)
      var status = UnitStatus(
        id: reading.id, component: reading.component, isBypassed: reading.isBypassed,
        preset: reading.preset, voices: (node.unit as? any ReportingUnit)?.soundingVoices,
        receivers: plan.graph.receivers(of: index),
        counts: SessionCounts(units: [(node.id, node.unit)]).lines.map {
          String($0.dropFirst(node.id.count + 2))
        })
      status.chosenByMIDI = reading.chosenByMIDI
      guard let rendered else { return status }
      status.ports = Self.ports(of: index, rendered.ports, links)
      if let meters = meters[node.id] { status.take(meters) }
      if let measurement, measurement.units.indices.contains(index) {
        status.take(measurement.units[index], measurement.frames, rendered.sampleRate)
      }
      return status
    }
  }

  static func ports(
    of unit: Int, _ ports: GraphPorts, _ links: [String: [HostLink]]
  ) -> [PortStatus] {
    func status(_ port: GraphPort, isMIDI: Bool, isInput: Bool) -> PortStatus {
      PortStatus(
        name: port.name, isMIDI: isMIDI, isInput: isInput, bus: port.channel?.bus,
        channel: port.channel?.channel,
        connections: (links[port.name] ?? []).map(\.outside).sorted())
    }
    var result: [PortStatus] = []
    for port in ports.midiInputs where port.unitIndex == unit {
      result.append(status(port, isMIDI: true, isInput: true))
    }
    for port in ports.audioInputs where port.unitIndex == unit {
      result.append(status(port, isMIDI: false, isInput: true))
    }
    for port in ports.audioOutputs where port.unitIndex == unit {
      result.append(status(port, isMIDI: false, isInput: false))
    }
    for port in ports.midiOutputs where port.unitIndex == unit {
      result.append(status(port, isMIDI: true, isInput: false))
    }
    return result
  }
}

extension UnitStatus {
  /// - Parameters:
  ///   - frames: the number of measured frames, above 0.
  ///   - sampleRate: in hertz.
  fileprivate mutating func take(
    _ measured: ScheduleMeasurement.Unit, _ frames: Int, _ sampleRate: Double
  ) {
    load = measured.load(frames: frames, sampleRate: sampleRate)
    worstLoad = measured.worstLoad
    eventsTaken = measured.eventsTaken
    eventsSent = measured.eventsSent
  }
}
