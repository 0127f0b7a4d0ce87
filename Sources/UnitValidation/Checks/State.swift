// Check of saving and restoring states.

import FoundationEssentials
import PropertyLists
import UnitModel

func checkState(_ trial: Trial) throws {
  for seed: UInt64 in 1..<6 {
    trial.doing("restoring a state of random values, seed \(seed)")
    try checkRoundTrip(seed, trial)
  }
  try checkBrokenStates(trial)
}

private func checkRoundTrip(_ seed: UInt64, _ trial: Trial) throws {
  let first = try trial.make()
  try first.setRandomValues(seed: seed)
  let state = first.fullStateForDocument
  // Through a file, which stores numbers as text.
  let written: StateDictionary
  do { written = try PropertyList.dictionary(xml: PropertyList.xml(state)) } catch {
    return trial.fail("its state cannot be written and read again: \(error)")
  }
  let second = try trial.make()
  try second.setRandomValues(seed: seed &+ 1000)
  do throws(StateError) { try second.setFullStateForDocument(written) } catch {
    return trial.fail("it refuses its own state: \(error)")
  }
  for (mine, theirs) in zip(second.writableParameters, first.writableParameters)
  where mine.value != theirs.value {
    trial.fail(
      "a document's state has brought back \(mine.value)", expected: "\(theirs.value)",
      parameter: mine.keyPath)
  }
  if second.settings(forDocument: true) != first.settings(forDocument: true) {
    trial.fail("a document's state does not bring back the settings")
  }
  let third = try trial.make()
  do throws(StateError) { try third.setFullState(first.fullState) } catch {
    return trial.fail("it refuses its own full state: \(error)")
  }
  for (mine, theirs) in zip(third.writableParameters, first.writableParameters)
  where !mine.flags.contains(.omitFromPresets) && mine.value != theirs.value {
    trial.fail(
      "a state has brought back \(mine.value)", expected: "\(theirs.value)",
      parameter: mine.keyPath)
  }
  for unit in [first, second] {
    try trial.allocate(unit)
  }
  let stimulus = Stimulus(first, frames: 3000, seed: 1)
  let expected = try trial.host(first).run(stimulus)
  trial.expectEqual(
    try trial.host(second).run(stimulus), expected,
    "restored from its state it does not sound the same")
}

/// Tries damaged and foreign states: the unit may refuse or accept them without harm.
private func checkBrokenStates(_ trial: Trial) throws {
  let state = try trial.make().fullStateForDocument
  var foreign = state
  foreign[StateKey.subtype] = .integer(0x3F3F_3F3F)
  trial.doing("restoring a state of another component")
  let unit = try trial.make()
  do throws(StateError) {
    try unit.setFullState(foreign)
    trial.fail("it takes the state of another component")
  } catch {}
  var broken: [(String, StateDictionary)] = []
  for key in state.keys.sorted() {
    for (name, value) in garbage {
      broken.append(("\(name) as its \(key)", state.merging([key: value]) { $1 }))
    }
  }
  if case .dictionary(let settings)? = state[StateKey.settings] {
    for key in settings.keys.sorted() {
      for (name, value) in garbage {
        let settings = PropertyListValue.dictionary(settings.merging([key: value]) { $1 })
        broken.append(
          ("\(name) as its setting \(key)", state.merging([StateKey.settings: settings]) { $1 }))
      }
    }
  }
  for (name, state) in broken.sample(try trial.units(within: .seconds(5))) {
    trial.doing("restoring a state with \(name)")
    try restore(state, trial)
  }
}

private let garbage: [(String, PropertyListValue)] = [
  ("a word", "nonsense"), ("a number", .integer(-7)), ("no number", .real(.nan)),
  ("data", .data(Data([1, 2, 3, 255, 254, 253, 0]))), ("nothing", .array([])),
  ("a dictionary", .dictionary(["": .real(.infinity), "nonsense": .string("\u{0}")])),
]

private func restore(_ state: StateDictionary, _ trial: Trial) throws {
  let unit = try trial.make()
  do throws(StateError) { try unit.setFullStateForDocument(state) } catch {}
  for parameter in unit.parameterTree.allParameters
  where parameter.flags.contains(.writable) && !parameter.range.contains(parameter.value) {
    trial.fail(
      "\(trial.activity) leaves it out of its range",
      expected: "\(parameter.minValue) to \(parameter.maxValue)", parameter: parameter.keyPath,
      value: parameter.value)
  }
  try trial.allocate(unit)
  let host = try trial.host(unit)
  _ = try host.run(Stimulus(unit, frames: 256, seed: 3))
  trial.expectSound(host, while: trial.activity)
}
