// What renders a session.

import Configuration
import Graph
import SessionModel
import UnitModel

/// What renders a session: a client of a JACK server, or a renderer whose time passes by the call.
///
/// Its methods are called by one control thread at a time.
package protocol SessionHost: AnyObject {
  /// The client's name.
  var clientName: String { get }
  var serverName: String { get }
  /// In hertz.
  var serverSampleRate: Int { get }
  /// In frames.
  var serverPeriod: Int { get }
  /// In percent of the time that there is; nil where nobody measures.
  var load: Float? { get }
  /// That of the units, in hertz; nil once they could not be made for another.
  var sampleRate: Double? { get }
  /// What is compiled: the plan's units, and those that ring out.
  var graph: Graph { get }
  /// What is rendered. Nobody keeps it: the units are on loan to it.
  var compiled: CompiledGraph? { get }
  var statistics: HostStatistics { get }
  /// Tells where the session is, on any thread, as long as it is here.
  var clock: @Sendable () -> SessionClock? { get }
  /// Where it is by the system's clock; nil before the first cycle, and where frames do not follow
  /// that clock.
  var moment: HostMoment? { get }

  /// Hands on what the host tells of itself, on any thread, until the task is cancelled; nil where
  /// it has nothing to tell.
  func forwardNews(to send: @escaping @Sendable (HostNotice) -> Void) -> Task<Void, Never>?

  /// Begins to go on with another plan while it renders: what is in both plans sounds on. One
  /// change at a time may be under way; `advance` tells how far it is.
  ///
  /// - Parameters:
  ///   - rendered: the plan's graph, with what rings out behind the plan's units.
  ///   - startFrame: where the change begins; nil for the next cycle.
  ///   - connectsOutside: whether new ports, and what is wished anew, are connected outside, before
  ///     anything is heard there.
  /// - Throws: `graph`, `jack`; nothing has changed then.
  func begin(
    _ plan: SessionPlan, _ rendered: Graph, from startFrame: Int64?, connectsOutside: Bool
  ) throws(SessionError)

  /// Carries on what `begin` has begun, as far as frames have passed.
  ///
  /// - Parameter waits: whether it waits until that is done.
  /// - Throws: `jack`; nothing has changed then.
  func advance(waits: Bool) throws(SessionError) -> HostChange

  /// Makes the units anew for another sample rate, in hertz.
  ///
  /// - Throws: `graph`, `noCycle`.
  func changeSampleRate(to rate: Int) throws(SessionError)

  /// Renders silence in place of the graph, or the graph again.
  ///
  /// - Throws: `noCycle`.
  func setPaused(_ isPaused: Bool) throws(SessionError)

  /// Ends the notes that were sent to others.
  func endNotesSent()

  /// Ends rendering.
  func stop()

  // MARK: Other clients

  /// What our ports are connected with.
  var links: [HostLink] { get }
  /// How much later a port is heard than it is rendered, in frames.
  func playbackLatency(ofPort name: String) -> Int
  /// What ports that are there can never be for wishes.
  ///
  /// - Parameter name: what the session's client will be called; nil for as now.
  func mistakes(in wishes: [RequestedConnection], asClient name: String?) -> [ConfigurationProblem]
  /// Notes that a port has come which the host has told of, by its full name.
  func note(arrived port: String)
  /// Looks at ports and connections that have come, once no more have for a moment.
  func settle()
  /// Looks at what others connect. Called twenty times a second.
  func look()
  /// Likewise, once a second.
  func tick()
}

extension SessionHost {
  package var moment: HostMoment? { nil }
  package var links: [HostLink] { [] }

  package func forwardNews(to send: @escaping @Sendable (HostNotice) -> Void) -> Task<Void, Never>?
  {
    nil
  }
  package func changeSampleRate(to rate: Int) throws(SessionError) {}
  package func setPaused(_ isPaused: Bool) throws(SessionError) {}
  package func playbackLatency(ofPort name: String) -> Int { 0 }
  package func mistakes(
    in wishes: [RequestedConnection], asClient name: String?
  ) -> [ConfigurationProblem] { [] }
  package func note(arrived port: String) {}
  package func settle() {}
  package func look() {}
  package func tick() {}
}

/// Where a session finds another host when its host has gone.
package protocol SessionServer: AnyObject {
  /// The server's name.
  var name: String { get }

  /// Goes on at the server, if it is there: with the units as they are, and all that was connected.
  ///
  /// - Returns: nil while there is none.
  /// - Throws: `graph`, when the units cannot play at its sample rate.
  func reopen(_ plan: SessionPlan) throws(SessionError) -> (any SessionHost)?
}

/// How far a change of what is rendered is.
package enum HostChange: Equatable {
  case underWay
  /// What goes has faded.
  ///
  /// - Parameter frame: on which it began; nil where nothing has changed.
  case done(frame: Int64?)
}

/// What a host tells of itself.
package enum HostNotice: Sendable, Equatable {
  /// The host is no more.
  case shutdown(reason: String)
  /// In hertz.
  case sampleRate(Int)
  /// In frames.
  case period(Int)
  /// It began or ended to run as fast as it can.
  case freewheel(Bool)
  /// A cycle was not finished in time.
  case xrun
  /// A port of another client has come, by its full name.
  case portArrived(String)
  /// One of our ports was connected.
  case connected
}
