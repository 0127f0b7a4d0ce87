// Rendering a compiled graph with a JACK server.

import CJack
import FoundationEssentials
import Glibc
import Graph
public import GraphRender
import Realtime
import UnitRender

/// Renders a compiled graph in JACK's process callback.
///
/// Used by one control thread at a time.
public final class JackBackend: @unchecked Sendable {
  public let client: JackClient
  /// Notices from the server, for one consumer.
  public var notices: AsyncStream<JackNotice> { notifier.notices }

  /// The helper that may render in parallel with JACK's thread; nil if JACK's thread renders
  /// everything.
  public let helper: RenderHelper?

  private let notifier: JackNotifier
  private let notificationThread = NotificationThread()
  private let counters = AtomicCounters(count: JackCount.all)
  private let published = PublishedPointer()
  private var state: UnsafeMutablePointer<JackRenderState>?
  /// The session's ports, by their names without the client's.
  private(set) var ports: [String: JackOwnPort] = [:]
  /// The ports of the graph that is rendered.
  private var graphPorts = GraphPorts()
  /// All renderings given to the render thread and not yet returned.
  private var renderings: Set<UnsafeMutablePointer<JackRendering>> = []
  /// The exchange of graphs that is under way.
  private var exchange: JackExchange?
  /// Graphs that a stalled render thread may still use.
  private var stranded: [CompiledGraph] = []
  /// The process that writes metadata; nil if none is written.
  private var metadata: MetadataProcess?

  /// - Parameter secondCore: whether a thread of the same priority renders in parallel with JACK's.
  /// - Thread: [control]
  public init(client: JackClient, secondCore: SecondCore = .whereFaster) {
    self.client = client
    helper = RenderHelper(secondCore) { client.makeRealtime($0) }
    notifier = JackNotifier(counters: counters, thread: notificationThread)
    notifier.install(on: client.handle)
  }

  deinit {
    stop()
    client.close()
    published.deallocate()
    counters.deallocate()
    notificationThread.deallocate()
  }

  /// Returns the options for compiling a graph for this server.
  /// - Parameters:
  ///   - sampleRate: in hertz; nil for the server's current rate.
  ///   - maximumFrames: the most frames that units render in one call.
  public func compileOptions(sampleRate: Int? = nil, maximumFrames: Int = 1024) -> CompileOptions {
    // A message may be a single byte (a realtime byte, or data under running status). So no port
    // can receive more messages than its buffer has bytes. PipeWire's buffer grows with the period.
    let bytes = max(32768, client.midiBufferSize)
    return CompileOptions(
      sampleRate: Double(sampleRate ?? client.sampleRate), maximumFrames: maximumFrames,
      midiEventsPerPort: bytes, midiBytesPerPort: bytes, helper: helper)
  }

