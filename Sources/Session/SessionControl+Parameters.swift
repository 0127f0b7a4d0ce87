// Parameters of a running session: find, read and set.

import Configuration
import Glibc
import SessionModel
import UnitModel

extension SessionControl {
  // MARK: Finding

  /// Returns the parameters at or below the paths, each one once.
  func readings(below paths: [String]) throws(SessionCommandError) -> [ParameterReading] {
    var found: [ParameterReading] = []
    var known: Set<String> = []
    for path in paths {
      let (place, node) = try node(at: path)
      for parameter in node.parameters {
        let reading = ParameterReading(parameter, of: place.unit, hasDisplay: true)
        if known.insert(reading.path).inserted { found.append(reading) }
      }
    }
    return found
  }

  package func hasNode(at path: String) -> Bool {
    let place = SessionPath(path)
    guard let tree = units.first(where: { $0.id == place.unit })?.unit.parameterTree else {
      return false
    }
    return place.keyPath.map { tree.node(keyPath: $0) != nil } ?? true
  }

  /// Returns a parameter, a group, or the tree of a unit.
  private func node(
    at path: String
  ) throws(SessionCommandError) -> (SessionPath, ParameterNode) {
    let place = try mixed(SessionPath(path))
    let tree = try unit(place.unit).parameterTree
    guard let keyPath = place.keyPath else { return (place, tree) }
    guard let node = tree.node(keyPath: keyPath) else { throw try unknown(place) }
    return (place, node)
  }

  /// Replaces `mix` after a source's name by the source's input at its first mixer. Other paths
  /// stay.
  private func mixed(_ place: SessionPath) throws(SessionCommandError) -> SessionPath {
    guard let keyPath = place.keyPath, keyPath == "mix" || keyPath.hasPrefix("mix."),
      try unit(place.unit).parameterTree.node(keyPath: keyPath) == nil, let store
    else { return place }
    let inputs = store.origin.configuration.mixedInputs { id in
      units.first { $0.id == id }?.unit.inputBusses.isOpen ?? false
    }
    guard let input = inputs[place.unit]?.first else {
      throw SessionCommandError(
        "\(quoted(place.unit)) is no source that a mixer hears",
        accepted: inputs.keys.sorted().joined(separator: ", "))
    }
    return SessionPath(
      unit: input.mixer, keyPath: "inputs.\(input.input + 1)" + keyPath.dropFirst(3))
  }

  package func parameter(
    at path: String
  ) throws(SessionCommandError) -> (id: String, Parameter) {
    let place = try mixed(SessionPath(path))
    let tree = try unit(place.unit).parameterTree
    guard let keyPath = place.keyPath, let node = tree.node(keyPath: keyPath) else {
      throw try unknown(place)
    }
    guard let parameter = node as? Parameter else {
      throw SessionCommandError(
        "\(quoted(path)) is a group of parameters",
        accepted: node.parameters.map {
          SessionPath(unit: place.unit, keyPath: $0.keyPath).text
        })
    }
    return (place.unit, parameter)
  }

  private func unknown(_ place: SessionPath) throws(SessionCommandError) -> SessionCommandError {
    let paths = KeyPathGroup.groups(
      try unit(place.unit).parameterTree.allParameters.map(\.keyPath)
    ).map { SessionPath(unit: place.unit, keyPath: $0.text).text }
    guard place.keyPath != nil else {
      return SessionCommandError("\(quoted(place.text)) is a unit", accepted: paths)
    }
    return .unknown("parameter", place.text, in: "this session", accepted: paths)
  }

  // MARK: Setting

  /// A value that a command sets.
  struct SetValue {
    let id: String
    let unit: AudioUnit
    let parameter: Parameter
    let number: Float
    var rampFrames = 0
  }

