// Sends events through a chain, addressed by key path, and collects its output.

import MIDIStages
import MIDIStagesModel
import Realtime
import UnitModel
import UnitRender

/// An event, as written and compared in tests.
enum TestEvent: Hashable {
  case midi([UInt8], at: FrameTime)
  case parameter(UInt64, Float, at: FrameTime)
  case sysex([UInt8], at: FrameTime)

  var frame: FrameTime {
    switch self {
    case .midi(_, let frame), .parameter(_, _, let frame), .sysex(_, let frame): frame
    }
  }
}

final class ChainRig {
  /// The chain that receives new settings: the one made last.
  private(set) var chain: MIDIChain
  private(set) var tree: ParameterTree
  private(set) var kinds: [MIDIStageKind]
  /// Replaces chains; nil in a rig without `isEdited`.
  private(set) var exchange: ChainExchange?
  let input: RenderEventList
  let sampleRate: Double
  /// Number of events that the lists have counted as dropped.
  private(set) var dropped = 0
  /// First frame of the next call, by default.
  private(set) var now: FrameTime = 0

  /// Example parameters of a unit with a chain.
  static var ownParameters: [Parameter] {
    [
      Parameter(
        identifier: "gain", name: "Gain", address: 3, range: -60...24, defaultValue: 0,
        flags: [.readable, .writable, .canRamp]),
      Parameter(
        identifier: "cutoff", name: "Cutoff", address: 4, range: 20...20_000, unit: .hertz,
        flags: [.readable, .writable, .canRamp, .displayLogarithmic]),
      Parameter(
        identifier: "mode", name: "Mode", address: 5, range: 0...3, unit: .indexed,
        valueStrings: ["A", "B", "C", "D"]),
      Parameter(
        identifier: "voices", name: "Voices", address: 6, range: 1...64,
        flags: [.readable, .writable, .nonRealTime]),
    ]
  }

  init(
    _ kinds: [MIDIStageKind], capacity: Int = 8192, own: [Parameter] = [],
    sampleRate: Double = 48000, isEdited: Bool = false,
    oldCapacity: Int? = nil
  ) {
    self.sampleRate = sampleRate
    input = .allocate(events: capacity, payload: 65536)
    let layout = MIDIChainLayout(kinds)
    self.kinds = kinds
    tree = try! ParameterTree(children: own + [layout.parameterGroup()])
    if isEdited {
      let exchange = ChainExchange(layout, tree, capacity: oldCapacity ?? capacity)
      self.exchange = exchange
      chain = exchange.newest.pointee
    } else {
      chain = layout.makeChain(settings: tree, sampleRate: 48_000)
    }
  }

  deinit {
    if let exchange { exchange.deallocate() } else { chain.deallocate() }
    input.deallocate()
  }

  /// Makes a chain of other stages, with the current values of the parameters.
  func make(_ kinds: [MIDIStageKind]) -> UnsafeMutablePointer<MIDIChain> {
    let layout = MIDIChainLayout(kinds)
    let old = tree
    self.kinds = kinds
    tree = try! ParameterTree(children: [layout.parameterGroup()])
    let new = exchange!.make(layout, tree, replacing: old)
    chain = new.pointee
    return new
  }

  /// Publishes a chain of other stages.
  func edit(_ kinds: [MIDIStageKind]) { exchange!.publish(make(kinds)) }

  /// Whether a stage sends only the note-offs that belong to its note-ons.
  var remembersNotes: Bool {
    kinds.contains {
      [.filter, .transpose, .scale, .channel, .arpeggiator, .chord].contains($0)
    }
  }

  /// Whether a stage plays notes without an input event.
  var makesNotes: Bool { kinds.contains { [.arpeggiator, .echo].contains($0) } }

  func address(_ keyPath: String) -> UInt64 { tree.parameter(keyPath: "midi." + keyPath)!.address }

