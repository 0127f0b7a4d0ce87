// Properties in JACK's metadata.

/// A property of a port or client in JACK's metadata.
package struct PortProperty: Sendable, Equatable {
  package let key: String
  package let value: String
  /// The type of the value, as a URI; nil for text.
  package let type: String?

  /// - Parameter name: the key without its prefix, as in jack/metadata.h, whose constants Swift
  ///   takes for variables.
  init(_ name: String, _ value: String, type: String? = nil) {
    (key, self.value, self.type) = ("http://jackaudio.org/metadata/\(name)", value, type)
  }

  /// Returns the properties of a port with this label.
  package static func all(of label: PortLabel) -> [PortProperty] {
    var properties = [
      PortProperty("pretty-name", label.prettyName),
      PortProperty(
        "order", "\(label.order)", type: "http://www.w3.org/2001/XMLSchema#int"),
    ]
    if let group = label.group {
      properties.append(PortProperty("port-group", group))
    }
    // JACK defines this property for audio only: AUDIO or CV.
    if label.isAudio { properties.append(PortProperty("signal-type", "AUDIO")) }
    return properties
  }

  /// The properties of a session's client: an icon of the freedesktop Icon Naming Specification.
  package static var ofClient: [PortProperty] {
    [PortProperty("icon-name", "applications-multimedia")]
  }
}
