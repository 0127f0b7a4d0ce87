// Check of parameter values and their texts.

import Platform
import UnitModel

func checkParameters(_ trial: Trial) throws {
  let unit = try trial.make()
  var names: Set<String> = []
  for parameter in unit.parameterTree.allParameters {
    trial.doing("setting \(parameter.keyPath)")
    checkDescription(parameter, trial)
    if !names.insert(parameter.keyPath).inserted {
      trial.fail("another parameter has this key path", parameter: parameter.keyPath)
    }
    if parameter.value != parameter.defaultValue && parameter.flags.contains(.writable) {
      trial.fail(
        "this is the value at first", expected: "the default, \(parameter.defaultValue)",
        parameter: parameter.keyPath, value: parameter.value)
    }
    guard parameter.flags.contains(.writable) else { continue }
    try checkValues(of: parameter, trial)
    checkTexts(of: parameter, trial)
  }
  try checkPublishedValues(trial)
}

private func checkDescription(_ parameter: Parameter, _ trial: Trial) {
  if parameter.displayName.isEmpty { trial.warn("it has no name", parameter: parameter.keyPath) }
  if parameter.unit == .generic && parameter.unitName.isEmpty && parameter.valueStrings.isEmpty {
    trial.warn("it does not say what its values count", parameter: parameter.keyPath)
  }
}

private func checkValues(of parameter: Parameter, _ trial: Trial) throws {
  let (low, high) = (parameter.minValue, parameter.maxValue)
  var random = SplitMix(seed: parameter.address)
  let inside =
    [low, high, parameter.defaultValue] + (0..<8).map { _ in parameter.value(using: &random) }
  let outside = [
    (high + max(1, high - low), high), (Float.infinity, high), (low - max(1, high - low), low),
    (-Float.infinity, low),
  ]
  for (value, expected) in inside.map({ ($0, $0) }) + outside {
    do throws(ParameterError) { try parameter.setValue(value) } catch {
      if case .refused(_, _) = error { continue }
      throw error
    }
    if parameter.value != expected {
      trial.fail(
        "set to \(value), it reads \(parameter.value)", expected: "\(expected)",
        parameter: parameter.keyPath, value: value)
    }
  }
  let before = parameter.value
  do throws(ParameterError) {
    try parameter.setValue(.nan)
    trial.fail("a value that is no number was taken", parameter: parameter.keyPath, value: .nan)
  } catch {}
  if parameter.value != before {
    trial.fail(
      "what is no number has changed it", expected: "\(before)", parameter: parameter.keyPath,
      value: parameter.value)
  }
  do throws(ParameterError) { try parameter.setValue(parameter.defaultValue) } catch {}
}

private func checkTexts(of parameter: Parameter, _ trial: Trial) {
  let (low, high) = (parameter.minValue, parameter.maxValue)
  for value in [low, high, parameter.defaultValue] {
    let text = parameter.string(fromValue: value)
    guard let read = parameter.value(fromString: text) else {
      trial.fail(
        "written as \"\(text)\", which is not read again", parameter: parameter.keyPath,
        value: value)
      continue
    }
    if abs(read - value) > max(1e-4, (high - low) * 0.01) {
      trial.fail(
        "written as \"\(text)\", which is read as \(read)", expected: "\(value)",
        parameter: parameter.keyPath, value: value)
    }
  }
}

/// Fails if a value set while rendering reads differently after the next cycle.
private func checkPublishedValues(_ trial: Trial) throws {
  let unit = try trial.allocated()
  let host = try trial.host(unit)
  let silence = Stimulus(frames: 256)
  for parameter in unit.schedulableParameters {
    trial.doing("setting \(parameter.keyPath) while it renders")
    do throws(ParameterError) { try parameter.setValue(parameter.farValue) } catch { continue }
    _ = try host.run(silence)
    if parameter.value != parameter.farValue {
      trial.fail(
        "a cycle after it was set to \(parameter.farValue), it reads \(parameter.value)",
        expected: "\(parameter.farValue)", parameter: parameter.keyPath, value: parameter.farValue)
    }
    do throws(ParameterError) { try parameter.setValue(parameter.defaultValue) } catch {}
    _ = try host.run(silence)
  }
}
