// A file that is recorded.

public import FoundationEssentials
public import MediaFiles
public import RecorderUnit
public import Session

/// Records the machine's audio inputs to a file over JACK, by an engine of its own.
///
/// ```swift
/// let recorder = try await AudioRecorder(to: file)
/// try await recorder.record()
/// await recorder.stop()
/// ```
///
/// AUv3: `AVAudioRecorder`.
public final class AudioRecorder: Sendable {
  /// The engine, with its input connected to the recorder.
  public let engine: Engine
  /// The recorder, with the running take's `file`, its `time` and its peak.
  public let unit: RecorderUnit

  /// Prepares to record. The name's ending chooses the format, as for `RecorderUnit`.
  ///
  /// - Parameters:
  ///   - file: the first take's; later takes get a number.
  ///   - channels: 1 to 8.
  ///   - encoding: of samples; nil for the default of the format.
  ///   - name: the JACK client's.
  ///   - mode: over JACK, or offline by `engine.render`.
  /// - Throws: `AudioFileError` for the file's name, `EngineError`.
  /// - Thread: [control]
  public init(
    to file: URL, channels: Int = 2, encoding: AudioFileFormat.Encoding? = nil,
    name: String = "auricle", _ mode: Engine.Mode = .jack(JackSession.Options())
  ) async throws {
    unit = try RecorderUnit()
    try unit.setTarget(file, encoding: encoding)
    engine = try Engine(name: name, mode, inputChannels: channels)
    try engine.attach(unit, id: "recorder")
    try await engine.connect(engine.inputNode, to: unit)
  }

  /// Begins a take. Starts the engine if it does not run.
  ///
  /// - Throws: `EngineError.refused`, with the reason: no server.
  /// - Thread: [control]
  public func record() async throws {
    try await engine.start()
    unit.recording = 1
  }

  /// Ends the take, completes its file, and closes the JACK client.
  ///
  /// - Thread: [control]
  public func stop() async {
    unit.recording = 0
    await engine.stop()
  }
}
