// Check of the bypass.

import UnitModel

/// The bypass begins and ends at these frames: multiples of all cycle lengths used.
private let start = 6400
private let end = 19_200
private let frames = 25_600
/// The longest fade into a bypass: 20 ms at 48 kHz.
private let fade = 960
/// Time in which a unit's input may rise: 10 ms at 48 kHz.
private let rise = 480
/// Frames searched for clicks, which a delay line may output later.
private let clickFrames = 50_000

func checkBypass(_ trial: Trial) throws {
  let unit = try trial.makeEffect()
  guard !(unit is any TimeEffect) else {
    throw NotChecked(reason: "its input has frames of its own")
  }
  let noise = Stimulus(unit, first: Sample.noise(frames, seed: 3))
  trial.doing("bypassing it in cycles of 256 frames")
  let expected = try run(noise, 256, trial)
  try checkPassing(noise, expected, trial)
  for length in [16, 64, 100, 640] {
    trial.doing("bypassing it in cycles of \(length) frames")
    trial.expectEqual(
      try run(noise, length, trial), expected,
      "bypassed in cycles of \(length) it differs from cycles of 256")
  }
  try checkStart(noise, trial)
  try checkClick(trial)
}

/// Makes a unit that changes its input: with its first values, or with random ones if they do not.
private func audible(_ trial: Trial) throws -> AudioUnit {
  let unit = try trial.make()
  let noise = Stimulus(unit, first: Sample.noise(2000, seed: 5))
  for seed: UInt64 in 0..<5 {
    let tried = try trial.make()
    if seed > 0 { try tried.setRandomValues(seed: seed) }
    try trial.allocate(tried)
    let response = try trial.host(tried).run(noise)
    if Sample.firstDifference(response.audio[0][0], noise.audio[0][0]) != nil {
      if seed > 0 { try unit.setRandomValues(seed: seed) }
      break
    }
  }
  try trial.allocate(unit)
  return unit
}

private func run(_ stimulus: Stimulus, _ length: Int, _ trial: Trial) throws -> Response {
  let unit = try audible(trial)
  let host = try trial.host(unit)
  let response = try host.run(
    stimulus, .fixed(length),
    before: { frame in
      if frame == start { unit.shouldBypassEffect = true }
      if frame == end { unit.shouldBypassEffect = false }
    })
  trial.expectSound(host, while: "bypassed")
  return response
}

private func latencyFrames(_ trial: Trial) throws -> Int {
  Int((try trial.allocated().latency * 48_000).rounded())
}

private func checkPassing(_ stimulus: Stimulus, _ response: Response, _ trial: Trial) throws {
  let late = try latencyFrames(trial)
  guard start - late > 0 else {
    throw NotChecked(reason: "its latency of \(late) frames is longer than the check")
  }
  for channel in 0..<min(response.audio[0].count, stimulus.audio[0].count) {
    let passed = Array(response.audio[0][channel][start + fade..<end])
    let given = Array(stimulus.audio[0][channel][start + fade - late..<end - late])
    if let index = Sample.firstDifference(passed, given) {
      trial.fail(
        "bypassed from frame \(start) on, it puts out \(passed[index])",
        expected: "its input of \(late) frames before, \(given[index])",
        frame: start + fade + index)
    }
  }
}

private func checkStart(_ stimulus: Stimulus, _ trial: Trial) throws {
  trial.doing("allocating it bypassed")
  let unit = try trial.make()
  unit.shouldBypassEffect = true
  try trial.allocate(unit)
  let late = try latencyFrames(trial)
  let response = try trial.host(unit).run(stimulus)
  for channel in 0..<min(response.audio[0].count, stimulus.audio[0].count) {
    let given = Sample.silence(late) + stimulus.audio[0][channel].dropLast(late)
    if let frame = Sample.firstDifference(response.audio[0][channel], given) {
      trial.fail(
        "bypassed from the start, it puts out \(response.audio[0][channel][frame])",
        expected: "its input of \(late) frames before, \(given[frame])", frame: frame)
    }
  }
}

private func checkClick(_ trial: Trial) throws {
  trial.doing("bypassing it while a sine sounds")
  let sine = Sample.sine(clickFrames, hertz: 220, amplitude: 0.5)
  let stimulus = Stimulus(try trial.make(), first: sine)
  let output = try run(stimulus, 64, trial).audio[0][0]
  let settled = 5000..<start
  let own = max(Sample.largestStep(sine[...]), Sample.largestStep(output[settled]))
  // The fade and the input's rise add their slopes to a difference of at most this.
  let difference = max(1, Sample.peak(output[settled]) + 0.5)
  let most = own + difference / Float(rise)
  let high = Sample.above8Kilohertz(output)
  let ownHigh = max(1e-3, 1.5 * Sample.peak(high[settled]))
  for (range, what) in [(start - 100..<end - 100, "comes"), (end - 100..<clickFrames, "goes")] {
    let step = Sample.largestStep(output[range])
    if step >= most {
      trial.warn(
        "the bypass \(what) with a click: a step of \(step)",
        expected: "below \(most), as of a rise of 10 ms",
        frame: range.lowerBound + 100)
    }
    let peak = Sample.peak(high[range])
    if peak > ownHigh {
      trial.warn(
        "the bypass \(what) with a click: above 8 kHz there are "
          + Sample.text(decibels: Sample.decibels(peak)),
        expected: "no more than \(Sample.text(decibels: Sample.decibels(ownHigh)))",
        frame: range.lowerBound + 100)
    }
  }
}
