// Prints each figure as a ratio to its baseline, measured in the same run. `bench` measures all,
// `bench midi graph` only these two.

import Foundation
import WorstStreams

func column(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

func rounded(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let fraction = String(hundredths % 100)
  return "\(hundredths / 100)." + (fraction.count < 2 ? "0" : "") + fraction
}

func report(_ name: String, unit: String, _ comparison: Comparison) {
  print(
    column(name, 32), column("ratio \(rounded(comparison.ratio))", 12),
    "\(rounded(comparison.ours)) \(unit), baseline \(rounded(comparison.baseline))")
  showAtOnce()
}

/// Writes each figure as soon as it is known, even to a file: some benchmarks take minutes.
func showAtOnce() { fflush(nil) }

// In a process started by the memory benchmark.
do {
  if try await MemoryBenchmark.runsAsChild(CommandLine.arguments) { exit(0) }
} catch {
  print(error)
  exit(1)
}

let names = [
  "filter", "comb", "delay", "eq", "distortion", "dynamics", "space", "varispeed", "tone",
  "mixer", "environment", "players", "streams", "graph", "cores",
  "edits", "changes", "meters", "journal", "sets", "midi", "floods", "worst", "sampler", "pieces",
  "voices",
  "memory", "onsets", "bounce", "stretch", "peers",
]
let wanted = CommandLine.arguments.dropFirst()
if let unknown = wanted.first(where: { !names.contains($0) }) {
  print("there is no benchmark '\(unknown)'; there are \(names.joined(separator: ", "))")
  exit(2)
}

/// Whether a benchmark failed to measure.
var isIncomplete = false

@MainActor func tellUnmeasured(_ name: String, _ error: any Error) {
  isIncomplete = true
  print(column(name, 32), "not measured: \(error)")
  showAtOnce()
}

/// Runs a benchmark if it was requested. If it fails, the others still run.
@MainActor func bench(_ name: String, _ body: @MainActor () async throws -> Void) async {
  guard wanted.isEmpty || wanted.contains(name) else { return }
  do { try await body() } catch { tellUnmeasured(name, error) }
}

/// Throws unless both do the same work; otherwise figures are meaningless.
func expect(_ holds: Bool, orElse reason: String) throws {
  if !holds { throw BenchmarkError(reason) }
}

await bench("filter") {
  for channelCount in [1, 2, 3, 8] {
    let benchmark = FilterBenchmark(channelCount: channelCount)
    try expect(benchmark.firstDifference() < 1e-6, orElse: "the filters' outputs differ")
    let suffix = "\(channelCount) ch"
    report("filter, constant, \(suffix)", unit: "ns/frame/channel", benchmark.constant())
    report("filter, ramping, \(suffix)", unit: "ns/frame/channel", benchmark.ramping())
  }
}

await bench("comb") {
  for (delay, damping) in [
    (0.3, 0.0), (0.36, 0), (10, 0), (140, 0), (10, 50), (10.01, 0), (10.01, 50),
  ] {
    let benchmark = CombBenchmark(delayMilliseconds: delay, damping: damping)
    try expect(benchmark.difference() < 1e-3, orElse: "the combs' outputs differ")
    let name = "comb, \(delay) ms" + (damping > 0 ? ", damped" : "")
    report(name, unit: "ns/frame", benchmark.measure())
  }
}

await bench("delay") {
  for delay in [20.0, 500, 20.01] {
    let benchmark = CombBenchmark(delayMilliseconds: delay, isEcho: true)
    try expect(benchmark.difference() < 1e-3, orElse: "the delays' outputs differ")
    report("delay, \(delay) ms", unit: "ns/frame", benchmark.measure())
  }
}

await bench("eq") {
  for bandCount in [1, 4, 10, 31] {
    let benchmark = EqualizerBenchmark(bandCount: bandCount)
    try expect(benchmark.difference() < 1e-6, orElse: "the equalizers' outputs differ")
    report("eq, \(bandCount) bands", unit: "ns/frame/band", benchmark.resting())
    report("eq, ramping, \(bandCount) bands", unit: "ns/frame/band", benchmark.ramping())
  }
}

await bench("distortion") {
  for isHard in [false, true] {
    let benchmark = DistortionBenchmark(isHard: isHard)
    try expect(benchmark.difference() < 1e-5, orElse: "the distortions' outputs differ")
    report("distortion, \(isHard ? "hard" : "soft")", unit: "ns/frame", benchmark.measure())
  }
}

await bench("dynamics") {
  for kind in DynamicsBenchmark.Kind.allCases {
    let benchmark = DynamicsBenchmark(kind)
    try expect(benchmark.difference() < 1e-4, orElse: "the dynamics' outputs differ")
    report("\(kind)", unit: "ns/frame", benchmark.measure())
  }
}

await bench("space") {
  for voices in [nil, 1, 3, 8] {
    let benchmark = SpaceBenchmark(voices: voices)
    try expect(benchmark.difference() < 1e-3, orElse: "the spaces' outputs differ")
    report(
      voices.map { "chorus, \($0) voices" } ?? "reverb", unit: "ns/frame", benchmark.measure())
  }
}

await bench("varispeed") {
  for speed in [1.059, 1.75, 4] {
    let benchmark = VarispeedBenchmark(speed: speed)
    try expect(benchmark.difference() < 1e-5, orElse: "what is read differs")
    report("varispeed, rate \(speed)", unit: "ns/frame", benchmark.measure())
  }
}

await bench("tone") {
  for key in [21, 45, 69, 93] {
    let benchmark = ToneBenchmark(key: key)
    try expect(benchmark.difference() < 1e-6, orElse: "the tones differ")
    report("tone, a saw of key \(key)", unit: "ns/frame", benchmark.measure())
  }
}

await bench("mixer") {
  for inputCount in [8, 64, 256] {
    let benchmark = try MixerBenchmark(inputCount: inputCount)
    try expect(benchmark.difference() < 1e-5, orElse: "the mixes differ")
    report("mixer, \(inputCount) inputs", unit: "ns/frame", benchmark.measure())
    report(
      "mixer, \(inputCount) silent inputs", unit: "ns/frame", benchmark.measure(isSilent: true))
  }
}

await bench("environment") {
  for algorithm in EnvironmentBenchmark.Algorithm.allCases {
    let benchmark = try EnvironmentBenchmark(algorithm)
    try expect(benchmark.difference() < 1e-4, orElse: "the environments differ")
    report(
      "environment, 64 sources, \(algorithm.rawValue)", unit: "ns/frame", benchmark.measure())
    guard algorithm == .equalPower else { continue }
    report(
      "environment, 64 silent sources", unit: "ns/frame", benchmark.measure(isSilent: true))
  }
  let benchmark = try EnvironmentBenchmark(.headResponses)
  for turns in [false, true] {
    let dearest = try benchmark.dearestCycle(turns: turns)
    let name = "HRTF, dearest cycle, \(turns ? "turned" : "at rest")"
    print(column(name, 32), EnvironmentBenchmark.describe(dearest))
    showAtOnce()
  }
}

await bench("players") {
  let benchmark = try PlayerBenchmark()
  try expect(benchmark.difference() == 0, orElse: "the players' outputs differ")
  report(
    "\(PlayerBenchmark.playerCount) players, \(PlayerBenchmark.frameCount) frames",
    unit: "ns/player", benchmark.measure())
}

await bench("streams") {
  let benchmark = try StreamBenchmark()
  let comparison = benchmark.measure()
  try expect(benchmark.missedFrames == 0, orElse: "the disk was too slow")
  report("\(StreamBenchmark.playerCount) files streamed", unit: "ns/frame", comparison)
}

await bench("graph") {
  for unitCount in [1, 8, 64] {
    let benchmark = try GraphBenchmark(unitCount: unitCount)
    try expect(benchmark.passes(), orElse: "the graph does not pass its input")
    report("graph cycle, \(unitCount) units", unit: "ns/unit", benchmark.measure())
  }
}

await bench("edits") {
  for unitCount in [8, 64, 512] {
    let (compile, cycle) = try EditBenchmark(unitCount: unitCount).measure()
    report("a unit into \(unitCount), compiling", unit: "µs, anew", compile)
    report("a unit into \(unitCount), a cycle", unit: "ns, before", cycle)
  }
}

await bench("meters") {
  for (unitCount, isChain) in [(8, true), (64, true), (512, true), (8, false), (64, false)] {
    let benchmark = try GraphBenchmark(unitCount: unitCount, isChain: isChain)
    let comparison = benchmark.measureMeters()
    let outputs = isChain ? 2 : 2 * unitCount
    report(
      "meters, \(unitCount) units, \(outputs) outputs", unit: "ns/cycle", comparison)
    let percent = 100 * (comparison.ours - comparison.baseline) / GraphBenchmark.period
    print(
      column("", 32), "\(rounded(percent)) % of a period of 64 frames at 48 kHz,",
      "while somebody looks")
  }
}

await bench("journal") {
  for (count, unitCount) in [(1, 8), (8, 8), (1, 64), (64, 64), (1, 512), (512, 512)] {
    let comparison = try GraphBenchmark(unitCount: unitCount).measureJournal(changing: count)
    report("\(count) of \(unitCount) units change", unit: "ns/cycle", comparison)
    let percent = 100 * (comparison.ours - comparison.baseline) / GraphBenchmark.period
    print(
      column("", 32), "\(rounded(percent)) % of a period of 64 frames at 48 kHz,",
      "with what brings the changes")
  }
}

await bench("midi") {
  for settings in MIDIChainBenchmark.Settings.allCases {
    for stream in MIDIChainBenchmark.Stream.allCases {
      let benchmark = try MIDIChainBenchmark(stream, settings)
      try expect(benchmark.isPlausible(), orElse: "the MIDI chain passes the wrong events")
      let (comparison, percent, floorPercent) = benchmark.measure()
      report(
        "midi, \(settings.rawValue), \(stream.rawValue)", unit: "ns/stage/event", comparison)
      print(
        column("", 32), "\(rounded(percent)) % of a period of 64 frames at 48 kHz,",
        "walking the list alone \(rounded(floorPercent)) %")
      report(
        "midi player, \(settings.rawValue), \(stream.rawValue)", unit: "ns/event",
        benchmark.measurePlayer())
    }
  }
}

await bench("floods") {
  for stream in MIDIFloodBenchmark.Stream.allCases {
    let percent = try MIDIFloodBenchmark(stream).percentOfPeriod()
    print(
      column("midi flood, \(stream.rawValue)", 32),
      "\(rounded(percent)) % of a period of 64 frames at 48 kHz")
  }
}

// The SoundFont of the default session, or the one that the environment names.
let environment = ProcessInfo.processInfo.environment
let soundFont = URL(
  fileURLWithPath: environment["AURICLE_BENCH_SOUNDFONT"] ?? "/usr/share/sounds/sf2/TimGM6mb.sf2")

await bench("worst") {
  try need(file: soundFont)
  let benchmark = WorstBenchmark(soundFont: soundFont)
  var streams = WorstStream.known
  if let path = environment["AURICLE_BENCH_STREAM"] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let stream = WorstStream(name: path, text: text) else {
      throw BenchmarkError("\(path) is no stream as this benchmark prints them")
    }
    streams = [stream]
  }
  for stream in streams {
    let result = try await benchmark.measure(stream, repetitions: 5)
    print(
      column(stream.name, 32),
      column(WorstBenchmark.describe(result.worst), 18),
      column("first \(WorstBenchmark.describe(result.first)),", 25),
      "voices alone \(WorstBenchmark.describe(result.voices)), in cycle \(result.cycle)")
    showAtOnce()
  }
  let seconds = environment["AURICLE_BENCH_SECONDS"].flatMap(Double.init) ?? 30
  let seed = environment["AURICLE_BENCH_SEED"].flatMap(UInt64.init) ?? 1
  for cable in Cable.allCases where environment["AURICLE_BENCH_STREAM"] == nil && seconds > 0 {
    var search = WorstSearch(cable, seed: seed)
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end { try await search.step(benchmark) }
    guard var worst = search.worst else { continue }
    let result = try await benchmark.measure(worst, repetitions: 9)
    print(
      column("worst of \(search.tried) streams, \(cable.rawValue)", 40),
      column(WorstBenchmark.describe(result.worst), 18),
      "voices alone \(WorstBenchmark.describe(result.voices))")
    worst.cycleCount = result.cycle + 1
    worst.messages.removeAll { $0.frame >= worst.cycleCount * WorstRig.period }
    print(worst.text)
    showAtOnce()
  }
}