  func read(_ path: String, _ value: SettingValue) throws(SessionCommandError) -> SetValue {
    let (id, found) = try parameter(at: path)
    let unit = try unit(id)
    guard found.flags.contains(.writable) else {
      throw SessionCommandError("\(quoted(path)) is read-only: the unit reports it")
    }
    do throws(ConfigurationProblem) {
      let setting = Setting(
        keyPath: Located(found.keyPath, at: .command),
        value: Located(plain(value, for: found), at: .command))
      let (parameter, number) = try SettingReader(unit: unit, id: id).read(setting)
      return SetValue(id: id, unit: unit, parameter: parameter, number: number)
    } catch {
      throw SessionCommandError(error)
    }
  }

  /// Converts a text that is a number to one, because shells have only texts. Another meaning of
  /// the text for the parameter takes precedence.
  private func plain(_ value: SettingValue, for parameter: Parameter) -> SettingValue {
    guard case .string(let text) = value, let number = Double(text), number.isFinite else {
      return value
    }
    let meant = parameter.value(fromString: text) ?? Float(number)
    return meant == Float(number) ? .number(number) : value
  }

  /// Returns a value that a parameter can take at a frame of the session.
  func readTimed(
    _ path: String, _ value: SettingValue, rampMilliseconds: Double
  ) throws(SessionCommandError) -> SetValue {
    var value = try read(path, value)
    guard let sampleRate else { throw Self.noFrames }
    guard (0...3_600_000).contains(rampMilliseconds) else {
      throw SessionCommandError(
        "a ramp of \(rampMilliseconds) ms", accepted: "0 to 3600000 milliseconds")
    }
    guard rampMilliseconds == 0 || value.parameter.flags.contains(.canRamp) else {
      throw SessionCommandError("\(quoted(path)) cannot ramp", accepted: "a value without a ramp")
    }
    guard !value.parameter.flags.contains(.nonRealTime) else {
      throw SessionCommandError(
        ScheduleError.notSchedulable(keyPath: value.parameter.keyPath).description)
    }
    value.rampFrames = Int((rampMilliseconds / 1000 * sampleRate).rounded())
    return value
  }

  /// - Parameter before: the former value; nil for the current one, or the target of its ramp.
  func step(_ value: SetValue, before: Float? = nil, frame: Int64? = nil) -> SessionStep {
    let path = SessionPath(unit: value.id, keyPath: value.parameter.keyPath)
    return SessionStep(
      value.parameter, of: value.id,
      before: before ?? history.target(of: path) ?? value.parameter.value, after: value.number,
      frame: frame, rampFrames: value.rampFrames)
  }

  /// - Returns: when it takes effect.
  func set(
    _ path: String, to value: SettingValue, rampMilliseconds: Double?, frame: Int64?
  ) throws(SessionCommandError) -> ChangeFrame {
    if let frame { try check(frame: frame) }
    let isTimed = rampMilliseconds != nil || frame != nil
    let value =
      isTimed
      ? try readTimed(path, value, rampMilliseconds: rampMilliseconds ?? 0)
      : try read(path, value)
    return try maker.commit(step(value, frame: isToCome(frame) ? frame : nil), at: frame)
  }

  /// Sets a parameter that the unit prepares off the render thread, after the unit's current loads.
  /// Returns nil for a parameter whose values reach the rendering at once.
  func setLate(_ path: String, to value: SettingValue) throws(SessionCommandError) -> Outcome? {
    let (_, found) = try parameter(at: path)
    guard found.flags.contains(.nonRealTime) else { return nil }
    let value = try read(path, value)
    let text = "\(found.keyPath) to \(found.string(fromValue: value.number))"
    return later(text, soundOf: value.unit, value.id) { change in
      try await change.set(value.parameter, to: value.number)
      return .done
    }
  }

  // MARK: Frames

  /// Error of a change at a frame, while nothing counts frames.
  static let noFrames = SessionCommandError(
    "no JACK server is running, so there are no frames",
    accepted: "a change that takes effect at once")

  func check(frame: Int64) throws(SessionCommandError) {
    guard frame >= 0 else {
      throw SessionCommandError(
        "frame \(frame)", accepted: "a frame from 0 on, as 'status' tells it")
    }
  }
}
