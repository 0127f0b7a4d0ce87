// Sends events through a chain, addressed by key path, and collects what comes out.

import MIDIKernel
import MIDIKernelModel
import Realtime
import UnitModel
import UnitRender

/// An event as tests write and compare it.
enum TestEvent: Equatable {
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
  let chain: MIDIChain
  let tree: ParameterTree
  let kinds: [MIDIStageKind]
  let input: RenderEventList

  /// What a unit with a chain may have of its own.
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

  init(_ kinds: [MIDIStageKind], capacity: Int = 8192, own: [Parameter] = []) {
    input = .allocate(events: capacity, payload: 65536)
    let layout = MIDIChainLayout(kinds)
    self.kinds = kinds
    tree = try! ParameterTree(children: own + [layout.parameterGroup()])
    chain = layout.makeChain(settings: tree, sampleRate: 48_000)
  }

  deinit {
    chain.deallocate()
    input.deallocate()
  }

  /// Whether a stage sends only the note-offs that belong to its note-ons.
  var remembersNotes: Bool {
    kinds.contains { [.filter, .transpose, .scale, .channel, .chord].contains($0) }
  }

  func address(_ keyPath: String) -> UInt64 { tree.parameter(keyPath: "midi." + keyPath)!.address }

  func set(_ keyPath: String, _ value: Float, at frame: FrameTime = 0) -> TestEvent {
    .parameter(address(keyPath), value, at: frame)
  }

  func setNow(_ keyPath: String, _ value: Float) {
    precondition(chain.setParameter(address: address(keyPath), to: value))
  }

  /// One cycle, of one call or, with `slices`, of several that end at the given frames.
  func process(_ events: [TestEvent], slices: [FrameTime] = [.max]) -> [TestEvent] {
    input.removeAll()
    for event in events { insert(event) }
    var output: [TestEvent] = []
    for end in slices {
      chain.process(input, before: end)
      var next = input.first
      while let event = next, event.pointee.frame < end {
        output.append(read(event, input))
        next = input.next(after: event)
      }
      input.removeEvents(before: end)
    }
    return output
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
