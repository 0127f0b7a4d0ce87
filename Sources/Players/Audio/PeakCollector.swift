// Peaks of a signal of unknown length.

/// Collects the peaks of equal parts of a signal. If there are too many parts, pairs of them become
/// one, so that the length need not be known before.
struct PeakCollector {
  /// The most parts; a signal that is long enough has at least half as many.
  static let most = 2_000
  /// The greatest peak, as a factor; samples of damaged files may be infinite.
  static let greatest: Float = 1_000

  private var peaks: [Float] = []
  private var framesPerPeak = 1
  private var current: Float = 0
  private var count = 0

  /// Takes the next frame's greatest sample; NaN counts as silence.
  mutating func add(_ magnitude: Float) {
    if magnitude > current { current = min(magnitude, Self.greatest) }
    count += 1
    if count == framesPerPeak { finishPart() }
  }

  /// Returns the peaks so far, also of a part that is not whole.
  var result: [Float] { count > 0 ? peaks + [current] : peaks }

  private mutating func finishPart() {
    peaks.append(current)
    (current, count) = (0, 0)
    guard peaks.count == Self.most else { return }
    peaks = stride(from: 0, to: peaks.count, by: 2).map { max(peaks[$0], peaks[$0 + 1]) }
    framesPerPeak *= 2
  }
}
