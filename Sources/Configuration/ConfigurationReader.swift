// Reading a whole document and collecting its problems.

import UnitModel

/// Walks a document once. Leaves out a part with a problem and continues, so that one run shows as
/// many problems as possible.
struct ConfigurationReader {
  /// The components whose units have keys of their own.
  let kinds: [Component]
  private var collector = ProblemCollector()

  init(kinds: [Component]) { self.kinds = kinds }

  /// - Returns: the configuration without the parts that have a problem, and the problems; nil for
  ///   none.
  static func read(
    _ document: ConfigurationValue, kinds: [Component]
  ) -> (SessionConfiguration, ConfigurationError?) {
    var reader = ConfigurationReader(kinds: kinds)
    let configuration = reader.session(document)
    // Sections are read out of order, but people read from the top.
    reader.collector.sort()
    let collector = reader.collector
    return (configuration, ConfigurationError(collector.problems, omitted: collector.omitted))
  }

  /// Reads the keys of one mapping.
  static func readMapping(
    _ document: ConfigurationValue
  ) throws(ConfigurationError) -> MappingConfiguration {
    var reader = ConfigurationReader(kinds: [])
    let mappings = reader.mappings([document])
    reader.collector.sort()
    try reader.collector.finish()
    guard let mapping = mappings.first else {
      preconditionFailure("what is left out is reported")
    }
    return mapping
  }

  /// The number of problems so far.
  var problemCount: Int { collector.problems.count + collector.omitted }

  mutating func report(_ problem: ConfigurationProblem) { collector.report(problem) }

  mutating func attempt<Value>(
    _ body: () throws(ConfigurationProblem) -> Value
  ) -> Value? {
    collector.attempt(body)
  }

  mutating func reportMissing(_ key: String, in context: String, at location: SourcePosition) {
    collector.reportMissing(key, in: context, at: location)
  }

  mutating func reportRepeated(_ settings: [Setting]) { collector.reportRepeated(settings) }

  mutating func parameters(_ value: ConfigurationValue) -> [Setting] {
    collector.parameters(value)
  }

  private mutating func session(_ document: ConfigurationValue) -> SessionConfiguration {
    let form = "with [[unit]] sections"
    let members = attempt { () throws(ConfigurationProblem) in
      try document.table("configuration", as: form)
    }
    var version: Located<Int>?
    var clientName: Located<String>?
    var osc: OSCConfiguration?
    var units: [UnitConfiguration] = []
    var unitIDs: [String] = []
    // The ids that connections can name in addition to units.
    var endIDs: [String] = []
    var connectionTables: [ConfigurationValue] = []
    var mappings: [MappingConfiguration] = []
    var sceneTables: [ConfigurationValue] = []
    for member in members ?? [] {
      let node = member.value
      switch member.key.value {
      case "version": version = self.version(node)
      case "client": clientName = client(node)
      case "osc": osc = self.osc(node)
      case "unit":
        let tables = self.tables(node, section: "unit")
        let ids = ConfigurationReader.writtenIDs(tables)
        unitIDs = ids.map(\.value)
        units = tables.compactMap { unit($0) }
        reportDuplicates(ids)
        if case .array(let nodes) = node.content, nodes.isEmpty {
          reportNoUnit(at: node.location)
        }
      case "connect": connectionTables = self.tables(node, section: "connect")
      case "map":
        let tables = self.tables(node, section: "map")
        if !tables.isEmpty { endIDs = [SessionConfiguration.controlID] }
        mappings = self.mappings(tables)
      case "scene": sceneTables = self.tables(node, section: "scene")
      default:
        report(
          .unknown(
            "section", member.key.value, in: "the configuration",
            accepted: ["client", "osc", "unit", "connect", "map", "scene", "version"],
            at: member.key.location))
      }
    }
    if let members, !members.contains(where: { $0.key.value == "unit" }) {
      reportNoUnit(at: document.location)
    }
    // Units and mappings may follow the connections in the file.
    endIDs = unitIDs + endIDs
    let connections = connectionTables.compactMap { connection($0, unitIDs: endIDs) }
    return SessionConfiguration(
      version: version, clientName: clientName, osc: osc, units: units,
      connections: connections, mappings: mappings,
      scenes: scenes(sceneTables, endIDs: endIDs))
  }

  private mutating func version(_ node: ConfigurationValue) -> Located<Int>? {
    attempt { () throws(ConfigurationProblem) in
      let newest = SessionConfiguration.currentVersion
      guard case .integer(let number) = node.content, (1...newest).contains(number) else {
        throw ConfigurationProblem(
          "a version that this program does not read",
          accepted: newest == 1
            ? "1, or no 'version'; a newer Auricle reads its own" : "1 to \(newest)",
          at: node.location)
      }
      return Located(number, at: node.location)
    }
  }

  private mutating func reportNoUnit(at location: SourcePosition) {
    report(
      ConfigurationProblem(
        "the configuration has no unit", accepted: "at least one [[unit]]", at: location))
  }

  /// Returns the tables of `[[section]]`.
  private mutating func tables(_ node: ConfigurationValue, section: String) -> [ConfigurationValue]
  {
    guard case .array(let nodes) = node.content else {
      report(
        ConfigurationProblem(
          "'\(section)' is a list: write [[\(section)]], in double brackets", at: node.location))
      return []
    }
    return nodes
  }

  private mutating func client(_ node: ConfigurationValue) -> Located<String>? {
    let context = "[client]"
    let members = attempt { () throws(ConfigurationProblem) in
      try node.table("client", as: context)
    }
    var clientName: Located<String>?
    for member in members ?? [] {
      switch member.key.value {
      case "name":
        clientName = attempt { () throws(ConfigurationProblem) in
          try member.value.name("name") { (text) throws(NameError) in try ClientName(text) }
        }
      default:
        report(
          .unknown(
            "key", member.key.value, in: context, accepted: SectionKeys.client,
            at: member.key.location))
      }
    }
    return clientName
  }
}
