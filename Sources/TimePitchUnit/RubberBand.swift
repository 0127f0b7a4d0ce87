// Rubber Band's stretcher, which keeps the pitch.

import CRubberBand
import Synchronization

/// Stretches sound by a ratio that may change, and tells exactly which frame has gone where.
///
/// Used by one thread at a time; it allocates while it works.
final class RubberBand {
  /// Half of its window: what it needs around a frame, on both of its sides.
  let halfFrames: Int
  /// Frames that went in and came out since the start.
  private(set) var fedFrames = 0
  private(set) var madeFrames = 0
  private let leastRatio: Double
  private var handle: RubberBandState
  private let make: () -> RubberBandState
  private var ratio = 1.0

  /// - Parameter isShort: whether the window is shorter, which finer sound is lost by; the long
  ///   one reads beyond its memory where the ratio is below 1/8 (3.1.2).
  /// - Thread: [control]
  init(sampleRate: Double, channelCount: Int, isShort: Bool = false) {
    leastRatio = isShort ? 1.0 / 32 : 0.13
    // It writes to the program's error output otherwise.
    rubberband_set_default_debug_level(0)
    let options =
      RubberBandOptionProcessRealTime.rawValue | RubberBandOptionEngineFiner.rawValue
      | RubberBandOptionThreadingNever.rawValue | RubberBandOptionChannelsTogether.rawValue
      | (isShort ? RubberBandOptionWindowShort.rawValue : 0)
    make = {
      let handle = rubberband_new(
        UInt32(sampleRate.rounded()), UInt32(channelCount), RubberBandOptions(options), 1, 1)!
      rubberband_set_max_process_size(handle, UInt32(Stretcher.pieceFrames))
      return handle
    }
    handle = make()
    halfFrames = Int(rubberband_get_preferred_start_pad(handle))
  }

  deinit { rubberband_delete(handle) }

  /// Begins anew. Its own reset leaves something of what was before.
  func restart() {
    rubberband_delete(handle)
    handle = make()
    (fedFrames, madeFrames, ratio) = (0, 0, 1)
  }

  /// Frames out for each frame in, from the next window on.
  func setRatio(_ wanted: Double) {
    let ratio = max(leastRatio, min(wanted, 32))
    if ratio == self.ratio { return }
    self.ratio = ratio
    rubberband_set_time_ratio(handle, ratio)
  }

  /// The frame at which its next window begins. The middle of that window, `halfFrames` behind,
  /// comes out `halfFrames` behind what has been made; all that has been made is complete.
  ///
  /// Known while nothing waits to be retrieved: it asks for as much as a window lacks then.
  var windowStart: Int {
    fedFrames - 2 * halfFrames + Int(rubberband_get_samples_required(handle))
  }

  /// Takes frames of all channels.
  func feed(_ channels: UnsafePointer<UnsafePointer<Float>?>, count: Int) {
    rubberband_process(handle, channels, UInt32(count), 0)
    fedFrames += count
  }

  /// How many frames wait to be retrieved.
  var availableFrames: Int { max(0, Int(rubberband_available(handle))) }

  /// - Parameter count: no more than wait.
  func retrieve(_ channels: UnsafePointer<UnsafeMutablePointer<Float>?>, count: Int) {
    madeFrames += Int(rubberband_retrieve(handle, channels, UInt32(count)))
  }

  private static let halves = Mutex<[Int: Int]>([:])

  /// Half of the window at a sample rate, in hertz.
  ///
  /// - Thread: [control]
  static func halfFrames(atSampleRate sampleRate: Double) -> Int {
    let rate = Int(sampleRate.rounded())
    return halves.withLock { known in
      if let half = known[rate] { return half }
      let half = RubberBand(sampleRate: sampleRate, channelCount: 1).halfFrames
      known[rate] = half
      return half
    }
  }
}
