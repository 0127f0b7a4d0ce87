// A function for Kaiser windows.

/// Returns the modified Bessel function of the first kind, of order 0.
/// - Thread: [control]
func bessel(_ x: Double) -> Double {
  var (sum, term) = (1.0, 1.0)
  for step in 1..<60 {
    term *= x * x / Double(4 * step * step)
    sum += term
  }
  return sum
}
