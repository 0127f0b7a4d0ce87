// auricle pitches

import ArgumentParser
import DSP
import Platform
import UnitModel

struct PitchesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pitches", abstract: "List the MIDI keys with their names and frequencies.")

  @Option(help: ArgumentHelp("The frequency of A4, 400 to 480 Hz.", valueName: "hertz"))
  var tuning = 440.0

  @Flag(help: "Print JSON.")
  var json = false

  private struct Row: Encodable {
    let key: Int
    let name: String
    let hertz: Double
  }

  func run() throws {
    guard (400...480).contains(tuning) else {
      throw CommandFailure(
        message: "--tuning takes 400 to 480 Hz, not \(tuning)", status: 2)
    }
    let rows = (0...127).map {
      Row(
        key: $0, name: NoteName.name($0),
        hertz: Pitch.frequency(ofKey: Double($0), a4: tuning))
    }
    if json { return try printJSON(rows) }
    try StandardOutput.write("key  name  frequency")
    for row in rows {
      let name = row.name.padded(to: 4)
      try StandardOutput.write(
        "\("\(row.key)".aligned(right: 3))  \(name)"
          + "  \(row.hertz.text(decimals: 3).aligned(right: 9)) Hz")
    }
  }
}
