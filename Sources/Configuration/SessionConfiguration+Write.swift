// Writing configurations as TOML in the usual form.

/// Writes keys and sections, one line each.
private struct TOMLWriter {
  private static let columns = 100
  /// Limit below the reader's, which accepts 64 dots in a line.
  private static let maximumDots = 48
  private(set) var text: String

  init(_ comment: String) { text = comment }

  mutating func section(_ header: String) { text += "\n\(header)\n" }

  mutating func put(_ key: String, _ value: TOMLText?) {
    guard let value else { return }
    let line = "\(key) = \(value.inline)"
    guard case .array(let values) = value, !Self.fits(line) else {
      text += line + "\n"
      return
    }
    text += "\(key) = [\n" + values.map { "  \($0.inline),\n" }.joined() + "]\n"
  }

  /// Whether a line is short enough for people and for the reader.
  static func fits(_ line: String) -> Bool {
    line.count <= columns && line.utf8.count { $0 == UInt8(ascii: ".") } <= maximumDots
  }

  /// Whether the reader accepts the line.
  static func isLine(_ line: String) -> Bool {
    line.utf8.count { $0 == UInt8(ascii: ".") } <= maximumDots
  }

  /// Whether a line that no other key shares is short enough: at most twice `columns`.
  static func isReadable(_ line: String) -> Bool {
    line.count <= 2 * columns && line.utf8.count { $0 == UInt8(ascii: ".") } <= maximumDots
  }
}

extension SessionConfiguration {
  /// The comment at the start of saved files.
  private static let header =
    "# Saved by Auricle. Comments are not kept when it is saved again; a copy with them is.\n"

  /// The file's text. Reading it gives an equal configuration, apart from positions.
  ///
  /// - Thread: [any]
  public var toml: String {
    var writer = TOMLWriter(Self.header)
    if let version { writer.put("version", .integer(version.value)) }
    if let clientName {
      writer.section("[client]")
      writer.put("name", .string(clientName.value))
    }
    osc?.write(to: &writer)
    for unit in units { unit.write(to: &writer) }
    for connection in connections {
      writer.section("[[connect]]")
      writer.put("from", .string(connection.from.value.text))
      writer.put("to", .string(connection.to.value.text))
    }
    for mapping in mappings { mapping.write(to: &writer) }
    for scene in scenes { scene.write(to: &writer) }
    return writer.text
  }
}

extension OSCConfiguration {
  fileprivate func write(to writer: inout TOMLWriter) {
    writer.section("[osc]")
    writer.put("port", .integer(port.value))
    if transport != .udp { writer.put("transport", .string(transport.rawValue)) }
    if address.value != Self.defaultAddress { writer.put("address", .string(address.value)) }
  }
}

extension MappingConfiguration {
  fileprivate func write(to writer: inout TOMLWriter) {
    writer.section("[[map]]")
    for (key, value) in members { writer.put(key, value) }
  }

  /// The keys with their values, without those at their defaults.
  private var members: [(key: String, value: TOMLText)] {
    let (target, source) = (target.value.setting, source.value.setting)
    var members: [(key: String, value: TOMLText)] = [
      (target.key, TOMLText(target.value)), (source.key, TOMLText(source.value)),
    ]
    if let bank { members.append(("bank", .integer(bank.value))) }
    if let channel { members.append(("channel", .integer(channel.value))) }
    if let range {
      members.append(("range", .array([TOMLText(range.first.value), TOMLText(range.last.value)])))
    }
    if mode != .absolute { members.append(("mode", .string(mode.rawValue))) }
    if curve != .linear { members.append(("curve", .string(curve.rawValue))) }
    if shape != Self.defaultShape { members.append(("shape", TOMLText(.number(shape)))) }
    if pickup != .jump { members.append(("pickup", .string(pickup.rawValue))) }
    if let ramp { members.append(("ramp", TOMLText(.number(ramp.value)))) }
    if !feedback { members.append(("feedback", .boolean(false))) }
    return members
  }

  /// All settings without the target: `controller=74`, `range=[200, 8000]`.
  ///
  /// - Thread: [any]
  public var settings: [String] {
    members.dropFirst().map { key, value in
      guard case .plain(let text) = value else { return "\(key)=\(value.inline)" }
      return "\(key)=\(text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text)"
    }
  }

  /// The mapping on one line: `lowpass/cutoff controller=74 channel=1`.
  ///
  /// - Thread: [any]
  public var text: String { ([target.value.text] + settings).joined(separator: " ") }
}

