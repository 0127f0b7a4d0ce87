// Takes: several test clients play and record from a common first frame.
import CJack
import CTestSupport
import Foundation

extension JackTestClient {
  /// Plays the script and records `frames` frames; see `run(_:frames:within:)`.
  public func run(frames: Int, within limit: Duration = .seconds(120)) async throws -> JackTake {
    try await Self.run([self], frames: frames, within: limit)[0]
  }

  /// Plays the scripts of all clients and records, from one start of a cycle, which is frame 0 of
  /// every script and recording. Returns when every client has processed `frames` frames.
  ///
  /// `whileRunning` runs once the take has started, for a test's actions on a running client.
  ///
  /// - Returns: the clients' takes in order.
  /// - Throws: `RigError.timedOut`, `RigError.serverGone`, and errors of `whileRunning`.
  public static func run(
    _ clients: [JackTestClient], frames: Int, within limit: Duration = .seconds(120),
    whileRunning: () async throws -> Void = {}
  ) async throws -> [JackTake] {
    let origin = rigOriginCreate(UInt32(clients.count))
    var plans: [Plan] = []
    do {
      plans = try clients.map { try Plan($0, frames: frames) }
      for plan in plans {
        rigClientStart(plan.client.rig, origin, UInt32(plan.playFrames), UInt32(frames))
      }
      try await whileRunning()
      try await waitForEnd(of: clients, within: limit)
    } catch {
      if await abandon(clients) {
        rigOriginDestroy(origin)
      } else {
        // The server hangs: its thread may still access the take's memory.
        for plan in plans { plan.isKept = true }
      }
      throw error
    }
    let firstFrame = rigOriginFrame(origin)
    rigOriginDestroy(origin)
    return plans.map { $0.client.take(frames: frames, firstFrame: firstFrame, plan: $0) }
  }

  private static func waitForEnd(of clients: [JackTestClient], within limit: Duration) async throws
  {
    var reason: String?
    let isOver = await eventually(within: limit) {
      reason = clients.lazy.compactMap(\.shutdownReason).first
      return reason != nil || clients.allSatisfy { rigClientIsDone($0.rig) != 0 }
    }
    if let reason { throw RigError.serverGone(reason: reason) }
    if !isOver {
      let progress = clients.map { "\($0.name): frame \($0.processedFrames)" }
      throw RigError.timedOut(waitingFor: "end of the take", output: "\(progress)")
    }
  }

  /// Stops the callbacks' use of the take's memory, which is about to be freed.
  /// - Returns: whether all callbacks have stopped using it.
  private static func abandon(_ clients: [JackTestClient]) async -> Bool {
    for client in clients { rigClientAbandon(client.rig) }
    return await eventually {
      clients.allSatisfy { rigClientIsDone($0.rig) != 0 || $0.shutdownReason != nil }
    }
  }

  private func take(frames: Int, firstFrame: UInt32, plan: Plan) -> JackTake {
    let result = rigClientTake(rig)
    let bytes = rigClientRecordedBytes(rig)
    let events = UnsafeBufferPointer(
      start: rigClientRecordedEvents(rig), count: Int(result.recordedEvents))
    return JackTake(
      audio: (0..<audioInputs).map { port in
        Array(UnsafeBufferPointer(start: rigClientRecording(rig, UInt32(port)), count: frames))
      },
      midi: events.map { event in
        let start = bytes + Int(event.offset)
        return TimedMIDI(
          frame: Int(event.frame),
          bytes: Array(UnsafeBufferPointer(start: start, count: Int(event.size))),
          port: Int(event.port))
      },
      transport: UnsafeBufferPointer(
        start: rigClientRecordedTransport(rig), count: Int(result.cycles)
      ).map {
        TransportCycle(
          frame: Int($0.frame), position: Int($0.position), isRolling: $0.isRolling != 0,
          beat: $0.hasBeats != 0 ? $0.beat : nil, tempo: $0.tempo)
      },
      firstFrame: firstFrame, startsInCycle: Int(result.startsInCycle),
      missedFrames: frames - Int(result.processedFrames), frameJumps: Int(result.frameJumps),
      lateEvents: Int(result.lateEvents),
      refusedEvents: Int(result.refusedEvents), lostEvents: Int(result.lostEvents),
      xruns: xruns - plan.xrunsBefore)
  }

  /// A client's script in the form of its callback; lives as long as the take.
  private final class Plan {
    let client: JackTestClient
    let playFrames: Int
    let xrunsBefore: Int
    /// Whether its memory is leaked on purpose: it stays until the process ends.
    var isKept = false
    private let events: UnsafeMutableBufferPointer<RigMIDIEvent>
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let commands: UnsafeMutableBufferPointer<RigTransportCommand>

    init(_ client: JackTestClient, frames: Int) throws(RigError) {
      let script = client.script
      let playFrames = script.audio.map(\.count).max() ?? 0
      guard max(frames, playFrames) <= client.capacityFrames else {
        throw .scriptTooLong(frames: max(frames, playFrames), capacity: client.capacityFrames)
      }
      precondition(script.audio.count <= client.audioOutputs, "more audio than outputs")
      precondition(script.midi.allSatisfy { $0.port < client.midiOutputs && $0.frame >= 0 })
      self.client = client
      self.playFrames = playFrames
      xrunsBefore = client.xruns
      let midi = script.midi.enumerated()
        .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
        .map(\.element)
      let content = midi.flatMap(\.bytes)
      bytes = .allocate(capacity: content.count)
      _ = bytes.initialize(from: content)
      events = .allocate(capacity: midi.count)
      var offset = 0
      for (index, message) in midi.enumerated() {
        events.initializeElement(
          at: index,
          to: RigMIDIEvent(
            frame: Int64(message.frame), port: UInt32(message.port), offset: UInt32(offset),
            size: UInt32(message.bytes.count)))
        offset += message.bytes.count
      }
      let transport = script.transport.enumerated()
        .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
        .map { Self.command($0.element) }
      commands = .allocate(capacity: transport.count)
      _ = commands.initialize(from: transport)
      rigClientSetTransport(client.rig, commands.baseAddress, UInt32(commands.count))
      fillPlayback(script.audio)
      rigClientSetEvents(
        client.rig, events.baseAddress, UInt32(events.count), bytes.baseAddress)
    }

    deinit {
      if isKept { return }
      rigClientSetEvents(client.rig, nil, 0, nil)
      rigClientSetTransport(client.rig, nil, 0)
      commands.deallocate()
      events.deallocate()
      bytes.deallocate()
    }

    private static func command(_ command: TransportCommand) -> RigTransportCommand {
      var target = 0
      if case .locate(let frame) = command.kind { target = frame }
      let kind =
        switch command.kind {
        case .stop: rigTransportStop
        case .start: rigTransportStart
        case .locate: rigTransportLocate
        }
      return RigTransportCommand(
        frame: Int64(command.frame), kind: kind, target: UInt32(target))
    }

    private func fillPlayback(_ audio: [[Float]]) {
      for port in 0..<client.audioOutputs {
        let target = rigClientPlayback(client.rig, UInt32(port))
        let source = port < audio.count ? audio[port] : []
        for frame in 0..<playFrames {
          target[frame] = frame < source.count ? source[frame] : 0
        }
      }
    }
  }
}
