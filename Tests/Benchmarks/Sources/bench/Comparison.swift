// Measurement of two pieces of work in turns, so that both see the same machine.

import Glibc

/// Returns the processor time of `work` on this thread, in seconds. Time in which the thread waits
/// for a core is not counted.
func processorSeconds(_ work: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
  let start = now()
  work()
  return now() - start
}

struct Comparison {
  var ours: Double
  var baseline: Double
  var ratio: Double

  /// Runs both pieces alternately in many short repetitions.
  ///
  /// - Parameters:
  ///   - units: work of one call of a piece, such as frames times channels.
  ///   - repetitions: measured pairs; each figure is the median over them.
  ///   - calls: calls in one repetition.
  /// - Returns: nanoseconds per unit of each, and the median of the pairs' ratios.
  static func measure(
    units: Int, repetitions: Int = 301, calls: Int = 40, ours: () -> Void, baseline: () -> Void
  ) -> Comparison {
    func nanosecondsPerUnit(_ work: () -> Void) -> Double {
      let seconds = processorSeconds { for _ in 0..<calls { work() } }
      return seconds * 1e9 / Double(calls * units)
    }
    var figures: [(ours: Double, baseline: Double)] = []
    for repetition in 0..<repetitions {
      // The order alternates from pair to pair.
      if repetition.isMultiple(of: 2) {
        let first = nanosecondsPerUnit(ours)
        figures.append((first, nanosecondsPerUnit(baseline)))
      } else {
        let first = nanosecondsPerUnit(baseline)
        figures.append((nanosecondsPerUnit(ours), first))
      }
    }
    return Comparison(medianOf: figures)
  }
}

extension Comparison {
  /// Each figure is the median over the pairs.
  init(medianOf pairs: [(ours: Double, baseline: Double)]) {
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    ours = median(pairs.map(\.ours))
    baseline = median(pairs.map(\.baseline))
    ratio = median(pairs.map { $0.ours / $0.baseline })
  }
}
