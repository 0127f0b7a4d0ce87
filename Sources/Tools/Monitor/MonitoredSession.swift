// Sessions that monitor MIDI ports, without a configuration.

public import Configuration
import Graph
import JackBackend
import JackHost
import Logging
import Realtime
public import Session
public import SessionModel
import UnitModel

/// A session with a monitor for each port, or pattern of ports.
///
/// Its methods are called on the thread that runs the session.
public final class MonitoredSession {
  /// The most ports: each takes 2 MiB of locked memory.
  public static let mostPorts = 32

  public let plan: SessionPlan
  /// Patterns of JACK ports.
  public let ports: [String]
  private let units: [MonitorUnit]
  /// Events of each unit that may follow later ones of other units.
  private var waiting: [ArraySlice<CapturedEvent>]
  /// Ports that are connected: by the index in `ports`, their names.
  private var sources: [Set<String>]
  private var sampleRate = 48_000.0

  /// Builds the session.
  ///
  /// - Parameter ports: patterns of JACK ports, or `physical:midi`; 1 to `mostPorts`.
  /// - Throws: `ConfigurationError` for a text that can be no port's name.
  /// - Thread: [control]
  public init(_ ports: [String]) async throws(ConfigurationError) {
    let position = SourcePosition(file: "monitor")
    var made = SessionConfiguration(units: [], connections: [])
    made.clientName = Located("monitor", at: position)
    for (index, port) in ports.enumerated() {
      let id = "port\(index + 1)"
      let component = Located(MonitorUnit.component.shortName, at: position)
      made.units.append(UnitConfiguration(id: id, component: component))
      do throws(ConfigurationProblem) {
        made.connections.append(
          ConnectionConfiguration(
            from: .outside(try Self.pattern(port, at: position)), to: .unit(id: id, bus: nil),
            at: position))
      } catch { throw ConfigurationError(error) }
    }
    let registry = ComponentRegistry()
    do { try registry.register(MonitorUnit.component) } catch {
      preconditionFailure("an empty registry takes any component: \(error)")
    }
    let plan = try await SessionBuilder(registry: registry).build(made, file: nil)
    self.plan = plan
    self.ports = ports
    units = plan.graph.nodes.compactMap { $0.unit as? MonitorUnit }
    waiting = ports.map { _ in [] }
    sources = ports.map { _ in [] }
  }

  private static func pattern(
    _ text: String, at position: SourcePosition
  ) throws(ConfigurationProblem) -> PortPattern {
    let pattern = PortPattern(text)
    let parts = text.split(separator: ":", maxSplits: 1)
    let isPhysical = parts.first.map(String.init) == PhysicalPorts.head
    guard parts.count == 2, isPhysical ? pattern.physical == .midi : true else {
      throw ConfigurationProblem(
        "\(quoted(text)) names no MIDI port",
        accepted: "'\(PhysicalPorts.midi.text)', or a JACK port pattern such as 'a2j:*'",
        at: position)
    }
    return pattern
  }

  /// Logs ports that are connected or disconnected. To be called a few times a second.
  public func followSources(of session: JackSession) {
    // Connections that end with their server are logged by the session.
    guard let connection = session.connection, !connection.backend.isServerGone else {
      sources = ports.map { _ in [] }
      return
    }
    sampleRate = Double(connection.serverSampleRate)
    let links = connection.links
    for port in connection.compiled?.ports.midiInputs ?? [] {
      let now = Set(links.filter { $0.own == port.name }.map(\.outside))
      let former = sources[port.unitIndex]
      for name in former.subtracting(now).sorted() {
        session.log.notice("\(name) is disconnected")
      }
      for name in now.subtracting(former).sorted() { session.log.notice("listens to \(name)") }
      sources[port.unitIndex] = now
    }
  }

  /// Returns the events since the last call, in the order of their frames.
  ///
  /// - Complexity: O(events × ports); at most 65,536 events for each port.
  public func take() -> [MonitoredEvent] {
    let end = units.map(\.renderedFrames).min() ?? 0
    for index in units.indices { waiting[index] += units[index].take() }
    var events: [MonitoredEvent] = []
    while let index = firstPort(before: end), let event = waiting[index].popFirst() {
      events.append(
        MonitoredEvent(
          frame: event.frame, seconds: Double(event.frame) / sampleRate, from: .port(ports[index]),
          MonitoredMessage(event.kept, byteCount: Int(event.byteCount))))
    }
    return events
  }

  /// Returns the port with the earliest event before a frame.
  private func firstPort(before end: FrameTime) -> Int? {
    var first: (port: Int, frame: FrameTime)?
    for (port, events) in waiting.enumerated() {
      guard let frame = events.first?.frame, frame < first?.frame ?? end else { continue }
      first = (port, frame)
    }
    return first?.port
  }
}
