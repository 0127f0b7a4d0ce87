// Check of ramps and of events that bypass the control side.

import UnitModel
import UnitRender

func checkAutomation(_ trial: Trial) throws {
  let addresses = try trial.make().schedulableParameters.map(\.address)
  guard !addresses.isEmpty else { throw NotChecked(reason: "no parameter can be scheduled") }
  let count = min(48, try trial.units(within: .seconds(5)))
  for address in addresses.sample(count) { try checkRamp(address, trial) }
  try checkRawEvents(trial)
}

private func checkRamp(_ address: UInt64, _ trial: Trial) throws {
  let unit = try trial.allocated()
  guard let parameter = unit.parameterTree.parameter(address: address) else { return }
  guard parameter.flags.contains(.canRamp) else { return }
  trial.doing("ramping \(parameter.keyPath)")
  let host = try trial.host(unit)
  try parameter.setValue(parameter.minValue)
  _ = try host.run(Stimulus(frames: 2000), .fixed(1000))
  try unit.scheduleParameter(
    address, value: parameter.maxValue, at: .frame(2100), rampFrames: 1000)
  let (low, high) = (parameter.minValue, parameter.maxValue)
  for (frames, part) in [(100, 0), (250, 0.25), (500, 0.75), (500, 1), (100, 1)] {
    _ = try host.run(Stimulus(frames: frames), .fixed(frames))
    let expected = low + (high - low) * Float(part)
    if abs(parameter.value - expected) > abs(high - low) * 1e-6 {
      return trial.fail(
        "in a ramp of 1000 frames from frame 2100 it reads \(parameter.value)",
        expected: "\(expected)", frame: Int(host.frame), parameter: parameter.keyPath)
    }
  }
}

/// Inserts events into the render list without the control side's checks, one of them with an
/// unknown address. Hosts clamp values before, so failures are warnings.
private func checkRawEvents(_ trial: Trial) throws {
  for (value, isHigh) in [(Float.infinity, true), (1e9, true), (-1e9, false), (.nan, false)] {
    trial.doing("rendering events with the value \(value)")
    let (raw, held) = (try trial.allocated(), try trial.allocated())
    let stimulus = Stimulus(held, frames: 1000, seed: 9)
    var checked = stimulus
    let parameters = held.schedulableParameters
    for parameter in parameters {
      checked.changes.append(
        TimedChange(
          frame: 10, address: parameter.address,
          value: isHigh ? parameter.maxValue : parameter.minValue))
    }
    guard held.hasRoom(forEvents: parameters.count) else { continue }
    let expected = try trial.host(held).run(checked, .fixed(1000))
    let host = try trial.host(raw)
    let nobodys = (raw.parameterTree.allParameters.map(\.address).max() ?? 0) &+ 1
    var status = RenderStatus.ok
    let response = try host.run(
      stimulus, .fixed(1000),
      insert: { hosted, first in
        for address in parameters.map(\.address) + [nobodys] {
          if !hosted.events.insert(
            .parameter(address: address, value: value, rampFrames: 0, at: first + 10))
          {
            status = -1
          }
        }
      })
    guard status == RenderStatus.ok else { continue }
    trial.expectSound(host, while: "given events with the value \(value)")
    trial.expectEqual(
      response, expected, "an event with the value \(value) is not held to the range's end",
      isWarning: true)
    for (one, other) in zip(raw.schedulableParameters, parameters)
    where one.value.bitPattern != other.value.bitPattern {
      trial.warn(
        "after an event with the value \(value) it reads \(one.value)", expected: "\(other.value)",
        parameter: one.keyPath, value: value)
    }
  }
}

extension Array {
  /// Returns `count` evenly spread elements, or all if there are fewer.
  func sample(_ count: Int) -> [Element] {
    guard self.count > count else { return self }
    return (0..<count).map { self[$0 * self.count / count] }
  }
}
