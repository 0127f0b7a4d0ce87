// Sessions that record what comes, without a configuration.

import Configuration
import Foundation
import JackBackend
public import MediaFiles
import Realtime
import RecorderUnit
import Session
import SessionModel
import UnitModel

/// What is recorded, and when.
public struct RecordOptions: Sendable {
  /// When a take begins.
  public enum Start: String, Sendable, CaseIterable {
    case now
    /// With the first note that comes to the recorder.
    case note
    /// Whenever the server's transport rolls.
    case transport
  }

  /// Of the first take.
  public var file: String
  /// Nil is the usual of the format that the file's name says.
  public var encoding: AudioFileFormat.Encoding?
  /// Patterns of JACK ports.
  public var sources: [String]
  public var start: Start
  /// How long the take is; nil until the session ends. Only where it starts now.
  public var seconds: Double?

  public static let lengths = 0.001...1_000_000.0

  public init(
    file: String, encoding: AudioFileFormat.Encoding? = nil,
    sources: [String] = [PhysicalPorts.inputs.text], start: Start = .now, seconds: Double? = nil
  ) {
    self.file = file
    self.encoding = encoding
    self.sources = sources
    self.start = start
    self.seconds = seconds
  }
}

/// A session of one recorder.
public struct RecordedSession {
  public let plan: SessionPlan
  public let options: RecordOptions
  let recorder: RecorderUnit

  /// Of the take that is recorded now, or was last, in seconds.
  /// - Thread: [any]
  public var seconds: Double { Double(value(RecorderUnit.timeAddress)) }

  /// Whether a take is recorded now.
  /// - Thread: [any]
  public var isRunning: Bool { value(RecorderUnit.runningAddress) != 0 }

  /// The file of the take that is recorded now, nil between takes.
  /// - Thread: [any]
  public var file: URL? { recorder.file }

  /// Whether a take ended because its file could not be written.
  var hasFailed: Bool { recorder.hasFailed }

  private func value(_ address: ParameterAddress) -> Float {
    recorder.parameterTree.parameter(address: address)?.value ?? 0
  }
}

extension SessionBuilder {
  /// Builds the session of a recorder that is connected to what it records.
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
      lines += ["[[connect]]", "from = \(tomlText(source))", "to = \"take\""]
    }
    if options.start == .note {
      lines += ["[[connect]]", "from = \"\(PhysicalPorts.midi.text)\"", "to = \"take\""]
    }
    let configuration = try SessionConfiguration(
      toml: lines.joined(separator: "\n"), file: "record", kinds: registry.configurableUnits)
    let plan = try await build(configuration, file: nil)
    guard let recorder = plan.graph.nodes[0].unit as? RecorderUnit else {
      preconditionFailure("a recorder is built in")
    }
    return RecordedSession(plan: plan, options: options, recorder: recorder)
  }
}

extension JackSession {
  /// Begins to record, once the connections that were made are in use; ends after the length that
  /// was asked for, to the frame.
  ///
  /// - Throws: `noCycle` where the server has gone.
  /// - Thread: [control]
  public func record(_ recorded: RecordedSession) throws(SessionError) {
    guard let connection else { throw .noCycle }
    newsLevel = .notice
    // The server takes a new connection into use with the next cycle or the one after it.
    let rate = Double(connection.client.sampleRate)
    let wait = max(4 * connection.client.period, Int(rate / 10))
    let first = connection.backend.statistics.frame + wait
    let end = recorded.options.seconds.map { first + Int(($0 * rate).rounded()) }
    do {
      try recorded.recorder.scheduleParameter(
        RecorderUnit.recordingAddress, value: 1, at: .frame(FrameTime(first)))
      if let end {
        try recorded.recorder.scheduleParameter(
          RecorderUnit.recordingAddress, value: 0, at: .frame(FrameTime(end)))
      }
    } catch { throw .failed("\(error)") }
  }
}
