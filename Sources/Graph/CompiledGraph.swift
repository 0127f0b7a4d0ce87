// What a graph compiles to.

import GraphRender
import UnitModel

/// A schedule, the units on loan to it, and the ports that its external buffers stand for. Freed
/// when the last reference goes, which must not happen while a render thread uses the schedule.
public final class CompiledGraph: Sendable {
  public let schedule: Schedule
  public let ports: GraphPorts
  /// In hertz.
  public let sampleRate: Double
  /// The units on loan, in the order of the graph.
  public let hostings: [UnitHosting]

  init(schedule: Schedule, ports: GraphPorts, sampleRate: Double, hostings: [UnitHosting]) {
    self.schedule = schedule
    self.ports = ports
    self.sampleRate = sampleRate
    self.hostings = hostings
  }

  deinit { schedule.deallocate() }
}

/// What a backend asks of a compiled graph.
public struct CompileOptions: Sendable {
  /// In hertz.
  public var sampleRate: Double
  /// The most frames that units render in one call; longer cycles are sliced.
  public var maximumFrames: Int
  /// How many MIDI events one port can bring or take in a cycle.
  public var midiEventsPerPort: Int
  /// How many bytes one MIDI port can bring or take in a cycle.
  public var midiBytesPerPort: Int
  /// True when the backend is not bound to realtime.
  public var isOffline: Bool

  public init(
    sampleRate: Double, maximumFrames: Int = 1024, midiEventsPerPort: Int = 4096,
    midiBytesPerPort: Int = 65536, isOffline: Bool = false
  ) {
    self.sampleRate = sampleRate
    self.maximumFrames = maximumFrames
    self.midiEventsPerPort = midiEventsPerPort
    self.midiBytesPerPort = midiBytesPerPort
    self.isOffline = isOffline
  }
}
