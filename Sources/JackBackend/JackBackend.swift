// Drives a compiled graph from a JACK server.

import CJack
import Foundation
import Graph
public import GraphRender
import Realtime
import UnitRender

/// Renders a compiled graph in JACK's process callback.
///
/// Its methods are called by one control thread at a time.
public final class JackBackend: @unchecked Sendable {
  public let client: JackClient
  /// News from the server, for one consumer.
  public var notices: AsyncStream<JackNotice> { notifier.notices }

  /// What may render beside JACK's thread; nil where that renders alone.
  public let helper: RenderHelper?

  private let notifier: JackNotifier
  private let notificationThread = NotificationThread()
  private let counters = AtomicCounters(count: JackCount.all)
  private let published = PublishedPointer()
  private var state: UnsafeMutablePointer<JackRenderState>?
  /// By their names without the client's.
  private(set) var ports: [String: JackOwnPort] = [:]
  /// The ports of the graph that is rendered.
  private var graphPorts = GraphPorts()
  /// All that was given to the render thread and did not come back.
  private var renderings: Set<UnsafeMutablePointer<JackRendering>> = []
  /// Graphs that follow each other, on their way to the render thread.
  private var exchange: JackExchange?
  /// Graphs that a render thread may still use, which runs no cycles.
  private var stranded: [CompiledGraph] = []

  /// - Parameter secondCore: whether a thread of the same priority renders beside JACK's.
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

  /// What a graph is compiled with for this server.
  /// - Parameters:
  ///   - sampleRate: in hertz; nil for the rate that the server has now.
  ///   - maximumFrames: the most frames that units render in one call.
  public func compileOptions(sampleRate: Int? = nil, maximumFrames: Int = 1024) -> CompileOptions {
    // A message may be a single byte (a realtime byte, or data under running status), so no port
    // can bring more messages than its buffer has bytes. PipeWire's buffer grows with the period.
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
    _ = try registerPorts(of: [graph.ports])
    graphPorts = graph.ports
    let hasLatency = notifier.latencies.tell(graph.portLatencies(), own: ports)
    let state = UnsafeMutablePointer<JackRenderState>.allocate(capacity: 1)
    state.initialize(
      to: JackRenderState(client: client.handle, counters: counters, published: published))
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
    // The thread that renders says which one it is.
    _ = wait(1) { renderThread != 0 }
  }

  // MARK: Graphs that follow each other

  /// Gives the render thread another schedule with the same ports and waits until it has let go of
  /// the one before, which belongs to the caller again. One at a time may be under way.
  /// - Returns: false when the server did not run a cycle within `timeout` seconds.
  /// - Thread: [control]
  public func replace(with schedule: Schedule, timeout: TimeInterval = 10) -> Bool {
    // Nothing to wait for when no cycle has taken the one before.
    if publish(schedule, graphPorts, endsAll: true) { return true }
    return wait(timeout) { collect() }
  }

  /// Has the render thread go on with graphs that follow the one it renders, one after the other,
  /// each until it has settled. Ports come before the first one, and go behind the last one.
  ///
  /// It is under way then; `advance` carries it on. One at a time may be.
  ///
  /// - Parameters:
  ///   - passages: what `Graph.compile(following:)` has made, one at least.
  ///   - startFrame: where the first one begins, within a cycle too; one that has passed is the
  ///     next cycle's first.
  ///   - timeout: how long cycles may fail to come, or the frame, in seconds.
  ///   - connect: connects the new ports, before anything is heard there.
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

  /// Carries on what `begin` has begun, as far as cycles have come. It waits for nothing.
  ///
  /// - Returns: how far it is; done where nothing is under way.
  /// - Throws: `serverGone`, and `noCycle` when the server runs none; nothing has changed then.
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

  /// - Returns: whether all is done; nil while there is something to wait for.
  private func step(_ exchange: inout JackExchange) throws(JackError) -> Bool? {
    let isLate = isServerGone || exchange.isLate
    switch exchange.stage {
    case .taking:
      if collect() {
        exchange.proceed(to: exchange.place == 0 ? .telling : .settling)
      } else if isLate {
        if exchange.place == 0, withdraw() {
          unregister(exchange.newPorts)
          throw isServerGone ? .serverGone : .noCycle
        }
        exchange.strands = true
        exchange.proceed(to: .settling)
      } else {
        return nil
      }
    case .telling:
      // The render thread tells it behind the exchange.
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
      // What a server that has stopped or gone leaves unfinished, nobody hears.
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
    // Before ports go that it names.
    let hasLatency = notifier.latencies.tell(last.portLatencies(), own: ports)
    let kept = Set(last.ports.names)
    // What a render thread may still use stays until it has ended.
    if stranded.isEmpty { unregister(ports.keys.filter { !kept.contains($0) }) }
    if hasLatency && !isServerGone { jack_recompute_total_latencies(client.handle) }
  }

  /// The names of our ports, without the client's.
  /// - Thread: [control]
  public var portNames: Set<String> { Set(ports.keys) }

  /// Frames from one of the client's outputs to what is heard, the longest way; nil where there is
  /// no such port.
  /// - Parameter port: its name without the client's.
  /// - Thread: [control]
  public func playbackLatency(ofPort port: String) -> Int? {
    guard let port = ports[port] else { return nil }
    var range = jack_latency_range_t()
    jack_port_get_latency_range(port.port, JackPlaybackLatency, &range)
    return Int(range.max)
  }

  /// - Returns: whether no cycle has taken what was published before.
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

  /// Ends what has begun at the MIDI outputs, and deactivates the client. No render thread uses any
  /// schedule afterwards.
  /// - Thread: [control]
  public func stop() {
    guard state != nil else { return }
    endMIDI()
    jack_deactivate(client.handle)
    notificationThread.waitUntilQuiet()
    notifier.finish()
    freeState()
    unregister(Array(ports.keys))
    (exchange, stranded) = (nil, [])
  }

  /// Ends, with the next cycles, what has begun at the MIDI outputs: note-offs and raised pedals,
  /// then All Sound Off. What units send from then on passes.
  /// - Thread: [control]
  public func endNotesSent() { counters.add(1, to: JackCount.endings) }

  /// Waits until note-offs and raised pedals for all that has begun have left the MIDI outputs; no
  /// longer than a second or six cycles, should the server hang.
  private func endMIDI() {
    guard state != nil, ports.values.contains(where: { $0.midiOutput != nil }) else { return }
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
    ports.compactMapValues { $0.midiInput?.pointee.counts.lost }
  }

  // MARK: Ports

  /// - Returns: the names of those that are new.
  /// - Throws: `portRefused`; none of them is there then.
  private func registerPorts(of graphs: [GraphPorts]) throws(JackError) -> [String] {
    var new: [String] = []
    func register(_ port: GraphPort, _ kind: JackOwnPort.Kind) throws(JackError) {
      if ports[port.name] != nil { return }
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
    if ports.isEmpty { _ = notifier.latencies.tell([], own: [:]) }
    // Nobody counts there any more when their memory goes.
    notifier.watch(ports.values)
    for port in gone { jack_port_unregister(client.handle, port.port) }
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
