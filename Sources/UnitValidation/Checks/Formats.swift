// Check of channel counts and sample rates.

import UnitModel

func checkFormats(_ trial: Trial) throws {
  var working = 0
  for counts in try channelCounts(trial) {
    let name = "\(counts.inputs) channels in and \(counts.outputs) out"
    trial.doing("allocating for \(name)")
    let unit = try trial.make()
    guard try set(counts, unit) else { continue }
    let isDeclared = allows(counts, unit)
    do throws(AudioUnitError) { try unit.allocateRenderResources() } catch {
      if isDeclared {
        trial.fail("it cannot be allocated for \(name), which it declares: \(error)")
      }
      continue
    }
    if !isDeclared {
      trial.fail("it is allocated for \(name), which it does not declare")
      continue
    }
    working += 1
    trial.doing("rendering \(name)")
    let host = try trial.host(unit)
    _ = try host.run(Stimulus(unit, frames: 1000, seed: 1), .random(upTo: 300, seed: 1))
    trial.expectSound(host, while: "with \(name)")
  }
  if working == 0 { trial.fail("it works with none of the channel counts that were tried") }
  try checkRates(trial)
}

private struct Counts: Hashable {
  let inputs: [Int]
  let outputs: [Int]
}

/// Returns the channel counts to try: equal on all busses, and different on inputs and outputs.
private func channelCounts(_ trial: Trial) throws -> [Counts] {
  let unit = try trial.make()
  func counts(_ busses: BusArray) -> Set<Int> {
    let declared = busses.flatMap(\.supportedChannelCounts)
    let most = busses.map(\.maximumChannelCount).min() ?? 1
    return Set([1, 2, 3, 4, 5, 6, 8, 16].filter { $0 <= most } + declared.prefix(16))
  }
  let (given, made) = (counts(unit.inputBusses), counts(unit.outputBusses))
  func each(_ count: Int, _ busses: BusArray) -> [Int] { busses.map { _ in count } }
  var all: [Counts] = [
    Counts(
      inputs: unit.inputBusses.map(\.format.channelCount),
      outputs: unit.outputBusses.map(\.format.channelCount))
  ]
  for count in given.union(made).sorted() {
    all.append(
      Counts(inputs: each(count, unit.inputBusses), outputs: each(count, unit.outputBusses)))
  }
  for (one, other) in [(1, 2), (2, 1), (2, 4), (3, 2)] {
    all.append(Counts(inputs: each(one, unit.inputBusses), outputs: each(other, unit.outputBusses)))
  }
  // A side-chain with another channel count.
  if unit.inputBusses.count > 1, !unit.inputBusses.isOpen {
    for (one, other) in [(2, 1), (1, 2)] {
      all.append(
        Counts(
          inputs: [one] + each(other, unit.inputBusses).dropFirst(),
          outputs: each(one, unit.outputBusses)))
    }
  }
  var seen: Set<Counts> = []
  return all.filter { seen.insert($0).inserted }
}

/// - Returns: false if a bus refuses its count.
private func set(_ counts: Counts, _ unit: AudioUnit) throws -> Bool {
  let busses = unit.inputBusses.busses + unit.outputBusses.busses
  for (bus, count) in zip(busses, counts.inputs + counts.outputs) {
    do throws(BusError) {
      try bus.setFormat(AudioFormat(sampleRate: 48_000, channelCount: count))
    } catch { return false }
  }
  return true
}

private func allows(_ counts: Counts, _ unit: AudioUnit) -> Bool {
  guard let capabilities = unit.effectiveCapabilities else { return true }
  return capabilities.contains { $0.allows(inputs: counts.inputs, outputs: counts.outputs) }
}

private func checkRates(_ trial: Trial) throws {
  for rate in [8000.0, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000, 384_000] {
    trial.doing("rendering at \(Int(rate)) Hz")
    let unit = try trial.make()
    for bus in unit.inputBusses.busses + unit.outputBusses.busses {
      try bus.setFormat(bus.format.at(sampleRate: rate))
    }
    if unit.inputBusses.count + unit.outputBusses.count == 0 { try unit.setSampleRate(rate) }
    do throws(AudioUnitError) { try unit.allocateRenderResources() } catch {
      let text = "it cannot be allocated at \(Int(rate)) Hz: \(error)"
      [44_100, 48_000].contains(rate) ? trial.fail(text) : trial.warn(text)
      continue
    }
    let host = try trial.host(unit)
    _ = try host.run(Stimulus(unit, frames: 1000, seed: 1))
    trial.expectSound(host, while: "at \(Int(rate)) Hz")
    trial.expectFinite(unit, "at \(Int(rate)) Hz it")
  }
}
