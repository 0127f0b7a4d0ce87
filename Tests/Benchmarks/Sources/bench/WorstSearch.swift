// Search for the stream that makes a cycle cost most: slow streams are kept and varied.

import WorstStreams

/// Limits of a stream's data rate.
enum Cable: String, CaseIterable {
  /// 31,250 baud: a byte every 320 µs.
  case din = "DIN"
  /// USB 1.1 at full speed: 19 packets of 64 bytes a millisecond, four bytes a message.
  case usb = "USB"
  /// A full JACK port buffer in each cycle.
  case none = "full buffer"

  /// The frames that a message takes on the cable.
  func frames(_ bytes: [UInt8]) -> Double {
    let packets = Double((bytes.count + 2) / 3)
    switch self {
    case .din: return Double(bytes.count) * 15.36
    case .usb: return packets * 64 / 405
    case .none: return packets * 64 / Double(WorstStream.fullBuffer)
    }
  }
}

/// SplitMix64.
struct SearchRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  mutating func oneOf<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// The parts of a stream: messages as dense as the cable allows, and pauses.
struct StreamSeed {
  enum Item {
    case message([UInt8])
    case pause(Int)
  }

  static let cycleCount = 64

  var rig: WorstRig.Kind
  var cable: Cable
  var items: [Item] = []
  /// Whether all messages of a cycle are on its first frame.
  var isBunched = false

  func stream(_ name: String) -> WorstStream {
    var messages: [WorstStream.Message] = []
    // The first cycles select programs; nothing else can be slow in them.
    var frame = 64.0
    for item in items {
      if case .pause(let frames) = item { frame += Double(frames) }
      guard case .message(let bytes) = item else { continue }
      frame += cable.frames(bytes)
      if frame >= Double(Self.cycleCount * WorstRig.period) { break }
      let place = isBunched ? Int(frame) / WorstRig.period * WorstRig.period : Int(frame)
      messages.append(WorstStream.Message(place, bytes))
    }
    return WorstStream(name, rig, cycles: Self.cycleCount, messages)
  }

  mutating func mutate(_ random: inout SearchRandom) {
    for _ in 0...random.below(3) {
      let place = random.below(items.count + 1)
      let length = min(items.count - place, 1 << random.below(11))
      switch random.below(8) {
      case 0: items.removeSubrange(place..<place + length)
      case 1: items.insert(contentsOf: items[place..<place + length], at: random.below(place + 1))
      case 2: items.replaceSubrange(place..<place + length, with: Self.phrase(&random))
      case 3: isBunched.toggle()
      case 4: items.insert(.pause(1 << random.below(10)), at: place)
      case 5: items[place..<place + length].shuffle(using: &random)
      default: items.insert(contentsOf: Self.phrase(&random), at: place)
      }
    }
    if items.count > 40_000 { items.removeLast(items.count - 40_000) }
  }

  /// Up to four kinds of messages in turns.
  static func phrase(_ random: inout SearchRandom) -> [Item] {
    let kinds = (0...random.below(4)).map { _ in MessageMaker(&random) }
    return (0..<1 << random.below(12)).map {
      .message(kinds[$0 % kinds.count].message($0 / kinds.count))
    }
  }
}

/// Makes messages of one kind, which change step by step.
struct MessageMaker {
  private static let controllers: [UInt8] = [
    0, 1, 5, 6, 7, 10, 11, 32, 38, 64, 65, 66, 67, 68, 74, 84, 91, 93, 96, 98, 99, 100, 101, 120,
    121, 122, 123, 124, 125, 126, 127,
  ]
  private static let exclusives: [[UInt8]] = [
    [0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0xF0, 0x7E, 0x7F, 9, 3, 0xF7], [0xF0, 0x7E, 0x7F, 9, 2, 0xF7],
    [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7],
    [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 0x02, 0x18, 0xF7],
    [0xF0, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7], [0xF0, 0x7F, 0x7F, 4, 1, 0, 0x40, 0xF7],
    [0xF0, 0x7F, 0x7F, 4, 3, 0, 0x50, 0xF7], [0xF0, 0x7F, 0x7F, 4, 4, 0, 0x41, 0xF7],
    [0xF0, 0x7F, 0x7F, 8, 2, 0, 1, 60, 61, 0, 0, 0xF7],
    [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x04, 0x40, 0x7C, 0xF7],
  ]

  private let status: UInt8
  private let channel: Int
  private let channelStep: Int
  private let first: Int
  private let firstStep: Int
  private let second: Int
  private let secondStep: Int
  private let exclusive: [UInt8]

  init(_ random: inout SearchRandom) {
    status = random.oneOf([
      0x90, 0x90, 0x90, 0x80, 0x80, 0xA0, 0xB0, 0xB0, 0xB0, 0xC0, 0xC0, 0xD0, 0xE0, 0xF0, 0xFF,
    ])
    channel = random.oneOf([0, 9, 15, random.below(16)])
    channelStep = random.oneOf([0, 0, 1, 1, random.below(16)])
    first =
      status == 0xB0 ? Int(random.oneOf(Self.controllers)) : random.below(128)
    firstStep = status == 0xB0 ? 0 : random.oneOf([0, 1, 1, random.below(128)])
    second = random.oneOf([0, 1, 64, 100, 127])
    secondStep = random.oneOf([0, 0, 1, random.below(128)])
    exclusive = random.oneOf(Self.exclusives)
  }

  func message(_ index: Int) -> [UInt8] {
    if status == 0xF0 { return exclusive }
    if status == 0xFF { return [0xFF] }
    let bytes = [
      status | UInt8((channel + index * channelStep) & 15),
      UInt8((first + index * firstStep) & 127),
    ]
    if status == 0xC0 || status == 0xD0 { return bytes }
    return bytes + [UInt8((second + index * secondStep) & 127)]
  }
}

struct WorstSearch {
  static let populationCount = 8

  let cable: Cable
  var random: SearchRandom
  private var kept: [(seed: StreamSeed, worst: Double)] = []
  private(set) var tried = 0

  init(_ cable: Cable, seed: UInt64) {
    self.cable = cable
    random = SearchRandom(state: seed)
  }

  var worst: WorstStream? { kept.first?.seed.stream("worst of \(cable.rawValue)") }

  /// Measures one more stream.
  mutating func step(_ benchmark: WorstBenchmark) async throws {
    var seed: StreamSeed
    if kept.count < Self.populationCount || random.below(8) == 0 {
      seed = StreamSeed(rig: random.oneOf(WorstRig.Kind.allCases), cable: cable)
      for _ in 0..<4 { seed.items += StreamSeed.phrase(&random) }
    } else {
      seed = kept[random.below(kept.count)].seed
      seed.mutate(&random)
    }
    tried += 1
    let stream = seed.stream("")
    var result = try await benchmark.measure(stream, repetitions: 2)
    if kept.count == Self.populationCount {
      guard result.worst > kept.last!.worst else { return }
      // A delay of the machine must not make a stream count as slow.
      result = try await benchmark.measure(stream, repetitions: 4)
      guard result.worst > kept.last!.worst else { return }
      kept.removeLast()
    }
    kept.append((seed, result.worst))
    kept.sort { $0.worst > $1.worst }
  }
}
