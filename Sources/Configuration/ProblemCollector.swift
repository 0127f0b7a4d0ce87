// Collection of a configuration's problems, so that one run shows as many as possible.

/// Collects problems and lets reading continue after each.
///
/// - Thread: [any]
public struct ProblemCollector {
  /// The first 50 problems.
  public private(set) var problems: [ConfigurationProblem] = []
  /// The number of further problems.
  public private(set) var omitted = 0

  public init() {}

  /// Continues after the problems of an error.
  package init(_ error: ConfigurationError) { report(error) }

  /// Collects all problems of an error.
  package mutating func report(_ error: ConfigurationError) {
    for problem in error.problems { report(problem) }
    omitted += error.omitted
  }

  public mutating func report(_ problem: ConfigurationProblem) {
    // A file with a million problems is described by the first ones.
    let maximumProblems = 50
    if problems.count < maximumProblems { problems.append(problem) } else { omitted += 1 }
  }

  /// Returns the value of `body`; on an error, collects the problem and returns nil.
  @discardableResult
  public mutating func attempt<Value>(
    _ body: () throws(ConfigurationProblem) -> Value
  ) -> Value? {
    do throws(ConfigurationProblem) {
      return try body()
    } catch {
      report(error)
      return nil
    }
  }

  /// Returns the value of `body` for all parts; on an error, collects the problem of each part, or
  /// the one of all together if no part has a problem by itself.
  @discardableResult
  package mutating func attempt<Part, Value>(
    each parts: [Part], _ body: ([Part]) throws(ConfigurationProblem) -> Value
  ) -> Value? {
    do throws(ConfigurationProblem) { return try body(parts) } catch {
      let former = problems.count + omitted
      for part in parts {
        attempt { () throws(ConfigurationProblem) in _ = try body([part]) }
      }
      if problems.count + omitted == former { report(error) }
      return nil
    }
  }

  /// Throws the error of all collected problems, if there are any.
  package func finish() throws(ConfigurationError) {
    if let error = ConfigurationError(problems, omitted: omitted) { throw error }
  }

  /// Sorts the problems by their lines.
  package mutating func sort() {
    problems = problems.enumerated().sorted {
      ($0.element.location.line, $0.offset) < ($1.element.location.line, $1.offset)
    }.map(\.element)
  }

  /// Reports that a table lacks a key.
  ///
  /// - Parameter context: the name of the table.
  public mutating func reportMissing(
    _ key: String, in context: String, at location: SourcePosition
  ) {
    report(ConfigurationProblem("\(context) has no '\(key)'", at: location))
  }

  /// Returns the settings of a table of parameters, with nested tables flattened to key paths.
  public mutating func parameters(_ value: ConfigurationValue) -> [Setting] {
    guard
      let members = attempt({ () throws(ConfigurationProblem) in
        try value.table("parameters", as: "such as { cutoff = 900.0 }")
      })
    else { return [] }
    var settings: [Setting] = []
    appendSettings(members, under: "", to: &settings)
    reportRepeated(settings)
    return settings
  }

  mutating func reportRepeated(_ settings: [Setting]) {
    var seen: Set<String> = []
    for setting in settings where !seen.insert(setting.keyPath.value).inserted {
      report(
        ConfigurationProblem(
          "parameter \(quoted(setting.keyPath.value)) is set twice", at: setting.keyPath.location))
    }
  }

  private mutating func appendSettings(
    _ members: [ConfigurationValue.Member], under prefix: String, to settings: inout [Setting]
  ) {
    for member in members {
      let path = prefix + member.key.value
      if case .table(let nested) = member.value.content {
        appendSettings(nested, under: path + ".", to: &settings)
        continue
      }
      let value = attempt { () throws(ConfigurationProblem) in try member.value.setting(path) }
      if let value {
        settings.append(
          Setting(keyPath: Located(path, at: member.key.location), value: value))
      }
    }
  }
}
