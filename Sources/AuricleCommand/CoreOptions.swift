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
      Threads that render independent units: 1, 2, or auto (2 while measured faster). The output is identical.
      """, valueName: "auto|1|2"))
  var secondCore = SecondCore.whereFaster
}
