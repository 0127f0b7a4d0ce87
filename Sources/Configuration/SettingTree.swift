// Key paths as the nested tables that dotted keys form in TOML.

/// Settings in groups, in their order.
enum SettingTree {
  struct Member {
    let name: String
    var node: SettingTree
  }

  case value(SettingValue)
  case group([Member])

  /// Creates the tree; nil if dotted keys would change the order or cannot express it. They cannot
  /// express a path through a value, a part that is no bare key, or more than 16 parts.
  init?(_ settings: [Setting]) {
    self = .group([])
    for setting in settings {
      let parts = setting.keyPath.value.split(separator: ".", omittingEmptySubsequences: false)
      let maximumDepth = 16
      guard parts.count <= maximumDepth, parts.allSatisfy({ TOMLText.isBare($0) }),
        insert(setting.value.value, at: parts.map(String.init)[...])
      else { return nil }
    }
  }

  private mutating func insert(_ value: SettingValue, at path: ArraySlice<String>) -> Bool {
    guard case .group(var members) = self, let name = path.first else { return false }
    let rest = path.dropFirst()
    if var last = members.last, last.name == name {
      guard !rest.isEmpty, last.node.insert(value, at: rest) else { return false }
      members[members.count - 1] = last
    } else {
      guard !members.contains(where: { $0.name == name }) else { return false }
      var node = rest.isEmpty ? SettingTree.value(value) : .group([])
      guard rest.isEmpty || node.insert(value, at: rest) else { return false }
      members.append(Member(name: name, node: node))
    }
    self = .group(members)
    return true
  }
}

extension [Setting] {
  /// The settings, a line each, with dotted keys if these can express them.
  var members: [(key: String, value: TOMLText)] {
    let hasTree = SettingTree(self) != nil
    return map {
      let path = $0.keyPath.value
      return (hasTree ? path : TOMLText.quote(path), TOMLText($0.value.value))
    }
  }
}
