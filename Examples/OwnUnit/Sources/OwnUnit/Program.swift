// A JACK client with units of one's own: all commands of Auricle, and two components more.

import AuricleHost

@main
struct Program {
  static func main() {
    AuricleCommand.main(adding: [Gain.component, OrganUnit.component])
  }
}
