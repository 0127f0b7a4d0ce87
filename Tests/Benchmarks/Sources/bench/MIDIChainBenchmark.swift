// A MIDI chain under a flood of events, against a walk through the same list for each stage.

import Auricle

/// Ten stages, a list of 1,000 events in one call of 64 frames.
final class MIDIChainBenchmark {
  static let kinds: [MIDIStageKind] = [
    .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .chord, .filter,
    .transpose,
  ]
  static let eventCount = 1000
  static let frameCount = 64
  static let sampleRate = 48_000.0

  /// What the events are.
  enum Stream: String, CaseIterable {
    case notes, controllers, mixed
  }

  private let chain: MIDIChain
  private let original: RenderEventList
  private let list: RenderEventList
  private let byteCount: Int
  private var sum = 0

  init(_ stream: Stream) throws {
    let layout = MIDIChainLayout(Self.kinds)
    let tree = try ParameterTree(children: [layout.parameterGroup()])
    chain = layout.makeChain(settings: tree, sampleRate: Self.sampleRate)
    let capacity = 2 * Self.eventCount
    byteCount = RenderEventList.byteCount(events: capacity, payload: 0)
    original = .allocate(events: capacity, payload: 0)
    list = .allocate(events: capacity, payload: 0)
    for index in 0..<Self.eventCount {
      let frame = FrameTime(index * Self.frameCount / Self.eventCount)
      let channel = UInt8(index / 2 % 16)
      let number = UInt8(index / 2 * 7 % 128)
      let isNote = stream == .notes || (stream == .mixed && index / 2 % 2 == 0)
      let event: RenderEvent =
        isNote
        ? .midi(index % 2 == 0 ? 0x90 | channel : 0x80 | channel, number, 64, at: frame)
        : index % 2 == 0
          ? .midi(0xB0 | channel, 7, number, at: frame)
          : .midi(0xE0 | channel, 0, number, at: frame)
      precondition(original.insert(event))
    }
  }

  deinit {
    chain.deallocate()
    original.deallocate()
    list.deallocate()
  }

  private func refill() {
    UnsafeMutableRawPointer(list.header).copyMemory(
      from: UnsafeRawPointer(original.header), byteCount: byteCount)
  }

  private func process() {
    refill()
    chain.process(
      list,
      during: MIDIChainCall(
        start: 0, frameCount: Self.frameCount, sampleRate: Self.sampleRate,
        context: MusicalContext()))
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

  /// Whether as much comes out as went in.
  func passes() -> Bool {
    process()
    var count = 0
    var next = list.first
    while let event = next {
      count += 1
      next = list.next(after: event)
    }
    return count == Self.eventCount
  }

  /// Nanoseconds a stage and event without making the list anew, and the part of a period's time.
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
