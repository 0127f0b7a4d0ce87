// A host that renders a session without a clock.

import Graph
import GraphRender
import OfflineBackend
import Session
import SessionModel
import Synchronization
import UnitModel

/// Renders a session when called.
///
/// A change starts with the next rendered frame, or on its own frame. It is done once removed parts
/// have faded out. A program without a clock does not wait for that: `follow` renders the fade of
/// the former change without input, and the next `render` call returns it.
///
/// One thread at a time changes it, and one renders; these may be two.
package final class OfflineHost: SessionHost, @unchecked Sendable {
  /// Audio rendered with one graph.
  package struct Piece {
    package let ports: GraphPorts
    /// The samples by audio output port.
    package var audio: [[Float]]
    package var frameCount: Int
  }

  /// Returns the samples of the graph's inputs for a range of frames.
  ///
  /// - Parameters:
  ///   - ports: the ports of the graph that is rendered.
  ///   - first: the first frame, counted from the first requested one.
  ///   - count: the number of frames.
  package typealias Input = (_ ports: GraphPorts, _ first: Int, _ count: Int) -> [[Float]]

  /// The most frames of a piece during fades; small, so that a passage ends soon after its fades.
  private static let fadingFrames = 64

  package let clientName: String
  package var serverName: String { "offline" }
  /// The most frames that units render in a call.
  let period: Int
  /// The render position, for other threads.
  private let rendered: Rendered
  // All properties below are used under the lock.
  private let lock = Mutex(())
  private let renderer: OfflineRenderer
  private var current: CompiledGraph
  private var currentGraph: Graph
  /// The graphs still to be rendered in the exchange; the last one is `current`.
  private var passages: [CompiledGraph] = []
  private var arrive: () -> Void = {}
  /// The change that starts with the next frames.
  private var coming: Coming?
  /// The frame on which the last change started.
  private var startFrame: Int64?

  /// A graph to render from a frame on.
  private struct Coming {
    let graph: Graph
    let passages: [CompiledGraph]
    /// The frame; nil for the next one.
    let frame: Int64?
  }
  /// Pieces already rendered, but not yet returned.
  private var pieces: [Piece] = []

  /// - Parameters:
  ///   - sampleRate: in hertz.
  ///   - period: in frames.
  ///   - isOffline: whether units must have all their data ready on its frame, however long that
  ///     takes.
  /// - Throws: `GraphError` from compiling the graph.
  /// - Thread: [control]
  package init(
    _ plan: SessionPlan, sampleRate: Double, period: Int, isOffline: Bool = true
  ) throws(GraphError) {
    (clientName, self.period, currentGraph) = (plan.clientName, period, plan.graph)
    current = try plan.graph.compile(
      CompileOptions(
        sampleRate: sampleRate, maximumFrames: period, isOffline: isOffline, helper: RenderHelper())
    )
    renderer = OfflineRenderer(current, periodCapacity: period)
    rendered = Rendered(period: period, sampleRate: sampleRate)
  }

  package var serverSampleRate: Int { Int(rendered.sampleRate) }
  package var serverPeriod: Int { period }
  package var load: Float? { nil }
  package var sampleRate: Double? { rendered.sampleRate }
  package var graph: Graph { lock.withLock { _ in currentGraph } }
  package var compiled: CompiledGraph? { lock.withLock { _ in current } }
  package var clock: @Sendable () -> SessionClock? { { [rendered] in rendered.clock } }

  package var statistics: HostStatistics {
    let clock = rendered.clock
    return HostStatistics(
      cycles: rendered.cycleCount, xruns: 0, period: clock.period, frame: Int(clock.frame))
  }

  /// The number of frames returned by `render`.
  package var givenFrame: Int64 { lock.withLock { _ in renderer.frame - Int64(aheadFrames) } }

  private var aheadFrames: Int { pieces.reduce(0) { $0 + $1.frameCount } }

  package func begin(
    _ plan: SessionPlan, _ rendered: Graph, from startFrame: Int64?, connectsOutside: Bool
  ) throws(SessionError) {
    let passages = try wrap(SessionError.graph) { () throws(GraphError) in
      try rendered.compile(following: lock.withLock { _ in current })
    }
    if passages.isEmpty { return }
    lock.withLock { _ in
      precondition(coming == nil && self.passages.isEmpty, "another change is under way")
      coming = Coming(graph: rendered, passages: passages, frame: startFrame)
      self.startFrame = nil
    }
  }

  package func advance(waits: Bool) -> HostChange {
    if waits { finishFading() }
    return lock.withLock { _ in
      guard coming == nil, passages.isEmpty else { return .underWay }
      defer { startFrame = nil }
      return .done(frame: startFrame)
    }
  }

  /// Renders another graph from the next frame on. If a former change still fades, its fade is
  /// rendered first, without input.
  ///
  /// - Parameter arrive: called when all removed parts have faded out.
  /// - Returns: the frame on which it starts; nil if nothing has changed.
  /// - Throws: `GraphError` from compiling the graph; nothing has changed then.
  package func follow(_ graph: Graph, arrive: @escaping () -> Void) throws(GraphError) -> Int64? {
    finishFading()
    let passages = try graph.compile(following: lock.withLock { _ in current })
    if passages.isEmpty { return nil }
    return lock.withLock { _ in
      self.arrive = arrive
      go(on: Coming(graph: graph, passages: passages, frame: nil))
      return startFrame
    }
  }

  private func go(on next: Coming) {
    (currentGraph, passages, startFrame) = (next.graph, next.passages, renderer.frame)
    current = passages[passages.count - 1]
    renderer.go(on: passages[0])
    if passages.count == 1 { end() }
  }

  /// Renders without input until all fades have ended.
  package func finishFading() {
    lock.withLock { _ in
      while coming != nil || !passages.isEmpty {
        pieces.append(renderPiece(period, { _, _ in [] }, [:]))
      }
    }
  }

  /// Ends a change: the last graph is rendered, and removed parts have faded out.
  private func end() {
    passages = []
    arrive()
    arrive = {}
  }

  /// Renders frames.
  ///
  /// - Parameters:
  ///   - frames: the number of frames.
  ///   - input: returns the samples of the audio inputs.
  ///   - midi: by MIDI input name, its messages in the order of their frames.
  /// - Returns: the output, in pieces.
  /// - Thread: [control], one at a time
  package func render(
    _ frames: Int, input: Input = { _, _, _ in [] }, midi: [String: [TimedMIDI]] = [:]
  ) -> [Piece] {
    lock.withLock { _ in
      var given: [Piece] = []
      var done = 0
      while done < frames {
        if pieces.isEmpty {
          let piece = renderPiece(frames - done, { input($0, done, $1) }, midi)
          given.append(piece)
          done += piece.frameCount
        } else if pieces[0].frameCount <= frames - done {
          given.append(pieces.removeFirst())
          done += given[given.count - 1].frameCount
        } else {
          given.append(pieces[0].removeFirst(frames - done))
          done = frames
        }
      }
      return given
    }
  }

  /// Renders frames until a change starts or its fades end, at most `most`.
  private func renderPiece(
    _ most: Int, _ input: (_ ports: GraphPorts, _ count: Int) -> [[Float]],
    _ midi: [String: [TimedMIDI]]
  ) -> Piece {
    var most = most
    if let next = coming {
      let wait = max(0, (next.frame ?? 0) - renderer.frame)
      if wait == 0 {
        coming = nil
        go(on: next)
      } else {
        most = min(most, Int(wait))
      }
    }
    let count = min(most, passages.isEmpty ? period : min(Self.fadingFrames, period))
    let ports = renderer.graph.ports
    let next = renderer.frame + Int64(count)
    let messages = ports.midiInputs.filter { !$0.isEnding }.map { port in
      (midi[port.name] ?? []).filter { $0.frame >= renderer.frame && $0.frame < next }
    }
    let audio = renderer.render(frameCount: count, input: input(ports, count), midi: messages)
    rendered.note(renderer.frame)
    while !passages.isEmpty, renderer.graph.schedule.isSettled {
      passages.removeFirst()
      renderer.go(on: passages[0])
      if passages.count == 1 { end() }
    }
    return Piece(ports: ports, audio: audio, frameCount: count)
  }

  /// Does nothing: no other client receives the MIDI output.
  package func endNotesSent() {}

  package func stop() {}

  /// The render position and the number of cycles.
  private final class Rendered: Sendable {
    let period: Int
    let sampleRate: Double
    private let frame = Atomic<Int64>(0)
    private let cycles = Atomic<Int>(0)

    init(period: Int, sampleRate: Double) { (self.period, self.sampleRate) = (period, sampleRate) }

    func note(_ frame: Int64) {
      self.frame.store(frame, ordering: .releasing)
      cycles.add(1, ordering: .releasing)
    }

    var cycleCount: Int { cycles.load(ordering: .acquiring) }

    /// The clock, with the next cycle starting at the render position.
    var clock: SessionClock {
      SessionClock(
        frame: max(0, frame.load(ordering: .acquiring) - Int64(period)), period: period,
        sampleRate: sampleRate)
    }
  }
}

extension OfflineHost.Piece {
  /// Removes and returns its first frames.
  fileprivate mutating func removeFirst(_ count: Int) -> OfflineHost.Piece {
    var first = self
    first.frameCount = count
    frameCount -= count
    for channel in audio.indices {
      first.audio[channel] = Array(audio[channel].prefix(count))
      audio[channel].removeFirst(count)
    }
    return first
  }
}
