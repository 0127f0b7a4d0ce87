// Sessions of one recorder, without a configuration.

import Configuration
import FoundationEssentials
import JackBackend
public import MediaFiles
import Realtime
import RecorderUnit
import Session
import SessionModel
import UnitModel

/// Options of a recording.
public struct RecordOptions: Sendable {
  /// Start conditions of a take.
  public enum Start: String, Sendable, CaseIterable {
    case now
    /// At the first note that the recorder receives.
    case note
    /// Whenever the server's transport rolls.
    case transport
  }

  /// The file of the first take.
  public let file: String
  /// The sample encoding; nil for the default of the file's type, and for MIDI.
  public let encoding: AudioFileFormat.Encoding?
  /// Patterns of JACK ports to record.
  public var sources: [String]
  public var start: Start
  /// Length of the take; nil to record until the session ends. Only with `Start.now`.
  public var seconds: Double?

  public static let lengths = 0.001...1_000_000.0

  /// Whether the file is a MIDI file.
  public let isMIDI: Bool

  /// - Parameter sources: empty for the machine's inputs, or its MIDI devices for a MIDI file.
  /// - Throws: `AudioFileError` if the name implies no format, or the format lacks the encoding.
  public init(
    file: String, encoding: AudioFileFormat.Encoding? = nil, sources: [String] = [],
    start: Start = .now, seconds: Double? = nil
  ) throws(AudioFileError) {
    self.file = file
    self.encoding = encoding
    isMIDI = try TakeFormat(fileName: file, encoding: encoding) == .midi
    let physical = isMIDI ? PhysicalPorts.midi : PhysicalPorts.inputs
    self.sources = sources.isEmpty ? [physical.text] : sources
    self.start = start
    self.seconds = seconds
  }
}

/// A session of one recorder.
public struct RecordedSession {
  public let plan: SessionPlan
  public let options: RecordOptions
  let recorder: RecorderUnit

  /// Length of the running or last take, in seconds.
  /// - Thread: [any]
  public var seconds: Double { Double(recorder.time) }

  /// Whether a take is running.
  /// - Thread: [any]
  public var isRunning: Bool { recorder.running != 0 }

  /// The file of the running take; nil between takes.
  /// - Thread: [any]
  public var file: URL? { recorder.file }

  /// Whether a take has ended because its file could not be written.
  var hasFailed: Bool { recorder.hasFailed }
}

extension SessionBuilder {
  /// Builds the session of a recorder, connected to its sources.
  ///
  /// - Thread: [control]
  public func build(
    _ options: RecordOptions
  ) async throws(ConfigurationError) -> RecordedSession {
    let path = URL(fileURLWithPath: options.file).path
    var lines = [
      "[client]", "name = \"recorder\"", "[[unit]]", "id = \"take\"", "component = \"recorder\"",
      "file = \(tomlText(path))",
    ]
    if let encoding = options.encoding { lines.append("encoding = \"\(encoding.rawValue)\"") }
    switch options.start {
    case .now: break
    case .note: lines.append("parameters = { start = \"First Note\" }")
    case .transport: lines.append("parameters = { start = \"Transport\" }")
    }
    for source in options.sources {
      let bus = options.isMIDI ? "take:midi" : "take"
      lines += ["[[connect]]", "from = \(tomlText(source))", "to = \"\(bus)\""]
    }
    // A take of MIDI begins with a note that it records.
    if options.start == .note, !options.isMIDI {
      lines += ["[[connect]]", "from = \"\(PhysicalPorts.midi.text)\"", "to = \"take\""]
    }
    let configuration = try SessionConfiguration(
      toml: lines.joined(separator: "\n"), file: "", kinds: registry.configurableUnits)
    let plan = try await build(configuration, file: nil)
    guard let recorder = plan.graph.nodes[0].unit as? RecorderUnit else {
      preconditionFailure("a recorder is built in")
    }
    return RecordedSession(plan: plan, options: options, recorder: recorder)
  }
}

extension JackSession {
  /// Starts recording once the connections are in use, and ends after the requested length, to the
  /// frame.
  ///
  /// - Throws: `noCycle` if the server has ended.
  /// - Thread: [control]
  public func record(_ recorded: RecordedSession) throws(SessionError) {
    guard let connection else { throw .noCycle }
    newsLevel = .notice
    // The server uses a new connection from the next cycle or the one after it.
    let rate = Double(connection.client.sampleRate)
    let wait = max(4 * connection.client.period, Int(rate / 10))
    let first = connection.backend.statistics.frame + wait
    let end = recorded.options.seconds.map { first + Int(($0 * rate).rounded()) }
    do {
      try recorded.recorder.scheduleParameter(
        recorded.recorder.$recording.address, value: 1, at: .frame(FrameTime(first)))
      if let end {
        try recorded.recorder.scheduleParameter(
          recorded.recorder.$recording.address, value: 0, at: .frame(FrameTime(end)))
      }
    } catch { throw .failed("\(error)") }
  }
}
