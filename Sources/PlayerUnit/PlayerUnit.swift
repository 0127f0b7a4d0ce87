// A unit that plays a file.

import Synchronization
public import UnitModel
import UnitRender

/// Plays a file once, from the frame on which it is asked to.
///
/// - Bypassed, it stands still, with nothing held; its place is kept.
/// - Where its resources are allocated anew, for another server or sample rate, it goes on where it
///   was.
/// - Parameters: `position`, in seconds from the file's beginning, read-only.
public class PlayerUnit: AudioUnit, @unchecked Sendable {
  /// The file's name as it was given.
  ///
  /// - Thread: [any]
  public let file: String
  /// When the file ends, in seconds.
  ///
  /// - Thread: [any]
  public let durationSeconds: Double
  let words = PlayerSharedState()
  /// At which `words.position` counts, in hertz; 0 before there are resources.
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

  /// Begins to play.
  ///
  /// - Parameter seconds: how long after the next cycle's first frame, 0 to 10.
  /// - Thread: [control], once
  public func play(afterSeconds seconds: Double = 0) {
    words.position = 0 - Int((seconds * sampleRate).rounded())
    words.order = PlayerSharedState.playing
  }

  /// Ends what the file has begun, from the next cycle on, and plays no more.
  ///
  /// - Thread: [control]
  public func end() { words.order = PlayerSharedState.ending }

  /// Whether all has ended that `end` was to end.
  ///
  /// - Thread: [any]
  public var hasEnded: Bool { words.ended != 0 }

  /// How much of the file has been played, in seconds; it goes on behind the file's end.
  ///
  /// - Thread: [control]
  public var positionSeconds: Double {
    counted.withLock { $0 == 0 ? 0 : Double(words.position) / $0 }
  }

  /// Messages that were more than a cycle takes, and so were played in the next.
  ///
  /// - Thread: [any]
  public var lateMessages: Int { words.late }

  /// Messages longer than any cycle takes, which were left out.
  ///
  /// - Thread: [any]
  public var lostMessages: Int { words.lost }

  /// The frame of the file to go on with at a sample rate, for a kernel that is being made.
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
