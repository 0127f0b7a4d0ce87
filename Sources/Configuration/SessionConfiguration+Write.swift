// Configurations as the TOML that people write.

/// Writes keys and sections, a line each.
private struct TOMLWriter {
  private static let columns = 100
  /// The reader takes 64 in a line.
  private static let maximumDots = 48
  private(set) var text: String

  init(_ comment: String) { text = comment }

  mutating func section(_ header: String) { text += "\n\(header)\n" }

  mutating func put(_ key: String, _ value: TOMLValue?) {
    guard let value else { return }
    let line = "\(key) = \(value.inline)"
    guard case .array(let values) = value, !Self.fits(line) else {
      text += line + "\n"
      return
    }
    text += "\(key) = [\n" + values.map { "  \($0.inline),\n" }.joined() + "]\n"
  }

  /// Whether a line is short enough to be read, by people and by the reader.
  static func fits(_ line: String) -> Bool {
    line.count <= columns && line.utf8.count { $0 == UInt8(ascii: ".") } <= maximumDots
  }

  /// The same for what stands in a line of its own in any case.
  static func isReadable(_ line: String) -> Bool {
    line.count <= 2 * columns && line.utf8.count { $0 == UInt8(ascii: ".") } <= maximumDots
  }
}

extension SessionConfiguration {
  /// What files begin with that are saved.
  private static let header =
    "# Saved by Auricle. Comments are not kept when it is saved again; a copy with them is.\n"

  /// The file that says this: reading it gives the same, but for places.
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

extension UnitConfiguration {
  fileprivate func write(to writer: inout TOMLWriter) {
    writer.section("[[unit]]")
    writer.put("id", .string(id.value))
    writer.put("component", .string(component.value))
    writer.put(soundFonts, bank, program)
    writer.put(
      "drum-channels",
      drumChannels.map {
        $0.value.isEmpty ? .array([]) : NumberNotation.channels.value($0.value)
      })
    writer.put("bank-select", bankSelect.map { .string($0.value) })
    writer.put("outputs", outputs.map { .string($0.value) })
    for property in properties {
      writer.put(TOMLValue.key(property.keyPath.value), TOMLValue(property.value.value))
    }
    writer.put("state", state.map { .string($0.value) })
    writer.put("preset", preset.map { .string($0.value) })
    writer.put("bypass", bypass.map { .boolean($0.value) })
    writer.put(
      "entry-channel", entryChannel.map { $0.value.map { .integer($0) } ?? .string("any") })
    writer.put("entry-preload", preloadsEntries.map { .boolean($0.value) })
    let stages = midiStages.map { TOMLValue.table($0.value.members) }
    let hasInlineStages = stages.allSatisfy { TOMLWriter.isReadable($0.inline) }
    if !stages.isEmpty && hasInlineStages { writer.put("midi", .array(stages)) }
    writer.put(parameters, in: "unit")
    if !hasInlineStages {
      for stage in midiStages {
        writer.section("[[unit.midi]]")
        for (key, value) in stage.value.members { writer.put(key, value) }
      }
    }
    for entry in entries { entry.write(to: &writer) }
  }
}

extension EntryConfiguration {
  fileprivate func write(to writer: inout TOMLWriter) {
    writer.section("[[unit.entry]]")
    writer.put("number", .integer(number.value))
    writer.put("name", .string(name.value))
    writer.put(soundFonts, bank, program)
    writer.put(parameters, in: "unit.entry")
  }
}

extension TOMLWriter {
  fileprivate mutating func put(
    _ soundFonts: [SoundFontConfiguration], _ bank: Located<Int>?, _ program: Located<Int>?
  ) {
    if soundFonts.count == 1, let font = soundFonts.first {
      let isPlain = font.bankOffset == nil && font.size == nil && font.sha256 == nil
      put("soundfont", isPlain ? .string(font.file.value) : font.value)
    } else if !soundFonts.isEmpty {
      put("soundfonts", .array(soundFonts.map(\.value)))
    }
    put("bank", bank.map { .integer($0.value) })
    put("program", program.map { .integer($0.value) })
  }

  /// On one line where there is room, else as a section, which ends the keys of the one that it is in.
  fileprivate mutating func put(_ parameters: [Setting], in section: String) {
    if parameters.isEmpty { return }
    let members = parameters.members
    let table = TOMLValue.table(members)
    if Self.fits("parameters = " + table.inline) { return put("parameters", table) }
    self.section("[\(section).parameters]")
    for (key, value) in members { put(key, value) }
  }
}

extension SoundFontConfiguration {
  fileprivate var value: TOMLValue {
    var members = [(key: "file", value: TOMLValue.string(file.value))]
    if let bankOffset { members.append(("bank-offset", .integer(bankOffset.value))) }
    if let size { members.append(("size", .integer(size.value))) }
    if let sha256 { members.append(("sha256", .string(sha256.value))) }
    return .table(members)
  }
}

extension Endpoint {
  /// As configurations write it.
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
