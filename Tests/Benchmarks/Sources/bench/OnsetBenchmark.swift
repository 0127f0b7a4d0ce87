// The spread of onsets of the sampler and of stock fluidsynth, each on a real server, measured by
// the same probe.

import Foundation

/// A private jackd with one period, and both programs on it.
struct OnsetBenchmark {
  /// The spread in frames; nil if no note was heard.
  struct Spread {
    let frames: Int?
    let heard: Int
    let missing: Int
    let lost: Int
  }

  let auricle: URL
  let soundFont: URL
  private var programs: Programs { Programs(auricle: auricle) }
  private var server: String { programs.server }

  func measure(period: Int) throws -> (ours: Spread, baseline: Spread) {
    let jackd = try programs.startServer(period: period)
    defer { programs.end(jackd) }
    return (try measureAuricle(), try measureFluidsynth())
  }

  private func measureAuricle() throws -> Spread {
    let configuration = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-onset-\(ProcessInfo.processInfo.processIdentifier).toml")
    try Data(
      """
      [client]
      name = "auricle"
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "\(soundFont.path)"
      """.utf8
    ).write(to: configuration)
    defer { try? FileManager.default.removeItem(at: configuration) }
    let session = try programs.start(auricle.path, ["run", configuration.path, "--server", server])
    defer { programs.end(session) }
    return try probe(midi: "auricle:piano_midi_in", audio: "auricle:piano_out_1")
  }

  private func measureFluidsynth() throws -> Spread {
    let synth = try programs.start(
      "fluidsynth",
      [
        "-i", "-s", "-q", "-a", "jack", "-m", "jack", "-R", "0", "-C", "0", "-r", "48000",
        "-o", "audio.jack.server=\(server)", "-o", "midi.jack.server=\(server)", soundFont.path,
      ])
    defer { programs.end(synth) }
    return try probe(midi: "fluidsynth-midi:midi_00", audio: "fluidsynth-midi:left")
  }

  /// Retries, because the instrument's ports take a moment to appear.
  private func probe(midi: String, audio: String) throws -> Spread {
    for _ in 0..<20 {
      let (status, output) = try programs.run(
        auricle.path,
        [
          "probe", "--server", server, "--midi", midi, "--audio", audio, "--notes", "48",
          "--interval",
          "0.2", "--json",
        ])
      if let report = try? JSONSerialization.jsonObject(with: output) as? [String: Any] {
        let number = { (key: String) in report[key] as? Int ?? 0 }
        return Spread(
          frames: report["spreadFrames"] as? Int, heard: number("heard"),
          missing: number("missing"), lost: number("lost") + number("masked"))
      }
      guard status == 1 else { break }
      usleep(250_000)
    }
    throw BenchmarkError("the probe found no \(midi)")
  }
}
