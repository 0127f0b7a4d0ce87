// A MIDI chain under a flood of events, against walking the same list once for each stage.

import Auricle

/// Ten stages and a list of 1,000 events in one call, measured as a share of 64 frames.
final class MIDIChainBenchmark {
  static let kinds: [MIDIStageKind] = [
    .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .chord, .filter,
    .transpose,
  ]
  static let eventCount = 1000
  static let frameCount = 64
  /// A chain with a chord stage takes about 700 such events in 64 frames; the rest would be
  /// deferred.
  private static let callFrames = 128
  static let sampleRate = 48_000.0

  /// The events of the list.
  enum Stream: String, CaseIterable {
    /// Each note-on right before its note-off.
    case notes
    /// Volume and bends in turns.
    case controllers
    /// Notes and controllers in turns.
    case mixed
    /// Notes, pressures, controllers and bends in an order no processor can predict.
    case random
  }

  /// The settings of the stages.
  enum Settings: String, CaseIterable {
    /// Default settings: all events pass unchanged.
    case neutral
    /// Each stage changes the events it applies to.
    case active
  }

  /// Settings by key path, so that each stage has something to do.
  private static let activeSettings: [(String, Float)] =
    [
      ("filter.keyLow", 4), ("filter.keyHigh", 124), ("filter.velocityLow", 2),
      ("filter.controllerHigh", 119), ("filter.pass.program", 0), ("transpose.semitones", 5),
      ("velocity.curve", 1), ("velocity.compand", 0.8), ("scale.scale", 1), ("scale.root", 2),
      ("bend.receiver", 12), ("controller.source", 1), ("controller.sourceController", 7),
      ("controller.curve", 1), ("filter2.keyLow", 10), ("filter2.controllerHigh", 118),
      ("transpose2.semitones", -7),
    ] + (1...16).map { ("channel.map.\($0)", Float($0 % 16 + 1)) }

  private let settings: Settings
  private let chain: UnsafeMutablePointer<MIDIChain>
  private let mailbox = PublishedPointer()
  private let values = ParameterValues(count: 1024)
  private let counters = DeferredEventCounters()
  private let player: MIDIChainPlayer
  private let original: RenderEventList
  private let list: RenderEventList
  private let byteCount: Int
  private var sum = 0

  init(_ stream: Stream, _ settings: Settings) throws {
    self.settings = settings
    let layout = MIDIChainLayout(Self.kinds)
    let tree = try ParameterTree(children: [layout.parameterGroup()])
    chain = .allocate(capacity: 1)
    chain.initialize(to: layout.makeChain(settings: tree, sampleRate: Self.sampleRate))
    player = .allocate(chain, mailbox: mailbox, values: values, counters: counters)
    if settings == .active {
      for (keyPath, value) in Self.activeSettings {
        let address = tree.parameter(keyPath: "midi." + keyPath)!.address
        precondition(chain.pointee.setParameter(address: address, to: value))
      }
    }
    let capacity = 2 * Self.eventCount
    byteCount = RenderEventList.byteCount(events: capacity, payload: 0)
    original = .allocate(events: capacity, payload: 0)
    list = .allocate(events: capacity, payload: 0)
    var sender = RandomSender()
    for index in 0..<Self.eventCount {
      let bytes =
        stream == .random
        ? sender.next(Self.eventCount - index) : Self.message(index, of: stream)
      let frame = FrameTime(index * Self.callFrames / Self.eventCount)
      precondition(original.insert(.midi(bytes.0, bytes.1, bytes.2, at: frame)))
    }
  }

  private static func message(_ index: Int, of stream: Stream) -> (UInt8, UInt8, UInt8) {
    let channel = UInt8(index / 2 % 16)
    let number = UInt8(index / 2 * 7 % 128)
    if stream == .notes || (stream == .mixed && index / 2 % 2 == 0) {
      return (index % 2 == 0 ? 0x90 | channel : 0x80 | channel, number, 64)
    }
    return index % 2 == 0 ? (0xB0 | channel, 7, number) : (0xE0 | channel, 0, number)
  }

