// All commands, with faulty units added.

import AuricleCommand
import FaultyUnits

@main
struct Program {
  static func main() { AuricleCommand.main(adding: FaultyUnit.components) }
}
