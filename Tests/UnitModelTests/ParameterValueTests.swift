// Values of parameters: ranges, refusals, text, and observers of changes.

import Synchronization
import TestSupport
import Testing
import UnitModel

@Suite struct ParameterValueTests {
  let gain = Parameter(
    identifier: "gain", name: "Gain", address: 3, range: -10...10, defaultValue: 1, unit: .decibels)
  let group: ParameterGroup
  let tree: ParameterTree

  init() throws {
    group = ParameterGroup(identifier: "g", name: "G", children: [gain])
    tree = try ParameterTree(children: [group])
  }

  @Test func valuesAreHeldToTheRange() {
    #expect(gain.value == 1)
    gain.value = 99
    #expect(gain.value == 10)
    gain.value = -.infinity
    #expect(gain.value == -10)
  }

  @Test func refusedValuesChangeNothingAndAreCounted() throws {
    let told = Mutex(0)
    _ = tree.token(byAddingParameterObserver: { _, _ in told.withLock { $0 += 1 } })
    #expect(throws: ParameterError.notANumber(keyPath: "g.gain")) { try gain.setValue(.nan) }
    gain.value = .nan
    group.implementorValueObserver = { (parameter, _) throws(ParameterError) in
      throw .refused(keyPath: parameter.keyPath, reason: "no")
    }
    #expect(throws: ParameterError.refused(keyPath: "g.gain", reason: "no")) {
      try gain.setValue(2)
    }
    let meter = Parameter(
      identifier: "m", name: "", address: 0, range: 0...1, flags: [.readable, .meterReadOnly])
    #expect(throws: ParameterError.notWritable(keyPath: "m")) { try meter.setValue(1) }
    #expect(gain.value == 1)
    #expect(told.withLock { $0 } == 0)
    #expect(tree.refusedValueCount == 1)
  }

  @Test func theOriginatorIsNotCalledBack() throws {
    let calls = Mutex<[String]>([])
    let mine = gain.token(byAddingParameterObserver: { _, _ in calls.withLock { $0.append("mine") }
    })
    _ = tree.token(byAddingParameterObserver: { address, value in
      calls.withLock { $0.append("tree \(address) \(value)") }
    })
    let removed = group.token(byAddingParameterObserver: { _, _ in
      calls.withLock { $0.append("removed") }
    })
    group.removeParameterObserver(removed)
    try gain.setValue(4, originator: mine)
    #expect(calls.withLock { $0 } == ["tree 3 4.0"])
    try gain.setValue(5)
    #expect(calls.withLock { $0 } == ["tree 3 4.0", "mine", "tree 3 5.0"])
  }

  @Test func recordersGetTimesAndGestures() throws {
    let recorded = Mutex<[RecordedParameterEvent]>([])
    let automated = Mutex<[ParameterAutomationEvent]>([])
    _ = tree.token(byAddingParameterRecordingObserver: { new in
      recorded.withLock { $0 += new }
    })
    _ = tree.token(byAddingParameterAutomationObserver: { new in
      automated.withLock { $0 += new }
    })
    try gain.setValue(2, atHostTime: 50, eventType: .touch)
    try gain.setValue(3, atHostTime: 60)
    try gain.setValue(3, atHostTime: 70, eventType: .release)
    #expect(recorded.withLock { $0.map(\.hostTime) } == [50, 60, 70])
    #expect(recorded.withLock { $0.map(\.value) } == [2, 3, 3])
    #expect(automated.withLock { $0.map(\.eventType) } == [.touch, .value, .release])
    #expect(automated.withLock { $0.map(\.address) } == [3, 3, 3])
  }

  @Test func observersMaySetValuesAndRemoveThemselves() throws {
    let token = Mutex<ObserverToken?>(nil)
    let count = Mutex(0)
    let gain = gain
    let added = gain.token(byAddingParameterObserver: { _, _ in
      count.withLock { $0 += 1 }
      if let own = token.withLock({ $0 }) { gain.removeParameterObserver(own) }
      gain.value = 9
    })
    token.withLock { $0 = added }
    gain.value = 2
    gain.value = 3
    #expect(count.withLock { $0 } == 1)
  }

  @Test func implementorsAreInheritedAndOverridden() {
    let seen = Mutex<[Float]>([])
    tree.implementorValueObserver = { _, value in seen.withLock { $0.append(value) } }
    tree.implementorValueProvider = { _ in 7 }
    gain.value = 2
    #expect(seen.withLock { $0 } == [2])
    #expect(gain.value == 7)
    gain.implementorValueProvider = { $0.defaultValue + 0.5 }
    #expect(gain.value == 1.5)
    group.implementorValueProvider = { _ in 8 }
    gain.implementorValueProvider = nil
    #expect(gain.value == 8)
  }

  @Test func valuesAreWrittenAndReadAsText() throws {
    let cutoff = Parameter(
      identifier: "c", name: "", address: 0, range: 12...20_000, defaultValue: 900, unit: .hertz)
    #expect(cutoff.string() == "900")
    #expect(cutoff.string(fromValue: 440.25) == "440.25")
    #expect(cutoff.string(fromValue: -0.00001) == "0")
    #expect(cutoff.value(fromString: "1.5 kHz") == 1500)
    for text in ["1.5k", "1.5 k", "1.5K"] { #expect(cutoff.value(fromString: text) == 1500) }
    #expect(cutoff.value(fromString: " 880Hz ") == 880)
    #expect(cutoff.value(fromString: "99999") == 99999)
    for bad in ["", "abc", "nan", "inf", "1e99", "0x10", "12 dB", "Hz", "k", "1kk"] {
      #expect(cutoff.value(fromString: bad) == nil, "\(bad)")
    }
    let wave = Parameter(
      identifier: "w", name: "", address: 1, range: 1...3, unit: .indexed,
      valueStrings: ["Sine", "Saw", "Square"])
    #expect(wave.string(fromValue: 2) == "Saw")
    #expect(wave.value(fromString: "square") == 3)
    #expect(wave.value(fromString: "2") == 2)
    let on = Parameter(identifier: "o", name: "", address: 2, range: 0...1, unit: .boolean)
    #expect(on.string(fromValue: 1) == "On")
    #expect(on.value(fromString: "off") == 0)
    #expect(gain.value(fromString: "−6 dB") == -6)
    #expect(gain.value(fromString: "1k") == nil)
    tree.implementorStringFromValueCallback = { parameter, value in
      "\(parameter.identifier)=\(value)"
    }
    tree.implementorValueFromStringCallback = { _, text in Float(text.count) }
    #expect(gain.string() == "gain=1.0")
    #expect(gain.value(fromString: "four") == 4)
  }

  @Test(.enabled(if: ThreadSanitizer.understandsWaiting))
  func settersAndObserversOfManyThreadsLoseNoChange() async throws {
    let (tree, gain) = (tree, gain)
    let heard = Atomic<Int>(0)
    let always = tree.token(byAddingParameterObserver: { _, _ in
      heard.wrappingAdd(1, ordering: .relaxed)
    })
    await withTaskGroup(of: Void.self) { tasks in
      for thread in 0..<4 {
        tasks.addTask {
          for step in 0..<500 {
            gain.value = Float((thread + step) % 10)
            let token = gain.token(byAddingParameterObserver: { _, _ in })
            _ = gain.string()
            tree.implementorStringFromValueCallback = { _, _ in "x" }
            gain.removeParameterObserver(token)
          }
        }
      }
    }
    #expect(heard.load(ordering: .relaxed) == 2000)
    tree.removeParameterObserver(always)
  }

  /// In place of `dependentParameters`.
  @Test func observersOfADependentParameterGetItsNewValue() throws {
    let unit = try GainUnit()
    let offset = unit.offset
    let rule = unit.gain.token(byAddingParameterObserver: { offset.value = $1 / 8 })
    let seen = Mutex<[Float]>([])
    let token = offset.token(byAddingParameterObserver: { _, value in
      seen.withLock { $0.append(value) }
    })
    unit.gain.value = 2
    #expect(seen.withLock { $0 } == [0.25])
    #expect(offset.value == 0.25)
    unit.gain.removeParameterObserver(rule)
    offset.removeParameterObserver(token)
  }
}