await bench("sampler") {
  try need(file: soundFont)
  let benchmark = try await SamplerBenchmark(soundFont: soundFont)
  try expect(benchmark.relativeDifference() < 1e-4, orElse: "the synths' outputs differ")
  report("sampler", unit: "ns/frame", benchmark.measure())
}

let pieceSeconds = 20.0
let song = URL(
  fileURLWithPath: environment["AURICLE_BENCH_MIDI"]
    ?? "/usr/share/games/openttd/baseset/openmsx/modern_motion.mid")
let periods = [64, 256, 1024]
await bench("pieces") {
  for file in [song, soundFont] { try need(file: file) }
  for (name, messages) in [
    ("GM song", try PieceBenchmark.messages(of: song, seconds: pieceSeconds)),
    ("dense piano", PieceBenchmark.densePiano(seconds: pieceSeconds)),
    ("drums", PieceBenchmark.drums(seconds: pieceSeconds)),
  ] {
    let benchmark = PieceBenchmark(
      messages: messages, seconds: pieceSeconds, soundFont: soundFont)
    try expect(try await benchmark.agrees(period: 256), orElse: "the synths differ")
    for period in periods {
      report(
        "\(name), period \(period)", unit: "s for \(Int(pieceSeconds)) s",
        try await benchmark.measure(period: period))
    }
  }
}

