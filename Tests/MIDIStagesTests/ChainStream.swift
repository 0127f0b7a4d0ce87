// A stream of events and transport changes for a chain, and the reduction of a failing one.

import MIDIStages
import Realtime
import TestSupport
import UnitModel
import UnitRender

/// An event or a change of the transport.
enum ChainHappening: Equatable {
  case event(TestEvent)
  /// The transport rolls from a frame on, from a position in frames; a tempo of 0 stops it.
  case transport(at: FrameTime, tempo: Double, position: FrameTime)

  var frame: FrameTime {
    switch self {
    case .event(let event): event.frame
    case .transport(let frame, _, _): frame
    }
  }
}

/// A chain and its happenings, by frame. Any subset of them is a valid stream too: at its end all
/// keys and pedals are released, and time runs on until all events of the stages are due.
struct ChainStream {
  static let length: FrameTime = 96_000
  /// Time for the longest echo at 120 beats a minute, 16 times a dotted whole note, and a gate.
  static let end: FrameTime = length + 48_000 * 60

  let kinds: [MIDIStageKind]
  var happenings: [ChainHappening]

  static func random(seed: UInt64) -> ChainStream {
    var random = SeededRandom(seed: seed)
    var kinds = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      MIDIStageKind.allCases.randomElement(using: &random)!
    }
    let timed: [MIDIStageKind] = [.arpeggiator, .arpeggiator, .echo, .clock]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      kinds.insert(
        timed.randomElement(using: &random)!, at: Int.random(in: 0...kinds.count, using: &random))
    }
    let rig = ChainRig(kinds)
    var notes = NoteStream(rig: rig)
    var happenings: [ChainHappening] = []
    var frame: FrameTime = 0
    while frame < length {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        happenings.append(
          .transport(
            at: frame, tempo: [0, 0, 30, 120, 133.7, 300].randomElement(using: &random)!,
            position: FrameTime.random(in: 0..<10_000_000, using: &random)))
      case 1:
        // A series of clock or time code, steady or not.
        let status =
          [[0xF8], [0xF8], [0xFA], [0xFB], [0xFC], [0xF2, 7, 1]]
          .randomElement(using: &random)! as [UInt8]
        happenings.append(.event(.midi(status, at: frame)))
        for _ in 0..<Int.random(in: 0..<30, using: &random) {
          frame += FrameTime.random(in: 800...1200, using: &random)
          happenings.append(.event(.midi([0xF8], at: frame)))
        }
      case 2:
        let code = TimeCode(rate: Int.random(in: 0...3, using: &random), seconds: 9)
        let events = code.quarterFrames(sets: 3, from: Double(frame))
        happenings += events.map { .event($0) }
        frame = events.last!.frame
      default:
        for event in notes.cycle(from: frame, &random).prefix(8) {
          happenings.append(.event(event))
        }
        frame += 64
      }
      frame += FrameTime.random(in: 0..<6000, using: &random)
    }
    return ChainStream(kinds: kinds, happenings: happenings)
  }

  /// The description of a fault; nil if there is none.
  func fault() -> String? {
    var random = SeededRandom(seed: 1)
    let first = output { Int.random(in: 1...2000, using: &random) }
    var balance = Balance()
    for event in first.events { balance.take(event) }
    if !balance.sounding.isEmpty { return "sounding at the end: \(balance.sounding)" }
    if !balance.pedals.isEmpty { return "pedals down at the end: \(balance.pedals)" }
    let frames = first.events.map(\.frame)
    if frames != frames.sorted() { return "out of order" }
    if first.dropped == 0 {
      let second = output { 1024 }
      let (one, other) = (first.events, second.events)
      let place = one.indices.first { $0 >= other.count || one[$0] != other[$0] } ?? one.count
      if place < max(one.count, other.count) {
        let events = [one, other].map { place < $0.count ? "\($0[place])" : "nothing" }
        return "the period makes event \(place) \(events[0]) or \(events[1])"
      }
    }
    return nil
  }

  /// The output in calls of the lengths of `period`, and the number of dropped events.
  private func output(period: () -> Int) -> (events: [TestEvent], dropped: Int) {
    let rig = ChainRig(kinds)
    var output: [TestEvent] = []
    var transport: TestTransport?
    var rest = happenings[...]
    while let first = rest.first {
      // The transport changes at the start of a call.
      if case .transport(let frame, let tempo, let position) = first {
        output += rig.run([], until: frame, period: period) { Self.context(transport, $0) }
        transport =
          tempo == 0 ? nil : TestTransport(tempo: tempo, start: frame, position: position)
        rest = rest.dropFirst()
        continue
      }
      let next =
        rest.firstIndex { if case .transport = $0 { true } else { false } } ?? rest.endIndex
      let events = rest[..<next].compactMap { happening -> TestEvent? in
        if case .event(let event) = happening { event } else { nil }
      }
      let end = next < rest.endIndex ? rest[next].frame : Self.length + 48_000
      output += rig.run(events, until: end, period: period) { Self.context(transport, $0) }
      rest = rest[next...]
    }
    output += rig.run([], until: Self.length + 48_000, period: period)
    let events = happenings.compactMap { happening -> TestEvent? in
      if case .event(let event) = happening { event } else { nil }
    }
    output += rig.run(
      rig.closing(events, at: Self.length + 48_000), until: Self.end
    ) { 8192 }
    return (output, rig.dropped)
  }

  private static func context(_ transport: TestTransport?, _ frame: FrameTime) -> MusicalContext {
    transport?.context(frame) ?? MusicalContext()
  }
}