  func set(_ keyPath: String, _ value: Float, at frame: FrameTime = 0) -> TestEvent {
    .parameter(address(keyPath), value, at: frame)
  }

  func setNow(_ keyPath: String, _ value: Float) {
    exchange?.store(value, at: address(keyPath))
    precondition(chain.setParameter(address: address(keyPath), to: value))
  }

  /// Processes one cycle, in one call or, with `slices`, in several that end at the given frames.
  /// Without `slices` the cycle ends at the frame after its last event.
  /// - Parameter context: the context of the call that begins at a frame.
  func process(
    _ events: [TestEvent], slices: [FrameTime]? = nil,
    context: (FrameTime) -> MusicalContext = { _ in MusicalContext() }
  ) -> [TestEvent] {
    input.removeAll()
    for event in events { insert(event) }
    var output: [TestEvent] = []
    for end in slices ?? [max(now, (events.map(\.frame).max() ?? now) + 1)] {
      // Tests that do not depend on time begin each cycle on frame 0.
      let start = min(now, input.first?.pointee.frame ?? now)
      let call = MIDIChainCall(
        start: start, frameCount: max(0, Int(end - start)), sampleRate: sampleRate,
        context: context(start))
      if let exchange { exchange.process(input, call) } else { chain.process(input, during: call) }
      var next = input.first
      while let event = next, event.pointee.frame < end {
        output.append(read(event, input))
        next = input.next(after: event)
      }
      input.removeEvents(before: end)
      now = end
    }
    dropped += Int(input.header.pointee.droppedCount)
    return output
  }

  /// Runs the chain from `now` to `end` in calls of the lengths returned by `period`, each with its
  /// events.
  func run(
    _ events: [TestEvent], until end: FrameTime, period: () -> Int,
    context: (FrameTime) -> MusicalContext = { _ in MusicalContext() }
  ) -> [TestEvent] {
    var output: [TestEvent] = []
    var next = 0
    while now < end {
      let frame = min(now + FrameTime(period()), end)
      let first = next
      while next < events.count && events[next].frame < frame { next += 1 }
      output += process(Array(events[first..<next]), slices: [frame], context: context)
    }
    return output
  }

  /// The current value of a read-only parameter.
  func reading(_ keyPath: String) -> Float {
    let values = ParameterValues(count: tree.allParameters.count)
    defer { values.deallocate() }
    chain.publishReadings(to: values, from: 0)
    return values[tree.allParameters.firstIndex { $0.address == address(keyPath) }!]
  }

  /// Plain MIDI in one cycle on frame 0; parameter events are left out of the result.
  func midi(_ messages: [UInt8]...) -> [[UInt8]] {
    process(messages.map { .midi($0, at: 0) }).compactMap {
      if case .midi(let bytes, _) = $0 { bytes } else { nil }
    }
  }

  private func insert(_ event: TestEvent) {
    switch event {
    case .midi(let bytes, let frame):
      var event = RenderEvent.midi(
        bytes[0], bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0, at: frame)
      event.length = UInt32(bytes.count)
      precondition(input.insert(event))
    case .parameter(let address, let value, let frame):
      precondition(input.insert(.parameter(address: address, value: value, at: frame)))
    case .sysex(let bytes, let frame):
      precondition(input.insertSystemExclusive(bytes, count: bytes.count, at: frame))
    }
  }

  private func read(
    _ event: UnsafeMutablePointer<RenderEvent>, _ list: RenderEventList
  ) -> TestEvent {
    let it = event.pointee
    switch it.eventKind {
    case .systemExclusive?:
      return .sysex(
        Array(
          UnsafeBufferPointer(start: list.systemExclusiveBytes(of: event), count: Int(it.length))),
        at: it.frame)
    case .midi?:
      return .midi(
        Array([it.bytes.0, it.bytes.1, it.bytes.2].prefix(Int(it.length))), at: it.frame)
    default: return .parameter(it.address, it.value, at: it.frame)
    }
  }
}