await bench("voices") {
  try need(file: soundFont)
  for period in periods {
    let benchmark = try await VoiceBenchmark(soundFont: soundFont, period: period)
    try expect(benchmark.agrees(), orElse: "the synths' voices differ")
    let comparison = benchmark.measure()
    report(
      "\(benchmark.voiceCount) voices, period \(period)", unit: "ns/frame/voice", comparison)
    print(
      column("voices that fill a core", 32),
      "ours \(VoiceBenchmark.fullCore(comparison.ours)), "
        + "baseline \(VoiceBenchmark.fullCore(comparison.baseline))")
  }
}

await bench("memory") {
  // A large SoundFont: with a small one the synths' shared memory would not show.
  let large = URL(
    fileURLWithPath: environment["AURICLE_BENCH_LARGE_SOUNDFONT"]
      ?? "/usr/share/sounds/sf2/FluidR3_GM.sf2")
  try need(file: large)
  report("sampler, memory", unit: "MiB", try MemoryBenchmark(soundFont: large).measure())
}

let auricle = URL(
  fileURLWithPath: environment["AURICLE_BENCH_COMMAND"] ?? ".build/release/auricle")

await bench("onsets") {
  try need(file: soundFont)
  for period in [16, 64, 256, 1024, 2048] {
    let spreads = try OnsetBenchmark(auricle: auricle, soundFont: soundFont).measure(period: period)
    func text(_ spread: OnsetBenchmark.Spread) -> String {
      "\(spread.frames.map(String.init) ?? "no") frames (\(spread.heard) heard, "
        + "\(spread.missing) missing, \(spread.lost) lost)"
    }
    print(
      column("onset spread, period \(period)", 32),
      "\(text(spreads.ours)), fluidsynth "
        + text(spreads.baseline))
    showAtOnce()
  }
}

