// The option for the number of render threads.

import ArgumentParser
import GraphRender

extension SecondCore: ExpressibleByArgument {
  public init?(argument: String) {
    switch argument {
    case "1": self = .never
    case "2": self = .always
    case "auto": self = .whereFaster
    default: return nil
    }
  }

  public var defaultValueDescription: String { "auto" }

  public static var allValueStrings: [String] { ["auto", "1", "2"] }
}

struct CoreOptions: ParsableArguments {
  @Option(
    name: .customLong("cores"),
    help: ArgumentHelp(
      """
      How many threads render units that need not wait for each other: 1, 2, or two while that is measured to be \
      faster. What is heard is the same.
      """, valueName: "auto|1|2"))
  var secondCore = SecondCore.whereFaster
}