/// Returns the smallest value with a fault that results from removing runs of elements of a list.
func shrunk<Value, Element, Fault>(
  _ value: Value, _ list: WritableKeyPath<Value, [Element]>, fault: (Value) -> Fault?
) -> Value {
  func with(_ elements: [Element]) -> Value {
    var other = value
    other[keyPath: list] = elements
    return other
  }
  return with(shrink(value[keyPath: list]) { fault(with($0)) != nil })
}

/// Returns the shortest failing list that results from removing runs of elements.
func shrink<Element>(_ list: [Element], whileItFails fails: ([Element]) -> Bool) -> [Element] {
  var small = list
  var run = max(1, list.count / 2)
  while true {
    var place = 0
    var hasShrunk = false
    while place < small.count {
      var smaller = small
      smaller.removeSubrange(place..<min(place + run, small.count))
      if fails(smaller) {
        small = smaller
        hasShrunk = true
      } else {
        place += run
      }
    }
    if run == 1 && !hasShrunk { return small }
    if !hasShrunk || run > small.count { run = max(1, run / 2) }
  }
}

extension ChainRig {
  /// Returns events that release keys and pedals, turn latches off, and set a fast clock.
  /// - Parameter events: the events before.
  func closing(_ events: [TestEvent], at frame: FrameTime) -> [TestEvent] {
    var held: [Int: Int] = [:]
    for case .midi(let bytes, _) in events where bytes[0] < 0xA0 {
      let key = Int(bytes[0] & 15) << 8 | Int(bytes[1])
      let isOn = bytes[0] >= 0x90 && bytes[2] > 0
      held[key] = max(0, held[key, default: 0] + (isOn ? 1 : -1))
    }
    let offs = held.sorted { $0.key < $1.key }.flatMap { key, count in
      repeatElement(
        TestEvent.midi([0x80 | UInt8(key >> 8), UInt8(key & 255), 0], at: frame), count: count)
    }
    let settings = tree.allParameters.compactMap { parameter -> TestEvent? in
      let isClocks = parameter.keyPath.hasPrefix("midi.clock")
      switch parameter.identifier {
      case "source": return .parameter(parameter.address, isClocks ? 4 : 0, at: frame)
      case "tempo": return .parameter(parameter.address, 300, at: frame)
      case "latch", "pedal": return .parameter(parameter.address, 0, at: frame)
      default: return nil
      }
    }
    let pedals = (0...2 as ClosedRange<UInt8>).flatMap { channel in
      [64, 66].map { TestEvent.midi([0xB0 | channel, $0, 0], at: frame) }
    }
    return settings + offs + pedals
  }
}