await bench("sets") {
  for period in [64, 256, 1024] {
    let delays = try SetBenchmark(auricle: auricle).measure(period: period)
    for (way, delay) in [("the socket", delays.socket), ("OSC", delays.osc)] {
      print(
        column("set to sound, period \(period)", 32),
        "by \(way) \(delay.median) frames, at worst \(delay.worst)")
    }
    let times = delays.beside
    print(
      column("set beside a connect, period \(period)", 32),
      String(
        format: "answered in %.1f ms, at worst %.1f", times[times.count / 2], times[times.count - 1]
      ))
    showAtOnce()
  }
}

await bench("changes") {
  for period in [64, 256, 1024] {
    let benchmark = SessionEditBenchmark(auricle: auricle)
    for (edit, comparison) in try benchmark.measure(period: period, chains: 64) {
      report("\(edit) in 512, period \(period)", unit: "ms, in 8", comparison)
    }
  }
}

await bench("cores") { try benchCores() }

await bench("bounce") {
  let benchmark = try BounceBenchmark(auricle: auricle, soundFont: soundFont)
  defer { benchmark.remove() }
  let times = try benchmark.measure()
  let realtime = { (seconds: Double) in rounded(BounceBenchmark.seconds / seconds) }
  print(
    column("bounce, fluidsynth -F", 32), column("ratio \(rounded(times.ratio))", 12),
    "\(realtime(times.ours)) times realtime, baseline \(realtime(times.baseline))")
}

await bench("peers") {
  try PeerBenchmark(auricle: auricle).measure { peer, result in
    let name = peer.plugin.split(separator: "/").last ?? ""
    switch result {
    case .success(let comparison):
      report("\(peer.component), \(name) in jalv", unit: "ns/frame/channel", comparison)
    case .failure(let error):
      tellUnmeasured("\(peer.component), \(name) in jalv", error)
    }
  }
}

await bench("stretch") {
  for (rate, cents) in [(0.8, 0.0), (1.25, 0), (1, 700), (1, -700)] {
    let benchmark = try StretchBenchmark(auricle: auricle, rate: rate, cents: cents)
    defer { benchmark.remove() }
    let times = try benchmark.measure()
    let realtime = { (seconds: Double) in rounded(StretchBenchmark.seconds / seconds) }
    print(
      column("stretch, rate \(rate), \(Int(cents)) cents", 32),
      column("ratio \(rounded(times.ratio))", 12),
      "\(realtime(times.ours)) times realtime, baseline \(realtime(times.baseline))")
    showAtOnce()
  }
}

exit(isIncomplete ? 1 : 0)
