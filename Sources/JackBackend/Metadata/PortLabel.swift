// The names and order in which other programs show the session's ports.

/// A port's label for users of other programs: JACK's aliases and metadata.
package struct PortLabel: Sendable, Equatable, Codable {
  /// The port's former name, without the client's; nil if it has none.
  package var formerName: String?
  /// The display name; without control characters, and at most `maximumBytes` long.
  package let prettyName: String
  /// The position among the client's ports.
  package let order: Int
  /// The group that the port forms with the other channels of its bus; nil for a single channel.
  package let group: String?
  /// Whether it carries audio; otherwise MIDI.
  package let isAudio: Bool

  /// The most bytes of a display name. JACK's aliases have room for 319, with the client's name.
  package static let maximumBytes = 200

  /// - Parameter prettyName: control characters become spaces, and the end of a long one is cut.
  package init(
    formerName: String? = nil, prettyName: String, order: Int, group: String?, isAudio: Bool
  ) {
    (self.formerName, self.order, self.group, self.isAudio) = (formerName, order, group, isAudio)
    var bytes = 0
    var text = ""
    for scalar in prettyName.unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > Self.maximumBytes { break }
      text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    self.prettyName = text
  }

  /// The aliases of the port. The second one is the display name, because qpwgraph shows that.
  ///
  /// - Parameters:
  ///   - name: the port's name, without the client's.
  ///   - client: the client's name.
  func aliases(of name: String, client: String) -> [String] {
    ["\(client):\(formerName ?? name)", "\(client):\(prettyName)"]
  }
}
