// Karaoke: a voice through a delay over a backing track. A tap detects whether an A is sung.

import Auricle
import AuricleHost
import Foundation
import Synchronization

func karaoke(_ engine: Engine, backing url: URL?) async throws {
  let backing = try ScheduledPlayerUnit(channels: 1)
  let applause = try ScheduledPlayerUnit(channels: 1)
  let delay = try DelayUnit()
  try engine.attach(backing, id: "backing")
  try engine.attach(applause, id: "applause")
  try engine.attach(delay)
  let (voice, mixer) = (engine.inputNode, engine.mainMixerNode)
  try await engine.connect(voice, to: delay)
  try await engine.connect(delay, to: mixer)
  try await engine.connect(backing, to: mixer)
  try await engine.connect(applause, to: mixer)
  if let url {
    try backing.schedule(contentsOf: url, options: .loops)
  } else {
    try backing.schedule(Sounds.melody([220, 277, 330, 277], seconds: 0.4), options: .loops)
  }
  backing.volume = 0.3
  try await engine.start()
  try backing.play()
  try applause.play()

  let sampleRate = voice.outputBusses[0].format.sampleRate
  let success = AsyncStream<Double>.makeStream()
  let tap = try await engine.installTap(on: voice, bufferSize: 4096) { buffer in
    guard let hertz = pitch(of: buffer.channels[0], sampleRate) else { return }
    let cents = 1200 * log2(hertz / 440)
    if abs(cents) < 50 { success.continuation.yield(hertz) }
  }
  say("sing an A")
  let giveUp = Task {
    try await Task.sleep(for: .seconds(30))
    success.continuation.finish()
  }
  for await hertz in success.stream {
    say("that is an A: \(Int(hertz.rounded())) Hz")
    try await applause.playOut(Sounds.melody([660, 880, 1320], seconds: 0.15))
    break
  }
  giveUp.cancel()
  try await engine.removeTap(tap)
}

/// The frequency of a voice, by autocorrelation; nil for silence and noise.
private func pitch(of samples: [Float], _ sampleRate: Double) -> Double? {
  func correlation(_ lag: Int) -> Float {
    zip(samples, samples[lag...]).reduce(0) { $0 + $1.0 * $1.1 }
  }
  let energy = correlation(0)
  guard energy > Float(samples.count) * 1e-5 else { return nil }
  let lags = Int(sampleRate / 1000)..<min(Int(sampleRate / 80), samples.count / 2)
  let correlations = lags.map(correlation)
  guard let best = correlations.max(), best > 0.5 * energy else { return nil }
  // The first peak that is nearly as high, because later ones are octaves below.
  for index in 1..<correlations.count - 1
  where correlations[index] > 0.9 * best && correlations[index] >= correlations[index + 1]
    && correlations[index] >= correlations[index - 1]
  {
    return sampleRate / Double(lags.lowerBound + index)
  }
  return nil
}