extension SceneConfiguration {
  fileprivate func write(to writer: inout TOMLWriter) {
    writer.section("[[scene]]")
    writer.put("name", .string(name.value))
    if let connections {
      writer.put(
        "connections",
        .array(
          connections.map {
            .table([
              ("from", .string($0.from.value.text)), ("to", .string($0.to.value.text)),
            ])
          }))
    }
    let tables =
      [
        ("bypass", bypasses.map { (TOMLText.key($0.unit.value), .boolean($0.isOn.value)) }),
        ("entries", entries.map { (TOMLText.key($0.unit.value), .string($0.name.value)) }),
        ("parameters", values.members),
      ] as [(String, [(key: String, value: TOMLText)])]
    // A section ends the keys of the section that contains it.
    for isLine in [true, false] {
      for (name, members) in tables
      where TOMLWriter.fits("\(name) = " + TOMLText.table(members).inline) == isLine {
        writer.put(members, as: name, in: "scene")
      }
    }
  }
}

extension UnitConfiguration {
  fileprivate func write(to writer: inout TOMLWriter) {
    writer.section("[[unit]]")
    writer.put("id", .string(id.value))
    writer.put("component", .string(component.value))
    let plain = keys.entries.filter { !$0.key.hasSections }
    let late = plain.filter { !writer.put($0.key.name, $0.value) }
    writer.put("state", state.map { .string($0.value) })
    writer.put("preset", preset.map { .string($0.value) })
    for key in UnitSwitch.allCases {
      writer.put(key.rawValue, switches[key].map { .boolean($0.value) })
    }
    writer.put(
      "place",
      place.map { .array([$0.value.x, $0.value.y].map { TOMLText(SettingValue.number($0)) }) })
    let stages = midiStages.map { TOMLText.table($0.value.members) }
    let hasInlineStages = stages.allSatisfy { TOMLWriter.isReadable($0.inline) }
    if !stages.isEmpty && hasInlineStages { writer.put("midi", .array(stages)) }
    writer.put(parameters.members, as: "parameters", in: "unit")
    for entry in late { writer.put(entry.value.members, as: entry.key.name, in: "unit") }
    if !hasInlineStages {
      for stage in midiStages {
        writer.section("[[unit.midi]]")
        for (key, value) in stage.value.members { writer.put(key, value) }
      }
    }
    for entry in keys.entries where entry.key.hasSections {
      writer.putSections(entry.value, of: "unit.\(TOMLText.key(entry.key.name))")
    }
  }
}

extension ConfigurationValue {
  fileprivate var members: [(key: String, value: TOMLText)] {
    guard case .table(let members) = content else { return [] }
    return TOMLText.members(members)
  }
}

extension TOMLWriter {
  /// - Returns: false for a table too large for a line, which was not written.
  fileprivate mutating func put(_ name: String, _ value: ConfigurationValue) -> Bool {
    let text = TOMLText(value)
    if case .table(let members) = text, !members.isEmpty, !Self.isLine("\(name) = \(text.inline)") {
      return false
    }
    put(TOMLText.key(name), text)
    return true
  }

  /// Writes tables as sections, which follow all other keys of a unit.
  fileprivate mutating func putSections(_ value: ConfigurationValue, of name: String) {
    guard case .array(let tables) = value.content else { return }
    for table in tables {
      section("[[\(name)]]")
      guard case .table(let members) = table.content else { continue }
      let late = members.filter { member in
        // Parameters get a section: they are many.
        let isLate = member.key.value == "parameters" && !member.value.members.isEmpty
        return isLate || !put(member.key.value, member.value)
      }
      for member in late {
        put(member.value.members, as: TOMLText.key(member.key.value), in: name)
      }
    }
  }

  /// Writes a table on one line if it fits, otherwise as a section. A section ends the keys of its
  /// parent.
  fileprivate mutating func put(
    _ members: [(key: String, value: TOMLText)], as name: String, in section: String
  ) {
    if members.isEmpty { return }
    let table = TOMLText.table(members)
    if Self.fits("\(name) = " + table.inline) { return put(name, table) }
    self.section("[\(section).\(name)]")
    for (key, value) in members { put(key, value) }
  }
}

extension Endpoint {
  /// The end's form in configurations.
  ///
  /// - Thread: [any]
  public var text: String {
    switch self {
    case .unit(let id, nil): id
    case .unit(let id, .index(let index)?): "\(id):\(index + 1)"
    case .unit(let id, .name(let name)?): "\(id):\(name)"
    case .outside(let pattern): pattern.text
    }
  }
}
