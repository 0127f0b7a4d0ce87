// The one place where commands are checked and carried out.

import Configuration
import Foundation
import Graph
import UnitModel

/// Carries out commands on the units of a running session. All ways in, from the shell or from other programs, lead here.
///
/// Observers of the units hear of what changes. A command that is refused has changed nothing.
struct SessionControl {
  /// The units by their ids, in the order of the session.
  let units: [(id: String, unit: AudioUnit)]
  /// That of the rendering, in hertz; nil while nothing renders.
  let sampleRate: Double?
  let status: () -> SessionStatus

  /// - Thread: [control]
  func carryOut(_ command: SessionCommand) throws(SessionCommandError) -> SessionAnswer {
    switch command {
    case .list(nil): return .units(units.map { UnitReading($0.unit, id: $0.id) })
    case .list(let path?): return .parameters(try parameters(below: path))
    case .get(let path):
      let (id, parameter) = try parameter(at: path)
      return .parameter(ParameterReading(parameter, of: id))
    case .set(let path, let value, nil, nil):
      try set(path, to: value)
      return .done
    case .set(let path, let value, let ramp, let frame):
      try schedule(path, to: value, rampMilliseconds: ramp ?? 0, frame: frame)
      return .done
    case .status: return .status(status())
    }
  }

  // MARK: Finding

  func unit(_ id: String) throws(SessionCommandError) -> AudioUnit {
    guard let found = units.first(where: { $0.id == id }) else {
      throw .unknown("unit", id, in: "this session", accepted: units.map(\.id))
    }
    return found.unit
  }

  private func parameters(below path: String) throws(SessionCommandError) -> [ParameterReading] {
    let place = SessionPath(path)
    let tree = try unit(place.unit).parameterTree
    guard let keyPath = place.keyPath else {
      return tree.allParameters.map { ParameterReading($0, of: place.unit) }
    }
    switch tree.node(keyPath: keyPath) {
    case let parameter as Parameter: return [ParameterReading(parameter, of: place.unit)]
    case let group as ParameterGroup:
      return group.allParameters.map { ParameterReading($0, of: place.unit) }
    default: throw try unknown(place)
    }
  }

  private func parameter(
    at path: String
  ) throws(SessionCommandError) -> (id: String, Parameter) {
    let place = SessionPath(path)
    let tree = try unit(place.unit).parameterTree
    guard let keyPath = place.keyPath, let node = tree.node(keyPath: keyPath) else {
      throw try unknown(place)
    }
    guard let parameter = node as? Parameter else {
      throw SessionCommandError(
        "\(quoted(path)) is a group of parameters",
        accepted: (node as? ParameterGroup)?.allParameters.map {
          SessionPath(unit: place.unit, keyPath: $0.keyPath).text
        } ?? [])
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

  private func read(
    _ path: String, _ value: SettingValue
  ) throws(SessionCommandError) -> (AudioUnit, Parameter, Float) {
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
      return (unit, parameter, number)
    } catch {
      throw SessionCommandError(error)
    }
  }

  /// A text that is a number, as one: shells know texts alone. What else it may mean to the parameter comes first.
  private func plain(_ value: SettingValue, for parameter: Parameter) -> SettingValue {
    guard case .string(let text) = value, let number = Double(text), number.isFinite else {
      return value
    }
    let meant = parameter.value(fromString: text) ?? Float(number)
    return meant == Float(number) ? .number(number) : value
  }

  private func set(_ path: String, to value: SettingValue) throws(SessionCommandError) {
    let (_, parameter, number) = try read(path, value)
    do throws(ParameterError) { try parameter.setValue(number) } catch {
      throw SessionCommandError(error.description)
    }
  }

  private func schedule(
    _ path: String, to value: SettingValue, rampMilliseconds: Double, frame: Int64?
  ) throws(SessionCommandError) {
    let (unit, parameter, number) = try read(path, value)
    guard let sampleRate else {
      throw SessionCommandError(
        "no JACK server is there, and so no frames", accepted: "a value without ramp and frame")
    }
    guard (0...3_600_000).contains(rampMilliseconds) else {
      throw SessionCommandError(
        "a ramp of \(rampMilliseconds) ms", accepted: "0 to 3600000 milliseconds")
    }
    guard rampMilliseconds == 0 || parameter.flags.contains(.canRamp) else {
      throw SessionCommandError("\(quoted(path)) cannot ramp", accepted: "a value without a ramp")
    }
    if let frame, frame < 0 {
      throw SessionCommandError(
        "frame \(frame)", accepted: "a frame from 0 on, as 'status' tells it")
    }
    do throws(ScheduleError) {
      try unit.scheduleParameter(
        parameter.address, value: number, at: frame.map { .frame($0) } ?? .immediate,
        rampFrames: Int((rampMilliseconds / 1000 * sampleRate).rounded()))
    } catch {
      throw SessionCommandError(error.description)
    }
  }
}