  /// Registers the graph's ports, publishes its schedule and activates the client.
  /// - Throws: `portRefused`, `activationFailed`, `serverGone`; nothing is registered then.
  /// - Thread: [control]
  public func start(_ graph: CompiledGraph) throws(JackError) {
    precondition(state == nil, "the backend is running")
    do throws(JackError) {
      try SlowAnswer.report(of: client.server) { () throws(JackError) in try register(graph) }
    } catch {
      // A server that has just ended refuses calls for that reason.
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
    _ = try registerPorts(of: [graph.ports])
    graphPorts = graph.ports
    let hasLatency = notifier.latencies.update(graph.portLatencies(), own: ports)
    let state = UnsafeMutablePointer<JackRenderState>.allocate(capacity: 1)
    state.initialize(
      to: JackRenderState(
        client: client.handle, sampleRate: client.sampleRate, counters: counters,
        published: published))
    self.state = state
    _ = publish(graph.schedule, graph.ports, endsAll: true)
    counters[JackCount.isEnding] = 0
    jack_set_process_callback(client.handle, jackProcess, state)
    jack_set_thread_init_callback(client.handle, jackThreadBegins, state)
    guard jack_activate(client.handle) == 0 else {
      freeState()
      unregister(Array(ports.keys))
      throw .activationFailed
    }
    if hasLatency { jack_recompute_total_latencies(client.handle) }
    // Wait until the render thread has published its identifier.
    _ = wait(1) { renderThread != 0 }
  }

  // MARK: Exchanging graphs

  /// Gives the render thread another schedule with the same ports, and waits until it has released
  /// the former one, which belongs to the caller again. Only one exchange may be under way.
  /// - Returns: false if the server ran no cycle within `timeout` seconds.
  /// - Thread: [control]
  public func replace(with schedule: Schedule, timeout: TimeInterval = 10) -> Bool {
    // There is nothing to wait for if no cycle has taken the former one.
    if publish(schedule, graphPorts, endsAll: true) { return true }
    return wait(timeout) { collect() }
  }

  /// Starts an exchange: the render thread renders the given graphs after the current one, each
  /// until it has settled. New ports are registered before the first graph, former ones removed
  /// after the last.
  ///
  /// The exchange is then under way, and `advance` continues it. Only one may be under way.
  ///
  /// - Parameters:
  ///   - passages: the result of `Graph.compile(following:)`, at least one graph.
  ///   - startFrame: the frame on which the first one begins, possibly within a cycle; the next
  ///     cycle's first frame if it has passed.
  ///   - timeout: how long to wait for a cycle, or for the frame, in seconds.
  ///   - connect: connects the new ports, before they play.
  /// - Throws: `portRefused`, `serverGone`; nothing has changed then.
  /// - Thread: [control]
  package func begin(
    _ passages: [CompiledGraph], from startFrame: Int64? = nil, timeout: TimeInterval = 10,
    connect: () -> Void
  ) throws(JackError) {
    precondition(exchange == nil, "another exchange is under way")
    if isServerGone { throw .serverGone }
    let new = try registerPorts(of: passages.map(\.ports))
    connect()
    let taken = counters[JackCount.takenRenderings]
    _ = publish(
      passages[0].schedule, passages[0].ports, from: startFrame ?? .min, endsAll: false)
    exchange = JackExchange(passages, newPorts: new, takenRenderings: taken, timeout)
  }

  /// Continues the exchange as far as cycles have run, without waiting.
  ///
  /// - Returns: the exchange's state; done if none is under way.
  /// - Throws: `serverGone`, and `noCycle` if the server runs none; nothing has changed then.
  /// - Thread: [control]
  package func advance() throws(JackError) -> JackExchange.State {
    guard var exchange else { return .done(frame: nil) }
    self.exchange = nil
    while let isDone = try step(&exchange) {
      if isDone { return .done(frame: exchange.frame) }
    }
    self.exchange = exchange
    return .underWay
  }

  /// - Returns: whether the exchange is done; nil if it has to wait.
  private func step(_ exchange: inout JackExchange) throws(JackError) -> Bool? {
    let isLate = isServerGone || exchange.isLate
    switch exchange.stage {
    case .taking:
      if collect() {
        exchange.proceed(to: exchange.step == 0 ? .reporting : .settling)
      } else if isLate {
        if exchange.step == 0, withdraw() {
          unregister(exchange.newPorts)
          throw isServerGone ? .serverGone : .noCycle
        }
        exchange.strands = true
        exchange.proceed(to: .settling)
      } else {
        return nil
      }
    case .reporting:
      // The render thread publishes the frame after the exchange.
      if counters[JackCount.takenRenderings] != exchange.takenRenderings {
        exchange.frame = Int64(counters[JackCount.renderingFrame])
      } else if !isLate {
        return nil
      }
      exchange.proceed(to: .settling)
    case .settling:
      if exchange.isLast {
        finish(exchange)
        return true
      }
      // Nothing is audible on a server that has stopped or ended.
      if !exchange.graph.schedule.isSettled {
        if !isLate { return nil }
        exchange.strands = true
      }
      exchange.goOn()
      _ = publish(exchange.graph.schedule, exchange.graph.ports, endsAll: false)
    }
    return false
  }

  private func finish(_ exchange: JackExchange) {
    if exchange.strands { stranded += exchange.passages }
    let last = exchange.graph
    graphPorts = last.ports
    // Before the ports it names are removed.
    let hasLatency = notifier.latencies.update(last.portLatencies(), own: ports)
    let kept = Set(last.ports.names)
    // Ports that a render thread may still use stay until it has ended.
    if stranded.isEmpty { unregister(ports.keys.filter { !kept.contains($0) }) }
    if hasLatency && !isServerGone { jack_recompute_total_latencies(client.handle) }
  }

  /// The names of the session's ports, without the client's.
  /// - Thread: [control]
  public var portNames: Set<String> { Set(ports.keys) }

  /// Returns the playback latency of one of the client's outputs in frames, on the longest path;
  /// nil if there is no such port.
  /// - Parameter port: its name without the client's.
  /// - Thread: [control]
  public func playbackLatency(ofPort port: String) -> Int? {
    guard let port = ports[port] else { return nil }
    var range = jack_latency_range_t()
    jack_port_get_latency_range(port.port, JackPlaybackLatency, &range)
    return Int(range.max)
  }

  /// - Returns: whether no cycle has taken the former rendering.
  private func publish(
    _ schedule: Schedule, _ ports: GraphPorts, from startFrame: FrameTime = .min, endsAll: Bool
  ) -> Bool {
    let rendering = JackRendering.allocate(
      schedule, ports, from: startFrame, own: self.ports, endsAll: endsAll)
    renderings.insert(rendering)
    return free(published.publish(UnsafeMutableRawPointer(rendering)))
  }

  private func collect() -> Bool { free(published.collect()) }

  private func withdraw() -> Bool { free(published.withdraw()) }

  private func free(_ pointer: UnsafeMutableRawPointer?) -> Bool {
    guard let rendering = pointer?.assumingMemoryBound(to: JackRendering.self) else {
      return false
    }
    renderings.remove(rendering)
    JackRendering.deallocate(rendering)
    return true
  }

  private func wait(_ timeout: TimeInterval, for isDone: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: timeout)
    while !isDone() {
      if Date() > deadline || isServerGone { return false }
      usleep(500)
    }
    return true
  }

