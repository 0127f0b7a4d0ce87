// The base class of units that play a file.

import Synchronization
public import UnitModel
import UnitRender

/// Plays a file once, from the frame at which playback is requested.
///
/// - While bypassed it pauses at its position and holds no notes.
/// - If its resources are allocated again, for another server or sample rate, it resumes at its
///   position.
/// - Parameters: `position`, in seconds from the file's beginning, read-only.
public class PlayerUnit: AudioUnit, @unchecked Sendable {
  /// The file's name as given.
  ///
  /// - Thread: [any]
  public let file: String
  /// Duration of the file, in seconds.
  ///
  /// - Thread: [any]
  public let durationSeconds: Double
  let words = PlayerSharedState()
  /// Sample rate that `words.position` counts at, in hertz; 0 before resources exist.
  private let counted = Mutex(0.0)

  init(
    description: ComponentDescription, outputBusses: BusArray = BusArray(.output), file: String,
    durationSeconds: Double
  ) throws {
    self.file = file
    self.durationSeconds = durationSeconds
    super.init(
      componentDescription: description, outputBusses: outputBusses,
      parameterTree: try ParameterTree(children: [
        Parameter(
          identifier: "position", name: "Position", address: 0, range: -10...1_000_000,
          defaultValue: 0, unit: .seconds, flags: [.readable])
      ]))
  }

  deinit { words.deallocate() }

  public override var virtualMIDICableCount: Int { 0 }

  public override var supportsUserPresets: Bool { false }

  /// Starts playback.
  ///
  /// - Parameter seconds: delay after the next cycle's first frame, 0 to 10.
  /// - Thread: [control], once
  public func play(afterSeconds seconds: Double = 0) {
    words.position = 0 - Int((seconds * sampleRate).rounded())
    words.order = PlayerSharedState.playing
  }

  /// From the next cycle on, releases held notes or fades out, and plays no more.
  ///
  /// - Thread: [control]
  public func end() { words.order = PlayerSharedState.ending }

  /// Whether everything has ended after a call of `end`.
  ///
  /// - Thread: [any]
  public var hasEnded: Bool { words.ended != 0 }

  /// Playback position, in seconds; keeps counting after the file's end and is below 0 before its
  /// beginning.
  ///
  /// - Thread: [control]
  public var positionSeconds: Double {
    counted.withLock { $0 == 0 ? 0 : Double(words.position) / $0 }
  }

  /// Count of messages that exceeded a cycle's room and were sent in a later cycle.
  ///
  /// - Thread: [any]
  public var lateMessages: Int { words.late }

  /// Count of messages left out because they are longer than a cycle's room.
  ///
  /// - Thread: [any]
  public var lostMessages: Int { words.lost }

  /// Returns the frame of the file at which a new kernel resumes, at this sample rate.
  func resume(at sampleRate: Double) -> Int {
    counted.withLock { counted in
      if counted != 0, counted != sampleRate {
        words.position = Int((Double(words.position) / counted * sampleRate).rounded())
      }
      counted = sampleRate
      return words.position
    }
  }
}
