// The program `auricle`: the command with the built-in components.

import AuricleCommand

@main
struct Program {
  static func main() { AuricleCommand.main() }
}
