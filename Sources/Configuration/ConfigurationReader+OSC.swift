// Reading [osc].

import Glibc

extension ConfigurationReader {

  mutating func osc(_ node: ConfigurationValue) -> OSCConfiguration? {
    let section = "[osc]"
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try node.table("osc", as: section)
      })
    else { return nil }
    var port: Located<Int>?
    var transport = OSCConfiguration.Transport.udp
    var address: Located<String>?
    for member in members {
      let key = member.key.value
      let value = member.value
      switch key {
      case "port":
        port = attempt { () throws(ConfigurationProblem) in
          try value.integer(key, in: OSCConfiguration.ports)
        }
      case "transport":
        transport =
          attempt { () throws(ConfigurationProblem) in try Self.transport(value) } ?? transport
      case "address":
        address = attempt { () throws(ConfigurationProblem) in try Self.address(value) }
      default:
        report(
          .unknown("key", key, in: section, accepted: SectionKeys.osc, at: member.key.location))
      }
    }
    if !members.contains(where: { $0.key.value == "port" }) {
      reportMissing("port", in: section, at: node.location)
    }
    return port.map { OSCConfiguration(port: $0, transport: transport, address: address) }
  }

  private static func transport(
    _ node: ConfigurationValue
  ) throws(ConfigurationProblem) -> OSCConfiguration.Transport {
    let text = try node.string("transport")
    guard let transport = OSCConfiguration.Transport(rawValue: text.value) else {
      throw ConfigurationProblem(
        "unknown transport \(quoted(text.value)) in [osc]",
        accepted: OSCConfiguration.Transport.allCases.map(\.rawValue).joined(separator: ", "),
        at: text.location)
    }
    return transport
  }

  private static func address(_ node: ConfigurationValue) throws(ConfigurationProblem) -> Located<
    String
  > {
    let text = try node.string("address")
    var four = in_addr()
    var six = in6_addr()
    guard inet_pton(AF_INET, text.value, &four) == 1 || inet_pton(AF_INET6, text.value, &six) == 1
    else {
      throw ConfigurationProblem(
        "\(quoted(text.value)) is no numeric address",
        accepted: "\"127.0.0.1\" for this machine alone, \"0.0.0.0\" or \"::\" for every network, "
          + "or one of this machine's addresses", at: text.location)
    }
    return text
  }
}
