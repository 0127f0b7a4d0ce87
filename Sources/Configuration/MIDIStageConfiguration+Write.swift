// Writing MIDI stages.

import UnitModel

extension MIDIStageConfiguration {
  /// The keys of a stage with their values.
  var members: [(key: String, value: TOMLText)] {
    [(key: "stage", value: TOMLText.string(name))] + settingMembers
  }
}

extension NumberNotation {
  /// Returns one range, or an array of ranges.
  func value(_ ranges: [ClosedRange<Int>]) -> TOMLText {
    ranges.count == 1 ? value(ranges[0]) : .array(ranges.map { value($0) })
  }

  func value(_ range: ClosedRange<Int>) -> TOMLText {
    func end(_ number: Int) -> String { namesNotes ? NoteName.name(number) : "\(number)" }
    if range.count == 1 {
      return namesNotes ? .string(end(range.lowerBound)) : .integer(range.lowerBound)
    }
    return .string("\(end(range.lowerBound))-\(end(range.upperBound))")
  }
}

extension MIDIStageConfiguration {
  /// Keys of ranges, by the common part of the names of their ends.
  private static let ranges: [(end: String, key: String, NumberNotation)] = [
    ("key", "keys", .keys), ("velocity", "velocities", .velocities),
    ("controller", "controllers", .controllers),
  ]

  /// The settings in their order, in the usual form: with arrays, channels and ranges if they fit.
  private var settingMembers: [(key: String, value: TOMLText)] {
    if let tree = SettingTree(settings), case .group(let nodes) = tree,
      !nodes.contains(where: { $0.name == "stage" }), let members = members(nodes, isTop: true)
    {
      return members
    }
    return settings.map {
      (TOMLText.quote($0.keyPath.value), TOMLText($0.value.value))
    }
  }

  /// Returns the members of a table; nil if a key would be read with another meaning.
  private func members(
    _ nodes: [SettingTree.Member], isTop: Bool = false
  ) -> [(key: String, value: TOMLText)]? {
    var members: [(key: String, value: TOMLText)] = []
    var index = 0
    while index < nodes.count {
      if let (key, value) = range(nodes[index...], isTop: isTop) {
        members.append((key, value))
        index += 2
        continue
      }
      guard let value = value(nodes[index].node, nodes[index].name) else { return nil }
      members.append((nodes[index].name, value))
      index += 1
    }
    return members
  }

  /// Returns the first two members as one range; nil if they are not the two ends of a range.
  private func range(
    _ nodes: ArraySlice<SettingTree.Member>, isTop: Bool
  ) -> (String, TOMLText)? {
    guard nodes.count > 1, let first = nodes.first,
      case .value(.number(let low)) = first.node,
      case .value(.number(let high)) = nodes[nodes.startIndex + 1].node,
      let low = Int(exactly: low), let high = Int(exactly: high), low <= high,
      let found = Self.ranges.first(where: { $0.end + "Low" == first.name }),
      nodes[nodes.startIndex + 1].name == found.end + "High",
      found.2.bounds.contains(low), found.2.bounds.contains(high)
    else { return nil }
    // Velocities that an arpeggiator plays its notes with, not a range.
    if isTop && name == "arpeggiator" && found.key == "velocities" { return nil }
    return (found.key, found.2.value(low...high))
  }

  private func value(_ node: SettingTree, _ name: String) -> TOMLText? {
    guard case .group(let nodes) = node else {
      guard case .value(let value) = node else { return nil }
      return TOMLText(value)
    }
    if Self.ranges.contains(where: { $0.key == name }) { return nil }
    if name == "channels", let channels = channels(nodes) { return channels }
    if self.name == "filter", name == "pass", let kinds = messageKinds(nodes) { return kinds }
    let isNumbered = zip(1..., nodes).allSatisfy { "\($0)" == $1.name }
    if isNumbered, name != "channels", name != "degrees" || nodes.count == 12 {
      var values: [TOMLText] = []
      for member in nodes {
        guard let value = value(member.node, member.name) else { return nil }
        values.append(value)
      }
      return .array(values)
    }
    return members(nodes).map { .table($0) }
  }

  /// Returns the kinds of messages that pass, from a switch for each kind; nil for other members.
  private func messageKinds(_ nodes: [SettingTree.Member]) -> TOMLText? {
    guard nodes.map(\.name) == MIDIMessageKind.allCases.map(\.rawValue) else { return nil }
    var passing: [TOMLText] = []
    for member in nodes {
      guard case .value(.boolean(let isOn)) = member.node else { return nil }
      if isOn { passing.append(.string(member.name)) }
    }
    return .array(passing)
  }

  /// Returns the channels that are on, from sixteen switches; nil for none, or other members.
  private func channels(_ nodes: [SettingTree.Member]) -> TOMLText? {
    guard nodes.count == 16 else { return nil }
    var ranges: [ClosedRange<Int>] = []
    for (channel, member) in zip(1..., nodes) {
      guard member.name == "\(channel)", case .value(.boolean(let isOn)) = member.node else {
        return nil
      }
      if !isOn { continue }
      if let last = ranges.last, last.upperBound == channel - 1 {
        ranges[ranges.count - 1] = last.lowerBound...channel
      } else {
        ranges.append(channel...channel)
      }
    }
    return ranges.isEmpty ? nil : NumberNotation.channels.value(ranges)
  }
}
