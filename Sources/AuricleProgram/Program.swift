// The program `auricle`: the command with the components that come with it.

import AuricleCommand

@main
struct Program {
  static func main() { AuricleCommand.main() }
}
