// All commands, with units that do something wrong.

import AuricleCommand
import FaultyUnits

@main
struct Program {
  static func main() { AuricleCommand.main(adding: FaultyUnit.components) }
}
