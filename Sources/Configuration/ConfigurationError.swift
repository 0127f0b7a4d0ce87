// Problems of a configuration, with the accepted values.

/// One problem of a configuration.
///
/// - Thread: [any]
public struct ConfigurationProblem: Error, Equatable, CustomStringConvertible {
  public let location: SourcePosition
  /// The problem, with the nearest accepted name if one is near.
  public let message: String
  /// The accepted values, for people to read; nil if the message contains them.
  public let accepted: String?

  public init(_ message: String, accepted: String? = nil, at location: SourcePosition) {
    self.location = location
    self.message = message
    self.accepted = accepted
  }

  /// Returns the problem of a name that is not in `accepted`: "unknown preset 'Wram' in …: did you
  /// mean 'Warm'?".
  ///
  /// - Parameters:
  ///   - kind: the kind of name, such as "key" or "preset".
  ///   - context: the table or unit that contains it.
  public static func unknown(
    _ kind: String, _ name: String, in context: String, accepted: [String],
    at location: SourcePosition
  ) -> ConfigurationProblem {
    var message = "unknown \(kind) \(quoted(name)) in \(context)"
    if let nearest = nearestMatch(to: name, among: accepted) {
      message += ": did you mean \(quoted(nearest))?"
    }
    return ConfigurationProblem(message, accepted: listed(accepted, first: name), at: location)
  }

  /// `file:line:column: message; accepted: …`, on one line.
  public var description: String {
    let fault = location.prefix + message
    guard let accepted else { return fault }
    return fault + (fault.hasSuffix("?") ? " Accepted: " : "; accepted: ") + accepted
  }
}

/// A configuration that cannot be used. The first problem is the decisive one; the others could be
/// found without guessing.
///
/// - Thread: [any]
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  public let first: ConfigurationProblem
  public let others: [ConfigurationProblem]
  /// The number of further problems that were not kept.
  public let omitted: Int

  public init(
    _ first: ConfigurationProblem, others: [ConfigurationProblem] = [], omitted: Int = 0
  ) {
    self.first = first
    self.others = others
    self.omitted = omitted
  }

  public var problems: [ConfigurationProblem] { [first] + others }

  /// The error of all problems; nil if there are none.
  package init?(_ problems: [ConfigurationProblem], omitted: Int = 0) {
    guard let first = problems.first else { return nil }
    self.init(first, others: Array(problems.dropFirst()), omitted: omitted)
  }

  /// One line a problem.
  public var description: String {
    var lines = problems.map(\.description)
    if omitted > 0 {
      let place = SourcePosition(file: first.location.file)
      lines.append("\(place.prefix)and \(omitted) more problems")
    }
    return lines.joined(separator: "\n")
  }
}
