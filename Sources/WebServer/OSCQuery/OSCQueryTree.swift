// The address space of a session.

/// All nodes of a session by their addresses, those of docs/OSC.md.
struct OSCQueryTree {
  private(set) var nodes: [String: OSCQueryNode] = [:]
  /// The last parts of the addresses within a container.
  private var names: [String: [String]] = [:]

  /// The most names of presets that are listed.
  private static let mostPresets = 512

  /// - Parameter session: the session's name; nil if none runs.
  init(_ picture: SessionPicture, of session: String?, mayWrite: Bool) {
    nodes["/"] = .container(session.map { "the session '\($0)'" } ?? "no session runs")
    let components = Dictionary(
      picture.units.map { ($0.id, $0.component) }, uniquingKeysWith: { first, _ in first })
    for parameter in picture.parameters.values {
      let id = parameter.path.prefix { $0 != "/" }
      guard let component = components[String(id)] else { continue }
      add(OSCQueryNode(parameter, mayWrite: mayWrite), at: "/" + parameter.path, component)
    }
    for unit in picture.units { add(unit, picture, mayWrite) }
    if session != nil && mayWrite { addTriggers(picture) }
  }

  private mutating func add(
    _ unit: SessionPicture.Unit, _ picture: SessionPicture, _ mayWrite: Bool
  ) {
    add(
      OSCQueryNode(
        target: .bypass(unit.id), description: "bypass of \(unit.id)", type: "T",
        isReadable: true, isWritable: mayWrite), at: "/auricle/bypass/\(unit.id)")
    let presets = picture.presets[unit.id] ?? []
    if unit.preset != nil || !presets.isEmpty {
      let isShort = (1...Self.mostPresets).contains(presets.count)
      add(
        OSCQueryNode(
          target: .preset(unit.id), description: "preset of \(unit.id)", type: "s",
          range: isShort ? [OSCQueryNode.choice(presets)] : [], isReadable: true,
          isWritable: mayWrite), at: "/auricle/preset/\(unit.id)")
    }
    if mayWrite && picture.players.contains(unit.id) {
      add(
        OSCQueryNode(
          target: .note(unit.id), description: "a key and its velocity, 0 to end the note",
          type: "ii", range: [OSCQueryNode.whole(0, 127), OSCQueryNode.whole(0, 127)],
          isWritable: true), at: "/\(unit.id)/note", unit.component)
    }
  }

  /// Adds the addresses that can only be written.
  private mutating func addTriggers(_ picture: SessionPicture) {
    if !picture.scenes.isEmpty {
      add(
        OSCQueryNode(
          target: .scene, description: "loads a scene", type: "s",
          range: [OSCQueryNode.choice(picture.scenes)], isWritable: true), at: "/auricle/scene")
    }
    add(
      OSCQueryNode(
        target: .panic, description: "ends all notes and tails", type: "T", isWritable: true),
      at: "/auricle/panic")
    for name in ["undo", "redo"] {
      add(
        OSCQueryNode(
          target: .steps(name), description: "\(name)es changes; the number of steps", type: "i",
          range: [.object(["MIN": .integer(1)])], isWritable: true), at: "/auricle/\(name)")
    }
  }

  /// Adds a node and its containers. A parameter takes precedence.
  ///
  /// - Parameter unit: the description of the unit that it belongs to.
  private mutating func add(
    _ node: OSCQueryNode, at address: String, _ unit: String = "the session itself"
  ) {
    // OSC has no other letters, and a session refuses them.
    guard nodes[address] == nil,
      address.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !"#*,?[]{}".utf8.contains($0) })
    else { return }
    nodes[address] = node
    var address = address
    while address != "/", let slash = address.lastIndex(of: "/") {
      let container = slash == address.startIndex ? "/" : String(address[..<slash])
      let isNew = nodes[container] == nil
      names[container, default: []].append(String(address[address.index(after: slash)...]))
      if isNew {
        let path = container.split(separator: "/")
        nodes[container] = .container(path.count > 1 ? String(path[path.count - 1]) : unit)
      }
      // The containers above have this one already.
      guard isNew else { return }
      address = container
    }
  }

  /// Returns an attribute of an existing node; nil if it has none.
  func attribute(
    _ attribute: OSCQueryNode.Attribute, at address: String, _ picture: SessionPicture
  ) -> JSONValue? {
    guard let node = nodes[address] else { return nil }
    guard attribute == .contents else {
      return node.attribute(attribute, at: address, value: picture.value(of: node.target))
    }
    guard node.target == .container else { return nil }
    let base = address == "/" ? "" : address
    var contents: [String: JSONValue] = [:]
    for name in names[address] ?? [] { contents[name] = json(at: "\(base)/\(name)", picture) }
    return .object(contents)
  }

  /// Returns all attributes of an existing node.
  func json(at address: String, _ picture: SessionPicture) -> JSONValue {
    var object: [String: JSONValue] = [:]
    for one in OSCQueryNode.Attribute.allCases {
      object[one.rawValue] = attribute(one, at: address, picture)
    }
    return .object(object)
  }

  /// Returns the messages about what differs from a former tree: a removed or added container
  /// stands for all within it, and a change for what was removed and added too.
  func messages(since old: OSCQueryTree) -> [(command: String, path: String)] {
    func top(_ nodes: [String: OSCQueryNode], without others: [String: OSCQueryNode]) -> [String] {
      nodes.keys.filter { others[$0] == nil && others[Self.container(of: $0)] != nil }.sorted()
    }
    let removed = top(old.nodes, without: nodes)
    let added = top(nodes, without: old.nodes)
    let kept = nodes.filter { old.nodes[$0.key].map { [node = $0.value] in $0 != node } ?? false }
    let changed = Set((removed + added).map(Self.container)).union(kept.keys)
    return removed.map { ("PATH_REMOVED", $0) } + added.map { ("PATH_ADDED", $0) }
      + changed.filter { !Self.isWithin($0, changed) }.sorted().map { ("PATH_CHANGED", $0) }
  }

  /// Whether a container of an address is in a set.
  private static func isWithin(_ address: String, _ others: Set<String>) -> Bool {
    var address = address
    while address != "/" {
      address = container(of: address)
      if others.contains(address) { return true }
    }
    return false
  }

  private static func container(of address: String) -> String {
    guard let slash = address.lastIndex(of: "/"), slash != address.startIndex else { return "/" }
    return String(address[..<slash])
  }
}
