// Starting, pausing and stopping an engine, observers, and offline rendering.

import CHeap
import Configuration
import JackHost
import Logging
import OfflineHost
import RecorderUnit
import Remotes
import Session
import SessionModel
import UnitModel

/// A change of an engine that the program did not ask for.
///
/// AUv3: `AVAudioEngineConfigurationChange`, which stops an engine; this one keeps running.
public enum EngineChange: Sendable, Hashable {
  /// The new rate in hertz; units are prepared for it, and players continue.
  case sampleRate(Int)
  /// The JACK server has ended; the engine waits for another one.
  case serverGone
  /// The engine renders again.
  case serverBack(sampleRate: Int)
}

extension EngineChange {
  fileprivate init(_ change: ProgramSession.Change) {
    self =
      switch change {
      case .sampleRate(let rate): .sampleRate(rate)
      case .serverGone: .serverGone
      case .serverBack(let rate): .serverBack(sampleRate: rate)
      }
  }
}

extension Engine {
  /// Starts rendering, or resumes it after a pause.
  ///
  /// - Throws: `refused`, with the reason: no server, or an invalid graph.
  ///
  /// AUv3: `start()`.
  /// - Thread: [control]
  public func start() async throws(EngineError) {
    try await inTurn { [self] () throws(EngineError) in
      if state.withLock({ $0.isPaused }) { return try await resume() }
      guard host.withLock({ $0 }) == nil else { return }
      let graph = state.withLock { $0.graph }
      settle(graph)
      // Frees memory left by earlier engines: each thread that loaded files for them keeps its
      // peak.
      heapTrim()
      do {
        let new = try makeHost(graph.structure)
        if let rate = new.program?.sampleRate { note(rate) }
        host.withLock { $0 = new }
      } catch { throw .refused(error) }
    }
  }

  private func makeHost(_ structure: ProgramStructure) throws -> EngineHost {
    switch mode {
    case .jack(let options):
      let (argument, text) = options.clientName.map { ("clientName", $0) } ?? ("name", name)
      do throws(NameError) { _ = try ClientName(forJACK: text) } catch {
        throw EngineError.refused(reason: "the argument '\(argument)': \(error)")
      }
      return .jack(
        try ProgramSession(
          structure, clientName: options.clientName ?? name, registry: registry,
          start: { [log] in try JackSession($0, options, log: log) },
          listen: { [log] in [SessionSocket.listening(as: $0.clientName, log)].compactMap(\.self) },
          follow: { [weak self] in self?.follow($0) },
          notify: { [weak self] in self?.notify(EngineChange($0)) }))
    case .offline(let sampleRate, let maximumFrames):
      return .offline(
        LentSession(
          session: try OfflineSession(
            structure, input: Self.inputID, output: Self.outputID, registry: registry,
            sampleRate: sampleRate, maximumFrames: maximumFrames)))
    }
  }

  /// Fades the output out and pauses rendering; for the units, no time passes. `start` resumes.
  ///
  /// - Throws: `notRunning`, `refused`.
  ///
  /// AUv3: `pause()`.
  /// - Thread: [control]
  public func pause() async throws(EngineError) {
    try await inTurn { [self] () throws(EngineError) in
      guard let host = host.withLock({ $0 }) else { throw .notRunning }
      if state.withLock({ $0.isPaused }) { return }
      try await setSilent(true, host)
      state.withLock { $0.isPaused = true }
    }
  }

  private func resume() async throws(EngineError) {
    guard let host = host.withLock({ $0 }) else { return }
    try await setSilent(false, host)
    state.withLock { $0.isPaused = false }
    try await render("changes made in a pause") { _ in }
  }

  private func setSilent(_ isSilent: Bool, _ host: EngineHost) async throws(EngineError) {
    guard let session = host.program else { return }
    let output = state.withLock { $0.output }
    let volume = output?.parameterTree.parameter(keyPath: "volume")
    do {
      if isSilent {
        let former = volume?.value ?? 1
        try volume?.setValue(0)
        // The mixer reaches a set value within 20 ms.
        try await Task.sleep(for: .milliseconds(50))
        try await session.setPaused(true)
        try volume?.setValue(former)
      } else {
        try await session.setPaused(false)
      }
    } catch { throw .refused(error) }
  }

