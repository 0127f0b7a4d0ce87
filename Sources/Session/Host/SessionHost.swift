// Rendering of a session.

import Configuration
import Graph
import SessionModel
import UnitModel

/// Renders a session: a client of a JACK server, or a renderer whose time advances by calls.
///
/// One control thread at a time calls its methods.
package protocol SessionHost: AnyObject {
  /// Name of the client.
  var clientName: String { get }
  var serverName: String { get }
  /// Sample rate of the server, in hertz.
  var serverSampleRate: Int { get }
  /// Period of the server, in frames.
  var serverPeriod: Int { get }
  /// Load in percent of the available time; nil if it is not measured.
  var load: Float? { get }
  /// Sample rate of the units, in hertz; nil after they could not be prepared for another one.
  var sampleRate: Double? { get }
  /// Compiled graph: the plan's units, and those that ring out.
  var graph: Graph { get }
  /// Rendered graph. Must not be kept by callers: the units are on loan to it.
  var compiled: CompiledGraph? { get }
  var statistics: HostStatistics { get }
  /// Returns the session's frame on any thread, as long as the session is at this host.
  var clock: @Sendable () -> SessionClock? { get }
  /// Position on the system's clock; nil before the first cycle, and if frames do not follow that
  /// clock.
  var moment: HostMoment? { get }

  /// Forwards notices of the host, on any thread, until the task is cancelled. Returns nil if the
  /// host has none.
  func forwardNews(to send: @escaping @Sendable (HostNotice) -> Void) -> Task<Void, Never>?

  /// Begins to change to another plan while rendering. Units in both plans keep playing. Only one
  /// change at a time may be under way; `advance` returns its progress.
  ///
  /// - Parameters:
  ///   - rendered: the plan's graph, with units that ring out after the plan's units.
  ///   - startFrame: the frame at which the change begins; nil for the next cycle.
  ///   - connectsOutside: whether new ports and new requested connections are connected outside,
  ///     before they are heard.
  /// - Throws: `graph`, `jack`; nothing has changed then.
  func begin(
    _ plan: SessionPlan, _ rendered: Graph, from startFrame: Int64?, connectsOutside: Bool
  ) throws(SessionError)

  /// Continues the change that `begin` has begun, as far as frames have passed.
  ///
  /// - Parameter waits: whether to wait until it is done.
  /// - Throws: `jack`; nothing has changed then.
  func advance(waits: Bool) throws(SessionError) -> HostChange

  /// Prepares the units again for another sample rate, in hertz.
  ///
  /// - Throws: `graph`, `noCycle`.
  func changeSampleRate(to rate: Int) throws(SessionError)

  /// Renders silence instead of the graph, or the graph again.
  ///
  /// - Throws: `noCycle`.
  func setPaused(_ isPaused: Bool) throws(SessionError)

  /// Ends the notes that were sent to other clients.
  func endNotesSent()

  /// Ends rendering.
  func stop()

  // MARK: Other clients

  /// Connections of our ports.
  var links: [HostLink] { get }
  /// Returns whether the session requests one of `links`.
  func isRequested(_ link: HostLink) -> Bool
  /// Ports of other clients, as of the last `settle` or `tick`; 4,096 at most.
  var outsidePorts: [GraphReading.OutsidePort] { get }
  /// Requested outside ports that do not exist, each with our ports that wait for it.
  var missing: [String] { get }
  /// Returns the time between rendering a port and hearing it, in frames.
  func playbackLatency(ofPort name: String) -> Int
  /// Returns the faults of requests that existing ports can never meet.
  ///
  /// - Parameter name: the future name of the session's client; nil for the current one.
  func mistakes(in requests: [RequestedConnection], asClient name: String?)
    -> [ConfigurationProblem]
  /// Notes a new port that the host has reported, by its full name.
  func note(arrived port: String)
  /// Handles new ports and connections, once no more have appeared for a moment.
  func settle()
  /// Checks the connections made by others. Called twenty times a second.
  func look()
  /// Checks ports and connections. Called once a second.
  func tick()
}

extension SessionHost {
  package var moment: HostMoment? { nil }
  package var links: [HostLink] { [] }
  package func isRequested(_ link: HostLink) -> Bool { false }
  package var outsidePorts: [GraphReading.OutsidePort] { [] }
  package var missing: [String] { [] }

  package func forwardNews(to send: @escaping @Sendable (HostNotice) -> Void) -> Task<Void, Never>?
  {
    nil
  }
  package func changeSampleRate(to rate: Int) throws(SessionError) {}
  package func setPaused(_ isPaused: Bool) throws(SessionError) {}
  package func playbackLatency(ofPort name: String) -> Int { 0 }
  package func mistakes(
    in requests: [RequestedConnection], asClient name: String?
  ) -> [ConfigurationProblem] { [] }
  package func note(arrived port: String) {}
  package func settle() {}
  package func look() {}
  package func tick() {}
}

/// Source of another host after a session's host has gone.
package protocol SessionServer: AnyObject {
  /// Name of the server.
  var name: String { get }

  /// Resumes at the server, if it is running, with the current units and all connections.
  ///
  /// - Returns: the new host; nil while no server is running.
  /// - Throws: `graph` if the units cannot play at its sample rate.
  func reopen(_ plan: SessionPlan) throws(SessionError) -> (any SessionHost)?
}

/// Progress of a change of the rendered graph.
package enum HostChange: Equatable {
  case underWay
  /// Removed parts have faded.
  ///
  /// - Parameter frame: the frame at which the change began; nil if nothing has changed.
  case done(frame: Int64?)
}

/// A notice by a host about itself.
package enum HostNotice: Sendable, Equatable {
  /// The host has ended.
  case shutdown(reason: String)
  /// The server's current sample rate, in hertz.
  case sampleRate(Int)
  /// The server's current period, in frames.
  case period(Int)
  /// The server began or ended to run as fast as it can.
  case freewheel(Bool)
  /// A cycle was not finished in time.
  case xrun
  /// A port of another client has appeared, with this full name.
  case portArrived(String)
  /// One of our ports was connected.
  case connected
}
