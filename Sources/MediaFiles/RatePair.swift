// Ratios of two sample rates.

/// Two sample rates and their ratio in whole frames.
package struct RatePair: Sendable {
  /// The rates, in hertz.
  let input: Double
  let output: Double
  /// Frames of each rate from one common frame time to the next.
  let inputStep: Int
  let outputStep: Int

  /// - Returns: nil unless both rates are whole numbers of hertz, from 1 to 2³⁰ − 1.
  package init?(from input: Double, to output: Double) {
    guard let first = Int(exactly: input), let second = Int(exactly: output),
      (1..<1 << 30).contains(first), (1..<1 << 30).contains(second)
    else { return nil }
    let divisor = greatestCommonDivisor(first, second)
    (self.input, self.output) = (input, output)
    (inputStep, outputStep) = (first / divisor, second / divisor)
  }

  var areEqual: Bool { inputStep == outputStep }

  /// Returns the nearest number of output frames, at least one; nil from 10¹⁵ on.
  func frames(lastingAsLong frames: Int) -> Int? {
    let length = (Double(frames) * output / input).rounded()
    return length < 1e15 ? max(1, Int(length)) : nil
  }

  /// Returns the output length of input frames: whole frames, and `rest` of `parts` of a frame.
  ///
  /// - Returns: nil on overflow.
  func length(ofFrames frames: Int) -> (frames: Int, rest: Int, parts: Int)? {
    let (product, overflows) = frames.multipliedReportingOverflow(by: outputStep)
    if overflows { return nil }
    let (whole, rest) = product.quotientAndRemainder(dividingBy: inputStep)
    let divisor = greatestCommonDivisor(inputStep, rest)
    return (whole, rest / divisor, inputStep / divisor)
  }

  /// Returns the number of output frames that begin before an input frame does.
  package func outputFrames(before frame: Int) -> Int {
    frame < 1 ? 0 : (frame * outputStep + inputStep - 1) / inputStep
  }

  /// Returns the input frame at or before an output frame, and the distance from it in input
  /// frames, below 1.
  package func input(ofOutput frame: Int) -> (frame: Int, fraction: Double) {
    let numerator = frame * inputStep
    return (numerator / outputStep, Double(numerator % outputStep) / Double(outputStep))
  }

  /// Returns the last pair of frames with a common time from which a converter can start in order
  /// to produce `frame`.
  func meeting(before frame: Int) -> (input: Int, output: Int) {
    if areEqual { return (frame, frame) }
    // Longer than soxr's filters, whichever rate is lower.
    let reach = 4096 * max(1, outputStep / inputStep)
    let steps = max(0, frame - reach) / outputStep
    return (steps * inputStep, steps * outputStep)
  }
}

private func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
  var (divisor, rest) = (first, second)
  while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
  return divisor
}
