// The course of a recording: waiting for ports, recording, and marking lost sources.

import FoundationEssentials
import Glibc
import JackBackend
import JackHost
import Logging
import Platform
import Realtime
import Session

/// The stages of a session of one recorder.
///
/// Its methods are called on the thread that runs the session.
public final class Recording {
  /// The stages of a recording.
  public enum Stage: Equatable {
    /// Some ports are missing.
    case ports
    /// The first note, or the transport's start, is awaited.
    case start
    case take
  }

  public let recorded: RecordedSession
  private let session: JackSession
  private var isArmed = false
  private var hasBegun = false
  /// The number of calls of `look`; every fourth one checks the connections.
  private var looks = 0
  /// Ports connected to the recorder at the last check, and earlier ones now disconnected.
  private var sources: Set<String> = []
  private var gone: Set<String> = []

  /// - Parameter waits: whether ports may appear later.
  /// - Throws: `failed` if they may not, and some are missing.
  /// - Thread: [control]
  public init(
    _ recorded: RecordedSession, _ session: JackSession, waits: Bool
  ) throws(SessionError) {
    self.recorded = recorded
    self.session = session
    let missing = missing
    if missing.isEmpty { return }
    if !waits { throw .failed("there is no port to record for \(missing)") }
    session.log.notice("the recording begins when there is a port for \(missing)")
  }

  public var stage: Stage { !isArmed ? .ports : recorded.isRunning ? .take : .start }

  /// Starts recording when its ports exist, and marks sources that are disconnected. To be called
  /// twenty times a second.
  ///
  /// - Returns: whether the recording has ended.
  /// - Throws: `noCycle`; `failed` if a file could not be written.
  public func look() throws(SessionError) -> Bool {
    if !isArmed {
      guard session.connection != nil, missing.isEmpty else { return false }
      isArmed = true
      try session.record(recorded)
    }
    if recorded.hasFailed { throw .failed("the recording has ended early") }
    let isRunning = recorded.isRunning
    hasBegun = hasBegun || isRunning
    looks += 1
    if looks % 4 == 0 { followSources() }
    return recorded.options.seconds != nil && hasBegun && !isRunning
  }

  /// Ends the recording with its session.
  ///
  /// - Throws: `failed` if nothing was recorded because ports were missing.
  public func end() throws(SessionError) {
    if !isArmed { throw .failed("nothing was recorded: no port came for \(missing)") }
  }

  /// The patterns of unconnected ports to record, as the user wrote them.
  private var missing: String {
    let unconnected =
      session.connection?.outside.unconnected ?? Array(session.plan.requests.indices)
    return unconnected.map { session.plan.requests[$0] }
      .filter { $0.bus != nil || recorded.options.isMIDI }
      .map { "'\($0.pattern.text)'" }.joined(separator: ", ")
  }

  private func followSources() {
    // Connections that end with their server are logged by the session.
    guard let connection = session.connection, !connection.backend.isServerGone else {
      sources = []
      return
    }
    let ports = connection.compiled?.ports
    let inputs = recorded.options.isMIDI ? ports?.midiInputs : ports?.audioInputs
    let ours = Set(inputs?.map(\.name) ?? [])
    let now = Set(connection.backend.links.filter { ours.contains($0.own) }.map(\.outside))
    let frame = FrameTime(connection.backend.statistics.frame)
    for port in sources.subtracting(now).sorted() {
      session.log.warning(
        "\(port) is disconnected; until it is there again, nothing of it is recorded")
      recorded.recorder.mark("\(port) is disconnected", at: frame)
      gone.insert(port)
    }
    for port in now.intersection(gone).sorted() {
      session.log.notice("\(port) is connected again")
      recorded.recorder.mark("\(port) is connected again", at: frame)
      gone.remove(port)
    }
    sources = now
  }
}

extension RecordedSession {
  /// Returns a line such as "take-2.flac 00:12, peak -12.3 dB, 35.2 GB free" or "take.mid 00:12, 34
  /// notes, 35.2 GB free".
  /// - Thread: [any]
  public func progress(_ clock: (Double) -> String) -> String {
    let name = file?.lastPathComponent ?? ""
    let shown = name.count > 30 ? name.prefix(14) + "…" + name.suffix(15) : name[...]
    let peak = recorder.takePeak()
    let level =
      recorder.noteCount.map { "\($0) notes" }
      ?? (peak > 0 ? "peak \((20 * log10(peak)).text(decimals: 1)) dB" : "silence")
    let free = recorder.freeBytes.map { ", \(byteText($0)) free" } ?? ""
    return "\(shown) \(clock(seconds)), \(level)\(free)"
  }
}
