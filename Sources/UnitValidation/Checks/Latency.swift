// Check of the latency against the output's delay.

import UnitModel

/// The length of the compared noise, and the largest lag beyond the declared latency, in frames.
private let window = 2048
private let reach = 1024

func checkLatency(_ trial: Trial) throws {
  let unit = try trial.makeEffect()
  let declared = try trial.allocated().latencyFrames
  guard declared <= 65_536 else { throw NotChecked(reason: "its latency is longer than the check") }
  // Lags count as latency only if they do not depend on the settings: a delay is no latency.
  var lags: [Int] = []
  // A time effect has its latency only at its initial rate.
  for seed: UInt64 in 0..<(unit is any TimeEffect ? 1 : 6) {
    trial.doing("measuring the latency" + (seed > 0 ? ", with random values of seed \(seed)" : ""))
    if let lag = try lag(seed, declared, trial) { lags.append(lag) }
  }
  guard let first = lags.first else {
    throw NotChecked(reason: "its output is too different from its input to compare them")
  }
  guard !lags.contains(declared), Set(lags).count == 1 else { return }
  trial.fail(
    "the output is \(first) frames late, whatever the settings",
    expected: "\(declared) frames, as its latency says")
}

/// Returns the lag of the output in frames; nil unless it resembles the input.
private func lag(_ seed: UInt64, _ declared: Int, _ trial: Trial) throws -> Int? {
  let unit = try trial.make()
  if seed > 0 { try unit.setRandomValues(seed: seed) }
  try trial.allocate(unit)
  let most = declared + reach
  let noise = Sample.noise(window + most + 4096, seed: 11)
  let output = try trial.host(unit).run(Stimulus(unit, first: noise)).audio[0][0]
  let start = most + 2048
  return noise.withUnsafeBufferPointer { noise -> Int? in
    output.withUnsafeBufferPointer { output -> Int? in
      var best: (lag: Int, likeness: Float) = (0, 0)
      let energy = dot(output, start, output, start)
      guard energy > 0 else { return nil }
      for lag in max(0, declared - reach)...most {
        let product = dot(noise, start - lag, output, start)
        let given = dot(noise, start - lag, noise, start - lag)
        let likeness = abs(product) / (energy * given).squareRoot()
        if likeness > best.likeness { best = (lag, likeness) }
      }
      return best.likeness > 0.9 ? best.lag : nil
    }
  }
}

private func dot(
  _ first: UnsafeBufferPointer<Float>, _ start: Int, _ second: UnsafeBufferPointer<Float>,
  _ other: Int
) -> Float {
  let (one, two) = (first.baseAddress! + start, second.baseAddress! + other)
  var sum = SIMD8<Float>()
  var index = 0
  while index < window {
    let left = UnsafeRawPointer(one + index).loadUnaligned(as: SIMD8<Float>.self)
    let right = UnsafeRawPointer(two + index).loadUnaligned(as: SIMD8<Float>.self)
    sum += left * right
    index &+= 8
  }
  return sum.sum()
}
