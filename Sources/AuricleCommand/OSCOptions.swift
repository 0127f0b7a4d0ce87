// The options for OSC.

import ArgumentParser
import Configuration
import Logging
import Remotes
import SessionModel

/// `--osc` and `--osc-address`, which replace the configuration's.
struct OSCOptions: ParsableArguments {
  @Option(
    name: .customLong("osc"),
    help: ArgumentHelp(
      "Listen for OSC at this port, instead of the configuration's. 0 takes a free port, which is printed.",
      valueName: "port"))
  var port: Int?

  @Option(
    name: .customLong("osc-address"),
    help: ArgumentHelp(
      """
      Listen for OSC at this numeric address, 0.0.0.0 or :: for every network. \
      Default: the configuration's; else 127.0.0.1, this machine alone.
      """, valueName: "address"))
  var address: String?

  func validate() throws {
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--osc takes a port, 1 to 65535, or 0 for any that is free")
    }
  }

  /// Starts an OSC server if the configuration or the command line asks for one; nil otherwise.
  /// - Throws: `SessionError`; `CommandFailure` for an address without a port.
  func listen(for plan: SessionPlan, _ log: Logger) throws -> SessionOSC? {
    var configuration = plan.osc
    if let port {
      let port = Located(port, at: SourcePosition(file: "--osc"))
      configuration = configuration ?? OSCConfiguration(port: port)
      configuration?.port = port
    }
    if let address {
      guard configuration != nil else {
        throw CommandFailure(
          message: "--osc-address needs a port: give --osc, or [osc] in the configuration",
          status: 2)
      }
      configuration?.address = Located(address, at: SourcePosition(file: "--osc-address"))
    }
    guard let configuration else { return nil }
    let osc = try SessionOSC(configuration, units: plan.units.map(\.id))
    log.notice("OSC: listening at \(osc.places.joined(separator: " and "))")
    if osc.isOpen {
      log.warning(
        "OSC: whoever reaches this machine's network can change this session: it has no password")
    }
    return osc
  }
}
