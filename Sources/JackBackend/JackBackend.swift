// Drives a compiled graph from a JACK server.

import CJack
import Foundation
import Graph
import GraphRender
import Realtime
import UnitRender

/// Renders a compiled graph in JACK's process callback.
///
/// Its methods are called by one control thread at a time.
public final class JackBackend: @unchecked Sendable {
  public let client: JackClient
  /// News from the server, for one consumer.
  public var notices: AsyncStream<JackNotice> { notifier.notices }

  private let notifier: JackNotifier
  private let notificationThread = NotificationThread()
  private let counters = AtomicCounters(count: JackCount.all)
  private let published = PublishedPointer()
  private var state: UnsafeMutablePointer<JackRenderState>?
  /// By their names without the client's.
  private(set) var ports: [String: OpaquePointer] = [:]
  private var midiInputNames: [String] = []
  private var inputCounters: AtomicCounters?

  /// - Thread: [control]
  public init(client: JackClient) {
    self.client = client
    notifier = JackNotifier(counters: counters, thread: notificationThread)
    notifier.install(on: client.handle)
  }

  deinit {
    stop()
    client.close()
    published.deallocate()
    counters.deallocate()
    inputCounters?.deallocate()
    notificationThread.deallocate()
  }

  /// What a graph is compiled with for this server.
  /// - Parameters:
  ///   - sampleRate: in hertz; nil for the rate that the server has now.
  ///   - maximumFrames: the most frames that units render in one call.
  public func compileOptions(sampleRate: Int? = nil, maximumFrames: Int = 1024) -> CompileOptions {
    // A message may be a single byte (a realtime byte, or data under running status), so no port can
    // bring more messages than its buffer has bytes. PipeWire's buffer grows with the period.
    let bytes = max(32768, client.midiBufferSize)
    return CompileOptions(
      sampleRate: Double(sampleRate ?? client.sampleRate), maximumFrames: maximumFrames,
      midiEventsPerPort: bytes, midiBytesPerPort: bytes)
  }

  /// Registers the graph's ports, publishes its schedule and activates the client.
  /// - Throws: `portRefused`, `activationFailed`, `serverGone`; nothing is registered then.
  /// - Thread: [control]
  public func start(_ graph: CompiledGraph) throws(JackError) {
    precondition(state == nil, "the backend is running")
    do throws(JackError) {
      try SlowAnswer.tell(of: client.server) { () throws(JackError) in try register(graph) }
    } catch {
      // What a server that has just ended refuses, it refuses for that.
      if notificationThread.waitForLoss() {
        notificationThread.waitUntilQuiet()
        throw .serverGone
      }
      throw client.isServerThere ? error : .serverGone
    }
  }

  /// Whether the server has ended.
  /// - Thread: [any]
  public var isServerGone: Bool { notificationThread.hasLostServer }

  private func register(_ graph: CompiledGraph) throws(JackError) {
    do {
      state = try makeState(graph.ports)
    } catch {
      unregisterPorts()
      throw error
    }
    _ = published.publish(graph.schedule.pointer)
    counters[JackCount.isEnding] = 0
    jack_set_process_callback(client.handle, jackProcess, state)
    jack_set_thread_init_callback(client.handle, jackThreadBegins, state)
    guard jack_activate(client.handle) == 0 else {
      _ = published.withdraw()
      freeState()
      unregisterPorts()
      throw .activationFailed
    }
  }

  /// Gives the render thread another schedule with the same ports and waits until it has let go of the
  /// one before, which belongs to the caller again. One at a time may be under way.
  /// - Returns: false when the server did not run a cycle within `timeout` seconds.
  /// - Thread: [control]
  public func replace(with schedule: Schedule, timeout: TimeInterval = 10) -> Bool {
    // Nothing to wait for when no cycle has taken the one before.
    if published.publish(schedule.pointer) != nil { return true }
    let deadline = Date(timeIntervalSinceNow: timeout)
    while published.collect() == nil {
      if Date() > deadline { return false }
      usleep(500)
    }
    return true
  }

  /// Ends what has begun at the MIDI outputs, and deactivates the client. No render thread uses any schedule
  /// afterwards.
  /// - Thread: [control]
  public func stop() {
    guard state != nil else { return }
    endMIDI()
    jack_deactivate(client.handle)
    notificationThread.waitUntilQuiet()
    notifier.finish()
    _ = published.withdraw()
    while published.collect() != nil {}
    unregisterPorts()
    freeState()
  }

  /// Ends, with the next cycles, what has begun at the MIDI outputs: note-offs and raised pedals, then All Sound Off. What
  /// units send from then on passes.
  /// - Thread: [control]
  public func endNotesSent() { counters.add(1, to: JackCount.endings) }

