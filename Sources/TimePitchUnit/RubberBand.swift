// Rubber Band's stretcher, which keeps the pitch.

import CRubberBand
import Synchronization

/// Stretches sound by a variable ratio, and knows the exact position of each frame in the output.
///
/// Used by one thread at a time; it allocates while it works.
final class RubberBand {
  /// Half of its window: the frames that it needs before and after a frame.
  let halfFrames: Int
  /// Counts of frames fed and retrieved since the start.
  private(set) var fedFrames = 0
  private(set) var madeFrames = 0
  private let leastRatio: Double
  private var handle: RubberBandState
  private let make: () -> RubberBandState
  private var ratio = 1.0

  /// - Parameter isShort: whether the window is shorter, with less fine sound; the long one reads
  ///   beyond its memory at ratios below 1/8 (3.1.2).
  /// - Thread: [control]
  init(sampleRate: Double, channelCount: Int, isShort: Bool = false) {
    leastRatio = isShort ? 1.0 / 32 : 0.13
    // Otherwise it writes to standard error.
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

  /// Starts again with a new state, because Rubber Band's reset keeps some of the old sound.
  func restart() {
    rubberband_delete(handle)
    handle = make()
    (fedFrames, madeFrames, ratio) = (0, 0, 1)
  }

  /// Sets the output frames for each input frame, from the next window on.
  func setRatio(_ wanted: Double) {
    let ratio = max(leastRatio, min(wanted, 32))
    if ratio == self.ratio { return }
    self.ratio = ratio
    rubberband_set_time_ratio(handle, ratio)
  }

  /// Start of its next window, in input frames. The window's middle, `halfFrames` later, comes out
  /// `halfFrames` after the frames made so far. All frames made are complete.
  ///
  /// Valid only while nothing waits to be retrieved: then it requires exactly the rest of a window.
  var windowStart: Int {
    fedFrames - 2 * halfFrames + Int(rubberband_get_samples_required(handle))
  }

  /// Feeds frames of all channels.
  func feed(_ channels: UnsafePointer<UnsafePointer<Float>?>, count: Int) {
    rubberband_process(handle, channels, UInt32(count), 0)
    fedFrames += count
  }

  /// Count of frames that wait to be retrieved.
  var availableFrames: Int { max(0, Int(rubberband_available(handle))) }

  /// - Parameter count: at most `availableFrames`.
  func retrieve(_ channels: UnsafePointer<UnsafeMutablePointer<Float>?>, count: Int) {
    madeFrames += Int(rubberband_retrieve(handle, channels, UInt32(count)))
  }

  private static let halves = Mutex<[Int: Int]>([:])

  /// Half of the window in frames, at a sample rate in hertz.
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