  /// Stops rendering: the JACK client closes, and recorders complete their files. Units stay
  /// attached and connected.
  ///
  /// AUv3: `stop()`.
  /// - Thread: [control]
  public func stop() async {
    try? await inTurn { [self] in
      // The host borrows the units until it is deallocated: no local reference.
      if let failure = await takeHost()?.program?.stop() { log.error("\(failure)") }
      let units = state.withLock { state in
        state.isPaused = false
        state.graph.leave()
        return state.graph.nodes.map(\.unit)
      }
      for unit in units {
        (unit as? any Finishing)?.finish()
        try? unit.deallocateRenderResources()
      }
    }
  }

  private func takeHost() -> EngineHost? {
    host.withLock { host in
      defer { host = nil }
      return host
    }
  }

  /// Silences all units, with their tails and held notes, and stops players.
  ///
  /// AUv3: `reset()`.
  /// - Thread: [control]
  public func reset() { for unit in units { unit.reset() } }

  /// Whether the engine renders.
  ///
  /// AUv3: `isRunning`.
  public var isRunning: Bool {
    host.withLock { $0 != nil } && !state.withLock { $0.isPaused }
  }

  /// The JACK client's name, which may differ from the requested one; nil without a client.
  public var clientName: String? { host.withLock { $0?.program?.clientName } }

  /// The frame time at the last cycle's end; nil while the engine is stopped.
  ///
  /// AUv3: `lastRenderTime` of a node.
  public var frame: Int64? {
    host.withLock { host in
      switch host {
      case .jack(let session)?: session.frame
      case .offline(let lent)?: lent.frame
      case nil: nil
      }
    }
  }

  // MARK: Observers

  /// Calls `observer` for each `EngineChange`, until `removeObserver`.
  ///
  /// - Returns: the observer's number.
  /// - Thread: [control]; the observer runs on any thread.
  public func addObserver(_ observer: @escaping @Sendable (EngineChange) -> Void) -> Int {
    state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = observer
      return state.lastObserver
    }
  }

  /// Removes an observer by its number; an unknown number does nothing.
  ///
  /// - Thread: [control]
  public func removeObserver(_ number: Int) { state.withLock { $0.observers[number] = nil } }

  /// The sample rate in hertz. Over JACK it is the server's, and nil before the first start; while
  /// the engine is stopped or waits for a server, it is the last one.
  ///
  /// AUv3: the sample rate of `outputNode`'s format.
  public var sampleRate: Double? {
    switch mode {
    case .jack: state.withLock { $0.serverRate }
    case .offline(let rate, _): rate
    }
  }

  private func note(_ rate: Int) {
    state.withLock { $0.serverRate = Double(rate) }
  }

  private func notify(_ change: EngineChange) {
    switch change {
    case .sampleRate(let rate), .serverBack(let rate): note(rate)
    case .serverGone: break
    }
    for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key }.map(\.value) }) {
      observer(change)
    }
  }

  // MARK: Offline rendering

  /// The most frames of one call of `render`, which keeps all of them in memory.
  public static let maximumRenderedFrames = 1 << 28

  /// Renders frames of an engine without a clock.
  ///
  /// Taps call their handlers on this thread.
  ///
  /// - Parameters:
  ///   - frames: their number, up to `maximumRenderedFrames`; nothing is rendered for 0 or less.
  ///   - input: samples of `inputNode` by channel; missing samples are silence.
  /// - Returns: the samples of `outputNode` by channel; none unless `outputNode` was read before.
  /// - Throws: `rendersByItself`, `notRunning`; `refused` for more frames.
  ///
  /// AUv3: `renderOffline(_:to:)`.
  /// - Thread: [control]
  public func render(_ frames: Int, input: [[Float]] = []) throws(EngineError) -> [[Float]] {
    guard case .offline = mode else { throw .rendersByItself }
    guard case .offline(let lent)? = host.withLock({ $0 }), !state.withLock({ $0.isPaused }) else {
      throw .notRunning
    }
    guard frames <= Self.maximumRenderedFrames else {
      throw .refused(
        reason: "\(frames) frames by one call; accepted: up to \(Self.maximumRenderedFrames)")
    }
    let taps = state.withLock { $0.graph.nodes.compactMap { $0.unit as? TapUnit } }
    let frames = max(0, frames)
    // Below a tap's capacity, so that none of its frames is lost.
    let most = taps.isEmpty ? frames : 4096
    var output: [[Float]] = []
    var done = 0
    repeat {
      let count = min(frames - done, most)
      let part = lent.render(
        count, input: input.map { Array($0.dropFirst(done).prefix(count)) })
      OfflineSession.append(part, count, to: &output, done)
      done += count
      for tap in taps { tap.handOver() }
    } while done < frames
    return output
  }
}
