// auricle ctl response

import ArgumentParser
import SessionModel

struct ResponseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "response",
    abstract: "Print the frequency response of a filter, or the output levels of a compressor.",
    discussion: """
      With the values of now and without the bypass. Units whose gain depends on the level are compressors, limiters \
      and gates: their output levels are those of steady sounds.
      """)

  @Argument(
    help: "The unit: an equalizer, a filter, a compressor, a limiter or a gate.",
    completion: .custom(completedUnits))
  var unit: String

  // All unrecognized, so that a level may begin with a minus.
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "Frequencies in Hz, or levels in dB. Default: some over the whole range.",
      valueName: "points"))
  var points: [Double] = []

  @OptionGroup var options: ControlOptions

  func validate() throws {
    if let wrong = points.first(where: { !$0.isFinite }) {
      throw ValidationError("\(wrong) is no point; accepted: numbers, in Hz or dB")
    }
  }

  func run() throws {
    let answer = try ControlOptions.failing {
      try ControlOptions.ask(options.connect(), .response(unit: unit, at: points))
    }
    guard case .response(let response) = answer, points.isEmpty, !options.json else {
      return try options.show(answer)
    }
    // Ten a decade, or one each 4 dB.
    try options.show(.response(response.thinned(by: 8)))
  }
}
