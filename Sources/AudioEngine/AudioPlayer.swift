// A file that is played.

public import FoundationEssentials
public import Players
public import Session
public import UnitModel

/// Plays an audio file over JACK, or offline, by an engine of its own.
///
/// ```swift
/// let player = try await AudioPlayer(contentsOf: file)
/// try await player.play()
/// await player.stop()
/// ```
///
/// AUv3: `AVAudioPlayer`.
public final class AudioPlayer: Sendable {
  /// The engine, with the player connected to its output; units can be connected between them.
  public let engine: Engine
  /// The player, with the file as its content: `isPlaying`, `volume`, and its position and loop as
  /// parameters.
  public let unit: ScheduledPlayerUnit

  /// Reads a file, and prepares to play it. A long file is read from the disk while it plays.
  ///
  /// - Parameters:
  ///   - name: the JACK client's.
  ///   - mode: over JACK, or offline by `engine.render`.
  /// - Throws: `PlaybackError` for the file, `EngineError`.
  /// - Thread: [control]
  public init(
    contentsOf file: URL, name: String = "auricle",
    _ mode: Engine.Mode = .jack(JackSession.Options())
  ) async throws {
    unit = try ScheduledPlayerUnit()
    try unit.setContent(contentsOf: file)
    let channels = unit.outputBusses[0].format.channelCount
    engine = try Engine(name: name, mode, outputChannels: max(2, channels))
    try engine.attach(unit, id: "player")
    try await engine.connect(unit, to: engine.outputNode)
  }

  /// Plays from the beginning, or on after a pause. Starts the engine if it does not run.
  ///
  /// - Throws: `EngineError.refused`, with the reason: no server; `ScheduleError`.
  /// - Thread: [control]
  public func play() async throws {
    try await engine.start()
    try unit.play()
  }

  /// Pauses; `play` continues from the same frame.
  ///
  /// - Throws: `ScheduleError` for a full queue.
  /// - Thread: [control]
  public func pause() throws(ScheduleError) { try unit.pause() }

  /// Stops playing, and closes the JACK client. `play` then starts from the beginning.
  ///
  /// - Thread: [control]
  public func stop() async {
    await engine.stop()
    // Without render resources it is kept for the next cycle, and cannot fail.
    try? unit.stop()
  }
}
