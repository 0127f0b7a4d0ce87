// Costs of the worst known streams in a MIDI chain, in one call of 64 frames.

import Auricle

/// Ten stages, most of which change events, and a full port buffer of costly events.
final class MIDIFloodBenchmark {
  static let kinds: [MIDIStageKind] = [
    .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .chord, .arpeggiator,
    .echo,
  ]
  static let eventCount = 2700
  static let frameCount = 64
  static let sampleRate = 48_000.0

  enum Stream: String, CaseIterable {
    /// Bends on all channels, with 80 notes held.
    case bends
    /// Bends on all channels, with 80 notes held, sent to eight zones.
    case bendsToZones = "bends to zones"
    /// A note-on and All Notes Off in turns.
    case notesOff = "all notes off"
    case systemReset = "system resets"
    case resetControllers = "reset all controllers"
    /// A key on and off, with 120 other keys held by an arpeggio.
    case arpeggio
    /// Keys off and on, with as many echoes as fit.
    case echoes
  }

  private let chain: UnsafeMutablePointer<MIDIChain>
  private let mailbox = PublishedPointer()
  private let values = ParameterValues(count: 2048)
  private let counters = DeferredEventCounters()
  private let player: MIDIChainPlayer
  private let list = RenderEventList.allocate(events: 8192, payload: 0)
  private let stream: Stream
  private var now: FrameTime = 0

  init(_ stream: Stream) throws {
    self.stream = stream
    let layout = MIDIChainLayout(Self.kinds)
    let tree = try ParameterTree(children: [layout.parameterGroup()])
    chain = .allocate(capacity: 1)
    chain.initialize(to: layout.makeChain(settings: tree, sampleRate: Self.sampleRate))
    player = .allocate(chain, mailbox: mailbox, values: values, counters: counters)
    var settings: [(String, Float)] = [
      ("transpose.semitones", 1), ("scale.scale", 1), ("bend.receiver", 12),
      ("controller.source", 1), ("chord.play", 1),
    ]
    if stream == .bendsToZones {
      settings += [("channel.mode", 2)]
      settings += (1...8).map { ("channel.zones.\($0).channel", Float($0)) }
    }
    for (keyPath, value) in settings {
      let address = tree.parameter(keyPath: "midi." + keyPath)!.address
      precondition(chain.pointee.setParameter(address: address, to: value))
    }
  }

  deinit {
    _ = player.deallocate()
    counters.deallocate()
    mailbox.deallocate()
    values.deallocate()
    chain.pointee.deallocate()
    chain.deallocate()
    list.deallocate()
  }

  /// The notes held before the flood.
  private func heldNote(_ index: Int) -> (UInt8, UInt8, UInt8) {
    switch stream {
    case .arpeggio: (0x90, UInt8(127 - index % 120), 9)
    case .echoes: (0x90 | UInt8(index / 128 & 1), UInt8(index % 128), 9)
    default: (0x90 | UInt8(index % 16), UInt8(20 + index % 80), 9)
    }
  }

  private func message(_ index: Int) -> (UInt8, UInt8, UInt8) {
    let channel = UInt8(index / 2 % 16)
    let key = UInt8(index / 2 % 128)
    let isOdd = index % 2 == 1
    switch stream {
    case .bends, .bendsToZones: return (0xE0 | UInt8(index % 16), 0, UInt8(index % 128))
    case .notesOff: return isOdd ? (0xB0 | channel, 123, 0) : (0x90 | channel, key, 9)
    case .systemReset: return (0xFF, 0, 0)
    case .resetControllers: return (0xB0, 121, 0)
    case .arpeggio: return (isOdd ? 0x80 : 0x90, 2, 9)
    case .echoes: return (isOdd ? 0x90 : 0x80, key, 9)
    }
  }

  private func play(_ count: Int, _ message: (Int) -> (UInt8, UInt8, UInt8)) {
    list.removeAll()
    for index in 0..<count {
      let bytes = message(index)
      let frame = now + FrameTime(index * Self.frameCount / count)
      precondition(
        list.insert(
          .midi(bytes.0, bytes.1, bytes.2, length: bytes.0 == 0xFF ? 1 : 3, at: frame)))
    }
  }

  private func process() {
    player.process(
      list,
      during: MIDIChainCall(start: now, frameCount: Self.frameCount, sampleRate: Self.sampleRate))
    now += FrameTime(Self.frameCount)
  }

  /// The share of a period's time that the flood takes, in percent: the least of five runs.
  func percentOfPeriod() -> Double {
    var least = Duration.seconds(3600)
    for _ in 0..<5 {
      player.reset()
      play(256, heldNote)
      process()
      play(Self.eventCount, message)
      let start = ContinuousClock.now
      process()
      least = min(least, ContinuousClock.now - start)
    }
    let seconds =
      Double(least.components.seconds) + Double(least.components.attoseconds) * 1e-18
    return 100 * seconds * Self.sampleRate / Double(Self.frameCount)
  }
}