  deinit {
    _ = player.deallocate()
    counters.deallocate()
    mailbox.deallocate()
    values.deallocate()
    chain.pointee.deallocate()
    chain.deallocate()
    original.deallocate()
    list.deallocate()
  }

  private func refill() {
    UnsafeMutableRawPointer(list.header).copyMemory(
      from: UnsafeRawPointer(original.header), byteCount: byteCount)
  }

  private let call = MIDIChainCall(
    start: 0, frameCount: callFrames, sampleRate: sampleRate, context: MusicalContext())

  /// Processes the list as a unit with an exchangeable chain does.
  func process() {
    refill()
    player.process(list, during: call)
  }

  private func processAlone() {
    refill()
    chain.pointee.process(list, during: call)
  }

  private func walk() {
    refill()
    for _ in Self.kinds {
      var next = list.first
      while let event = next {
        sum &+= Int(event.pointee.bytes.0)
        next = list.next(after: event)
      }
    }
  }

  /// Whether neutral settings change nothing, and active ones keep most events and change most of
  /// them.
  func isPlausible() -> Bool {
    process()
    process()
    var (count, changed) = (0, 0)
    var next = list.first
    while let event = next {
      count += 1
      let before = original.events[list.events.distance(to: event)]
      if event.pointee.bytes != before.bytes { changed += 1 }
      next = list.next(after: event)
    }
    if settings == .neutral { return count == Self.eventCount && changed == 0 }
    return count > Self.eventCount * 3 / 4 && changed > count * 3 / 4
  }

  /// Nanoseconds per event of a player, against the bare chain.
  func measurePlayer() -> Comparison {
    Comparison.measure(
      units: Self.eventCount, repetitions: 101, calls: 10, ours: { process() },
      baseline: { processAlone() })
  }

  /// Nanoseconds per stage and event without refilling the list, and shares of a period's time.
  func measure() -> (Comparison, percentOfPeriod: Double, floorPercentOfPeriod: Double) {
    let units = Self.eventCount * Self.kinds.count
    let work = Comparison.measure(
      units: units, repetitions: 101, calls: 10, ours: { process() }, baseline: { walk() })
    let refills = Comparison.measure(
      units: units, repetitions: 101, calls: 10, ours: { refill() }, baseline: { refill() })
    let ours = work.ours - refills.ours
    let baseline = work.baseline - refills.ours
    let period = Double(Self.frameCount) / Self.sampleRate * 1e9
    return (
      Comparison(ours: ours, baseline: baseline, ratio: ours / baseline),
      100 * ours * Double(units) / period, 100 * baseline * Double(units) / period
    )
  }
}

/// Sends notes, pressures, controllers and bends. All notes have ended with the last message. The
/// numbers come from the 64-bit congruential generator of Knuth's MMIX, the same in each run.
private struct RandomSender {
  private var state: UInt64 = 1
  /// Channels and keys of the notes that have not ended.
  private var held: [(UInt8, UInt8)] = []

  private mutating func number(below count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }

  /// - Parameter rest: the number of messages still to be sent.
  mutating func next(_ rest: Int) -> (UInt8, UInt8, UInt8) {
    let channel = UInt8(number(below: 16))
    let key = UInt8(40 + number(below: 48))
    let value = UInt8(2 + number(below: 126))
    let kind = held.count >= rest ? 0 : number(below: 10)
    if kind < 4, !held.isEmpty {
      let (channel, key) = held.remove(at: number(below: held.count))
      return (0x80 | channel, key, value)
    }
    switch kind {
    case ..<7 where held.count + 2 < rest:
      held.append((channel, key))
      return (0x90 | channel, key, value)
    case ..<8: return (0xA0 | channel, key, value)
    case 8: return (0xB0 | channel, UInt8(number(below: 32)), value)
    default: return (0xE0 | channel, 0, value)
    }
  }
}
