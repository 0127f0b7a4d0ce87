// What renders a session.

import Graph
import UnitModel

/// What renders a session: a client of a JACK server, or a renderer whose time passes by the call.
///
/// Its methods are called by one control thread at a time.
protocol SessionHost: AnyObject {
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

  /// Begins to go on with another plan while it renders: what is in both plans sounds on. One
  /// change at a time may be under way; `advance` tells how far it is.
  ///
  /// - Parameters:
  ///   - rendered: the plan's graph, with what rings out behind the plan's units.
  ///   - startFrame: where the change begins; nil for the next cycle.
  ///   - connect: connects new ports outside, before anything is heard there.
  /// - Throws: `graph`, `jack`; nothing has changed then.
  func begin(
    _ plan: SessionPlan, _ rendered: Graph, from startFrame: Int64?, connect: () -> Void
  ) throws(SessionError)

  /// Carries on what `begin` has begun, as far as frames have passed.
  ///
  /// - Parameter waits: whether it waits until that is done.
  /// - Throws: `jack`; nothing has changed then.
  func advance(waits: Bool) throws(SessionError) -> HostChange

  /// Ends the notes that were sent to others.
  func endNotesSent()

  /// Ends rendering.
  func stop()
}

/// How far a change of what is rendered is.
enum HostChange: Equatable {
  case underWay
  /// What goes has faded.
  ///
  /// - Parameter frame: on which it began; nil where nothing has changed.
  case done(frame: Int64?)
}

/// Where a host is, and what it counted.
struct HostStatistics {
  var cycles: Int
  /// Cycles that were not finished in time.
  var xruns: Int
  /// The frames of the latest cycle, 0 before the first.
  var period: Int
  /// The first frame of the latest cycle, counted from the first cycle.
  var frame: Int
  var counts: [HostCount] = []
}

/// Something that goes wrong in a host without an error.
struct HostCount {
  /// What is counted, in words.
  let text: String
  let number: Int
  /// Whether the first is told, and no more.
  var isToldOnce = false
}