  /// Waits until note-offs and raised pedals for all that has begun have left the MIDI outputs; no longer than
  /// a second or six cycles, should the server hang.
  private func endMIDI() {
    guard let state, state.pointee.midiOutputCount > 0 else { return }
    counters[JackCount.endedCycles] = 0
    counters[JackCount.isEnding] = 1
    let cycle = Double(counters[JackCount.periodFrames]) / Double(client.sampleRate)
    let deadline = Date(timeIntervalSinceNow: max(1, 6 * cycle))
    // The second one tells that the clients behind us have had the first.
    while counters[JackCount.endedCycles] < 2 && !notificationThread.hasLostServer
      && Date() < deadline
    {
      usleep(500)
    }
  }

  /// The kernel's number of the render thread, 0 before its first cycle.
  /// - Thread: [any]
  public var renderThread: Int { counters[JackCount.renderThread] }

  /// What makes a frame of the server's counter.
  var frameOffset: Int { counters[JackCount.frameOffset] }

  /// - Thread: [any]
  public var statistics: JackStatistics {
    JackStatistics(
      cycles: counters[JackCount.cycles], xruns: counters[JackCount.xruns],
      skippedCycles: counters[JackCount.skippedCycles],
      midiInputRefused: counters[JackCount.midiInputRefused],
      midiOutputRefused: counters[JackCount.midiOutputRefused],
      malformedMIDI: counters[JackCount.malformedMIDI],
      silentCycles: counters[JackCount.silentCycles], period: counters[JackCount.periodFrames],
      frame: counters[JackCount.frame], lostMIDI: lostMIDI)
  }

  private var lostMIDI: [String: Int] {
    guard let inputCounters else { return [:] }
    return Dictionary(
      midiInputNames.enumerated().map { ($1, MIDIInputCounts(inputCounters, input: $0).lost) },
      uniquingKeysWith: +)
  }

  private func makeState(
    _ ports: GraphPorts
  ) throws(JackError) -> UnsafeMutablePointer<JackRenderState> {
    let audio = JACK_DEFAULT_AUDIO_TYPE
    let midi = JACK_DEFAULT_MIDI_TYPE
    var audioInputs: [OpaquePointer] = []
    var audioOutputs: [OpaquePointer] = []
    var midiInputs: [OpaquePointer] = []
    var midiOutputs: [OpaquePointer] = []
    for port in ports.midiInputs { midiInputs.append(try register(port, midi, JackPortIsInput)) }
    for port in ports.audioInputs { audioInputs.append(try register(port, audio, JackPortIsInput)) }
    for port in ports.audioOutputs {
      audioOutputs.append(try register(port, audio, JackPortIsOutput))
    }
    for port in ports.midiOutputs { midiOutputs.append(try register(port, midi, JackPortIsOutput)) }

    let inputCounters = MIDIInputCounts.allocate(inputs: midiInputs.count)
    self.inputCounters?.deallocate()
    self.inputCounters = inputCounters
    midiInputNames = ports.midiInputs.map(\.name)
    notifier.watch(midiInputs: midiInputs, inputCounters)
    let state = UnsafeMutablePointer<JackRenderState>.allocate(capacity: 1)
    state.initialize(
      to: JackRenderState(
        client: client.handle, audioInputs: Self.copy(audioInputs),
        audioInputCount: audioInputs.count, audioOutputs: Self.copy(audioOutputs),
        audioOutputCount: audioOutputs.count,
        midiInputs: Self.copy(
          zip(midiInputs, ports.midiInputs).enumerated().map {
            JackMIDIInput(
              port: $1.0, unit: $1.1.unitIndex, counts: MIDIInputCounts(inputCounters, input: $0))
          }), midiInputCount: midiInputs.count,
        midiOutputs: Self.copy(
          zip(midiOutputs, ports.midiOutputs).map {
            JackMIDIOutput(port: $0, unit: $1.unitIndex)
          }), midiOutputCount: midiOutputs.count, counters: counters, published: published))
    return state
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    memory.initialize(from: elements, count: elements.count)
    return memory
  }

  private func freeState() {
    guard let state else { return }
    for index in 0..<state.pointee.midiInputCount {
      state.pointee.midiInputs[index].deallocate()
    }
    for index in 0..<state.pointee.midiOutputCount {
      state.pointee.midiOutputs[index].deallocate()
    }
    state.pointee.audioInputs.deallocate()
    state.pointee.audioOutputs.deallocate()
    state.pointee.midiInputs.deallocate()
    state.pointee.midiOutputs.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
    self.state = nil
  }

  private func register(
    _ port: GraphPort, _ type: String, _ flags: JackPortFlags
  ) throws(JackError) -> OpaquePointer {
    guard
      let registered = jack_port_register(
        client.handle, port.name, type, UInt(flags.rawValue), 0)
    else { throw .portRefused(port.name) }
    ports[port.name] = registered
    return registered
  }

  private func unregisterPorts() {
    for port in ports.values { jack_port_unregister(client.handle, port) }
    ports.removeAll()
  }
}
