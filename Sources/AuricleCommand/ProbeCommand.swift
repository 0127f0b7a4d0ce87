// auricle probe

import ArgumentParser
import Session
import Tools

struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract:
      "Measure a JACK instrument's latency, its spread, and missing notes.",
    discussion: """
      It plays one note repeatedly, at changing positions within the period, and listens. Nothing else should play the \
      instrument meanwhile. It takes --notes times --interval seconds.
      """)

  @Option(
    help: ArgumentHelp(
      "The instrument's MIDI input port (jack_lsp lists them).", valueName: "port"))
  var midi: String

  @Option(help: ArgumentHelp("One of its audio output ports.", valueName: "port"))
  var audio: String

  @OptionGroup var jack: ServerOptions

  @Option(help: ArgumentHelp("Number of notes, 1 to 1000.", valueName: "count"))
  var notes = 64

  @Option(help: "MIDI key, 0 to 127.")
  var key = 60

  @Option(help: "Velocity, 1 to 127.")
  var velocity = 127

  @Option(help: "MIDI channel, 1 to 16.")
  var channel = 1

  @Option(help: ArgumentHelp("Time from note to note, 0.1 to 10.", valueName: "seconds"))
  var interval = 0.4

  @Option(
    help: ArgumentHelp(
      """
      Level above which a note counts as heard, -140 to -6 dB of full scale. Default: above the silence before it.
      """, valueName: "decibels"))
  var threshold: Double?

  @Option(help: "Seed of the positions within the period.")
  var seed: UInt64 = 1

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try check("--notes", notes, ProbeOptions.noteCounts)
    try check("--key", key, 0...127)
    try check("--velocity", velocity, 1...127)
    try check("--channel", channel, 1...16)
    try check("--interval", interval, ProbeOptions.intervals)
    if let threshold { try check("--threshold", threshold, ProbeOptions.thresholds) }
  }

  private func check<Value>(
    _ option: String, _ value: Value, _ range: ClosedRange<Value>
  ) throws {
    guard range.contains(value) else {
      throw ValidationError("\(option) takes \(range.lowerBound) to \(range.upperBound)")
    }
  }

  func run() throws {
    CommandLog.install(isVerbose: false)
    let signals = SignalStream()
    var options = ProbeOptions(midi: midi, audio: audio)
    options.noteCount = notes
    options.key = key
    options.velocity = velocity
    options.channel = channel
    options.interval = interval
    options.threshold = threshold
    options.seed = seed
    let progress = ProgressLine("probing")
    let report: ProbeReport
    do {
      report = try Probe.run(
        options, server: jack.server, progress: progress.show, isCancelled: { signals.hasArrived })
    } catch {
      progress.clear()
      throw CommandFailure.failed(error)
    }
    progress.clear()
    if json { try printJSON(report) } else { try StandardOutput.write(report.text) }
    if report.heard == 0 && !signals.hasArrived {
      throw CommandFailure(
        message: "no note was heard; is a sound loaded, and the volume up? Or lower --threshold",
        status: 1)
    }
  }
}