  /// Releases the held notes of the MIDI outputs, and deactivates the client. Afterwards no render
  /// thread uses any schedule.
  /// - Thread: [control]
  public func stop() {
    guard state != nil else { return }
    endMIDI()
    jack_deactivate(client.handle)
    notificationThread.waitUntilQuiet()
    notifier.finish()
    freeState()
    metadata?.finishWriting()
    metadata = nil
    unregister(Array(ports.keys))
    (exchange, stranded) = (nil, [])
  }

  /// Releases the held notes of the MIDI outputs with the next cycles: note-offs and raised pedals,
  /// then All Sound Off. MIDI that units send later is passed on.
  /// - Thread: [control]
  public func endNotesSent() { counters.add(1, to: JackCount.endings) }

  /// Waits until the releases of all held notes and pedals have left the MIDI outputs. In case the
  /// server hangs, the limit is a second or six cycles, whichever is longer.
  private func endMIDI() {
    guard state != nil, ports.values.contains(where: { $0.midiOutput != nil }) else { return }
    counters[JackCount.endedCycles] = 0
    counters[JackCount.isEnding] = 1
    let cycle = Double(counters[JackCount.periodFrames]) / Double(client.sampleRate)
    let deadline = Date(timeIntervalSinceNow: max(1, 6 * cycle))
    // After the second cycle, the downstream clients have received the first.
    while counters[JackCount.endedCycles] < 2 && !notificationThread.hasLostServer
      && Date() < deadline
    {
      usleep(500)
    }
  }

  /// The kernel's identifier of the render thread, 0 before its first cycle.
  /// - Thread: [any]
  public var renderThread: Int { counters[JackCount.renderThread] }

  /// The difference between the session's frame and the server's counter.
  var frameOffset: Int { counters[JackCount.frameOffset] }

  /// Time of the session's frame 0, in nanoseconds of JACK's monotonic clock, according to the
  /// latest cycle; nil before the first.
  /// - Thread: [any]
  package var hostTimeOfFrameZero: Int64? {
    counters[JackCount.cycles] > 0 ? Int64(counters[JackCount.hostTimeOfFrameZero]) : nil
  }

  /// The counts since the client's activation.
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
    ports.compactMapValues { $0.midiInput?.pointee.counts.lost }
  }

  // MARK: Ports

  /// - Returns: the names of the newly registered ports.
  /// - Throws: `portRefused`; no new port stays registered then.
  private func registerPorts(of graphs: [GraphPorts]) throws(JackError) -> [String] {
    var new: [String] = []
    func register(_ port: GraphPort, _ kind: JackOwnPort.Kind) throws(JackError) {
      if ports[port.name] != nil { return }
      // JACK refuses a name that is another port's alias, such as its former name.
      let fullName = "\(client.name):\(port.name)"
      for other in ports.values where other.aliases.contains(fullName) { other.setAliases([]) }
      ports[port.name] = try JackOwnPort(port.name, kind, of: client.handle)
      new.append(port.name)
    }
    do throws(JackError) {
      for graph in graphs {
        for port in graph.midiInputs { try register(port, .midiInput) }
        for port in graph.audioInputs { try register(port, .audioInput) }
        for port in graph.audioOutputs { try register(port, .audioOutput) }
        for port in graph.midiOutputs { try register(port, .midiOutput) }
      }
    } catch {
      unregister(new)
      throw error
    }
    notifier.watch(ports.values)
    return new
  }

  /// Removes ports that no process callback uses any more.
  private func unregister(_ names: [String]) {
    let gone = names.compactMap { ports.removeValue(forKey: $0) }
    if ports.isEmpty { _ = notifier.latencies.update([], own: [:]) }
    if !gone.isEmpty { metadata?.finishWriting() }
    // No callback may count in their memory when it is freed.
    notifier.watch(ports.values)
    for port in gone { jack_port_unregister(client.handle, port.port) }
  }

  /// Gives the session's ports the aliases of their labels, and writes the labels into JACK's
  /// metadata after `writeMetadata`.
  ///
  /// - Parameter labels: by the names of the ports, without the client's.
  /// - Thread: [control]
  package func label(_ labels: [String: PortLabel]) {
    for (name, label) in labels {
      ports[name]?.setAliases(label.aliases(of: name, client: client.name))
    }
    metadata?.send(labels)
  }

  /// Writes the labels from now on into JACK's metadata, in another process. If that cannot be
  /// started, a warning says so.
  ///
  /// - Parameter program: the path of a program with the command `write-metadata`.
  /// - Thread: [control]
  package func writeMetadata(by program: String) {
    metadata = MetadataProcess.started(program, session: client.name, server: client.server)
  }

  private func freeState() {
    _ = published.withdraw()
    while published.collect() != nil {}
    for rendering in renderings { JackRendering.deallocate(rendering) }
    renderings = []
    state?.deinitialize(count: 1)
    state?.deallocate()
    state = nil
  }
}

extension GraphPorts {
  fileprivate var names: [String] {
    (audioInputs + audioOutputs + midiInputs + midiOutputs).map(\.name)
  }
}
