// auricle ctl note

import ArgumentParser
import Configuration
import FoundationEssentials
import Glibc
import SessionModel
import UnitModel

struct NoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note", abstract: "Play a note at a unit, to hear whether it sounds.",
    discussion: "The note ends with the command, also when a signal ends that.")

  @Argument(
    help: "The unit: a sampler, or another one with a MIDI input.",
    completion: .custom(completedUnits))
  var unit: String

  @Argument(help: "The key: 0 to 127, or a name such as C4, which is 60.")
  var key: String

  @Argument(help: "The velocity, 1 to 127.")
  var velocity = 100

  @Option(help: "The MIDI channel, 1 to 16.")
  var channel = 1

  @Option(help: "The length, 0.01 to 3600.")
  var seconds = 1.0

  @OptionGroup var options: ControlOptions

  func validate() throws {
    _ = try number
    guard (1...127).contains(velocity) else {
      throw ValidationError("the velocity is 1 to 127")
    }
    guard (1...16).contains(channel) else { throw ValidationError("--channel takes 1 to 16") }
    guard (0.01...3600).contains(seconds) else {
      throw ValidationError("--seconds takes 0.01 to 3600")
    }
  }

  private var number: Int {
    get throws {
      guard let number = Int(key) ?? NoteName.key(key), (0...127).contains(number) else {
        throw ValidationError("\(quoted(key)) is no key; accepted: 0 to 127, or C-1 to G9")
      }
      return number
    }
  }

  func run() throws {
    let number = try number
    try ControlOptions.failing {
      let session = try options.connect()
      func play(_ bytes: [Int]) throws -> SessionAnswer {
        try ControlOptions.ask(session, .midi(unit: unit, bytes: bytes))
      }
      _ = try play([0x90 | (channel - 1), number, velocity])
      usleep(UInt32(seconds * 1e6))
      try options.show(try play([0x80 | (channel - 1), number, 64]))
    }
  }
}
