// auricle bounce

import ArgumentParser
import Foundation
import Session

struct BounceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bounce", abstract: "Render a session with a MIDI file to a 32-bit float WAV file."
  )

  @Argument(help: "The session's configuration (TOML).")
  var config: String

  @Option(help: "The MIDI file that plays every unit with a MIDI port.")
  var midi: String

  @Option(help: "The WAV file to write.")
  var output: String

  @Option(help: "Audio for the units' inputs.")
  var input: String?

  @Option(help: "In hertz.")
  var sampleRate: Double = 48000

  @Option(help: "Frames per cycle. The output does not depend on it.")
  var period: Int = 1024

  @Option(help: "Seconds to render after the end of the MIDI file and the input.")
  var tail: Double = 3

  func validate() throws {
    guard BounceOptions.sampleRates.contains(sampleRate) else {
      throw ValidationError("--sample-rate takes 8000 to 384000 Hz")
    }
    guard BounceOptions.periods.contains(period) else {
      throw ValidationError("--period takes 1 to 8192 frames")
    }
    guard BounceOptions.tails.contains(tail) else {
      throw ValidationError("--tail takes 0 to 3600 seconds")
    }
  }

  func run() async throws {
    CommandLog.install(isVerbose: false)
    let signals = SignalStream()
    let plan = try await SessionPlan.load(config)
    let options = BounceOptions(
      midi: URL(fileURLWithPath: midi), output: URL(fileURLWithPath: output),
      input: input.map { URL(fileURLWithPath: $0) }, sampleRate: sampleRate, period: period,
      tailSeconds: tail)
    let progress = ProgressLine("bouncing")
    let result: BounceResult
    do {
      result = try Bounce(plan, options).run(
        progress: progress.show, isCancelled: { signals.hasArrived })
    } catch {
      progress.clear()
      throw CommandFailure.failed(error)
    }
    progress.clear()
    if result.refusedMIDI > 0 {
      StandardError.write("auricle: warning: \(result.refusedMIDI) MIDI messages found no room")
    }
    let seconds = Double(result.frames) / sampleRate
    try StandardOutput.write(
      "wrote \(output): \(result.channels) channels, \(String(format: "%.2f", seconds)) s at \(Int(sampleRate)) Hz"
    )
  }
}
