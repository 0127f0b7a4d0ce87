// Two sample rates, and what meets at them.

/// Two sample rates.
package struct RatePair: Sendable {
  /// In hertz.
  let input: Double
  let output: Double
  /// Frames of each between two that meet.
  let inputStep: Int
  let outputStep: Int

  /// - Returns: nil for rates that are no whole numbers of hertz.
  package init?(from input: Double, to output: Double) {
    guard let first = Int(exactly: input), let second = Int(exactly: output),
      (1..<1 << 30).contains(first), (1..<1 << 30).contains(second)
    else { return nil }
    let divisor = greatestCommonDivisor(first, second)
    (self.input, self.output) = (input, output)
    (inputStep, outputStep) = (first / divisor, second / divisor)
  }

  var areEqual: Bool { inputStep == outputStep }

  /// The nearest number of frames, at least one; nil where they cannot be counted.
  func frames(lastingAsLong frames: Int) -> Int? {
    let length = (Double(frames) * output / input).rounded()
    return length < 1e15 ? max(1, Int(length)) : nil
  }

  /// How long so many frames are: whole ones, and `rest` of `parts` of one.
  ///
  /// - Returns: nil where that cannot be counted.
  func length(ofFrames frames: Int) -> (frames: Int, rest: Int, parts: Int)? {
    let (product, overflows) = frames.multipliedReportingOverflow(by: outputStep)
    if overflows { return nil }
    let (whole, rest) = product.quotientAndRemainder(dividingBy: inputStep)
    let divisor = greatestCommonDivisor(inputStep, rest)
    return (whole, rest / divisor, inputStep / divisor)
  }

  /// How many frames of the output begin before one of the input does.
  package func outputFrames(before frame: Int) -> Int {
    frame < 1 ? 0 : (frame * outputStep + inputStep - 1) / inputStep
  }

  /// Where a frame of the output is in the input: behind which frame, and how far.
  package func input(ofOutput frame: Int) -> (frame: Int, fraction: Double) {
    let place = frame * inputStep
    return (place / outputStep, Double(place % outputStep) / Double(outputStep))
  }

  /// The last frames of both that meet, far enough before one of the output for a converter to
  /// begin there.
  func meeting(before frame: Int) -> (input: Int, output: Int) {
    if areEqual { return (frame, frame) }
    // More than soxr's filters reach back, whichever rate is the lower one.
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
