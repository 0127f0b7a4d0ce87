// Comparison of the outputs of a piece of work and its baseline.

/// The greatest difference between the samples both write to a buffer, over some calls of each.
///
/// - Parameter count: samples in the buffer.
func greatestDifference(
  in output: UnsafeMutablePointer<Float>, count: Int, calls: Int = 1, ours: () -> Void,
  baseline: () -> Void
) -> Float {
  var worst: Float = 0
  for _ in 0..<calls {
    ours()
    let made = Array(UnsafeBufferPointer(start: output, count: count))
    baseline()
    for index in 0..<count { worst = max(worst, abs(made[index] - output[index])) }
  }
  return worst
}
