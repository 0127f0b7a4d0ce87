// Known streams of high cost.

extension WorstStream {
  /// The number of short messages that JACK's port buffer holds.
  public static let fullBuffer = 2_700
  private static let period = WorstRig.period
  private static let gmReset: [UInt8] = [0xF0, 0x7E, 0x7F, 9, 1, 0xF7]
  private static let gsReset: [UInt8] = [
    0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7,
  ]
  private static let gsPart: [UInt8] = [
    0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 0x02, 0x18, 0xF7,
  ]
  /// The cycle in which the flood of a known stream arrives, after the held notes have begun.
  public static let floodCycle = 64
  private static let cycleCount = 160

  /// Returns messages spread over the frames of some cycles.
  private static func spread(
    _ count: Int, from cycle: Int = floodCycle, over cycles: Int = 1, _ bytes: (Int) -> [UInt8]
  ) -> [Message] {
    (0..<count).map { Message(period * cycle + $0 * period * cycles / count, bytes($0)) }
  }

  private static func note(_ index: Int) -> [UInt8] {
    [0x90 | UInt8(index % 16), UInt8(24 + index / 16 % 80), 100]
  }

  /// Program changes to an organ, whose notes never end, on all channels.
  private static let organ: [Message] = (UInt8(0)..<16).map { Message(0, [0xC0 | $0, 19]) }
  /// Notes that fill 256 voices, or 64, before the flood.
  private static let held = organ + spread(256, from: 1, over: 48, note)

  private static func stream(
    _ name: String, on rig: WorstRig.Kind = .sampler, after before: [Message] = held,
    _ flood: [Message]
  ) -> WorstStream {
    WorstStream(name, rig, cycles: cycleCount, before + flood)
  }

  private static func at(_ offset: Int, _ bytes: [UInt8]) -> Message {
    Message(floodCycle * period + offset, bytes)
  }

  private static func full(_ bytes: (Int) -> [UInt8]) -> [Message] { spread(fullBuffer, bytes) }

  /// Returns `count` messages a cycle, for ten cycles; USB at full speed carries 405.
  private static func usb(_ count: Int, _ bytes: (Int) -> [UInt8]) -> [Message] {
    spread(10 * count, over: 10, bytes)
  }

  private static func mixed(_ index: Int) -> [UInt8] {
    let channel = UInt8(index / 3 % 16)
    switch index % 3 {
    case 0: return note(index / 3)
    case 1: return [0xB0 | channel, 11, UInt8(index & 127)]
    default: return [0xE0 | channel, UInt8(index & 127), 64]
    }
  }

  private static func ended(_ index: Int) -> [UInt8] {
    switch index % 4 {
    case 0, 2: return note(index / 2)
    case 1: return [0xB0 | UInt8(index / 4 % 16), 123, 0]
    default: return [0xFF]
    }
  }

  private static func silenced(_ index: Int) -> [UInt8] {
    index % 2 == 0 ? note(index / 2) : [0xB0 | UInt8(index / 2 % 16), 120, 0]
  }

  public static let known: [WorstStream] =
    [
      stream("256 voices", []),
      stream("64 voices", on: .small, []),
      stream("790 resets and part messages", spread(790) { $0 % 2 == 0 ? gmReset : gsPart }),
      stream(
        "10 stages, 2,700 bends", on: .chain, after: organ + spread(100, from: 1, over: 48, note),
        full { [0xE0 | UInt8($0 % 16), UInt8($0 & 127), UInt8($0 >> 5 & 127)] }),
      stream("2,700 controller resets", full { [0xB0 | UInt8($0 % 16), 121, 0] }),
      stream("2,700 bends, no note", after: [], full { [0xE0 | UInt8($0 % 16), 0, 64] }),
      stream("2,700 note ends, no note", after: [], full { [0x80, UInt8($0 % 128), 0] }),
      stream(
        "2,700 pitches, 256 held", full { [0xB0, [101, 100, 6, 38][$0 % 4], UInt8($0 % 4 / 2)] }),
      stream("2,700 pedals", full { [0xB0 | UInt8($0 / 2 % 16), 64, UInt8($0 % 2 * 127)] }),
      stream("2,700 channels' notes off", full { [0xB0 | UInt8($0 % 16), 123, 0] }),
      stream(
        "2,700 pedals, no note", after: [],
        full { [0xB0 | UInt8($0 / 2 % 16), 64, UInt8($0 % 2 * 127)] }),
      stream("2,700 sounds off", full { [0xB0 | UInt8($0 % 16), 120, 0] }),
      stream("2,700 notes and sounds off", after: organ, full(silenced)),
      stream("2,700 sounds off between notes, 256 held", full(silenced)),
      stream("10 stages, sounds off between notes", on: .chain, full(silenced)),
      stream("10 stages, USB, sounds off between notes", on: .chain, usb(405, silenced)),
      stream("USB, sounds off between notes", usb(405, silenced)),
      stream("2,700 system resets", full { _ in [0xFF] }),
      stream("2,700 notes", after: organ, full(note)),
      stream("2,700 notes, 64 voices", on: .small, after: organ, full(note)),
      stream(
        "100 notes on a frame, 256 held",
        (0..<100).map { at(0, [0x90 | UInt8($0 % 16), UInt8(20 + $0), 100]) }),
      stream(
        "GM reset, then 64 notes",
        [at(0, gmReset)] + (0..<64).map { at($0, [0x90, UInt8(30 + $0), 100]) }),
      stream("GM reset, GS part", [at(0, gmReset), at(1, gsPart)]),
      stream("GS reset, GS part", [at(0, gsReset), at(1, gsPart)]),
      stream(
        "10 stages, first 10 notes", on: .chain, after: [],
        spread(10) { [0x90, UInt8(40 + $0), 100] }),
      stream(
        "10 stages, 2,700 notes", on: .chain, after: organ, full(note)),
      stream(
        "10 stages, arpeggio", on: .chain,
        after: organ
          + spread(120, from: 1, over: 24) {
            [0x90, UInt8(127 - $0), 9]
          }, full { [$0 % 2 == 0 ? 0x90 : 0x80, 2, 9] }),
      stream(
        "10 stages, all notes off", on: .chain, after: organ,
        full {
          $0 % 2 == 0
            ? [0x90 | UInt8($0 / 2 % 16), UInt8($0 / 2 % 128), 9]
            : [0xB0 | UInt8($0 / 2 % 16), 123, 0]
        }),
      stream(
        "10 stages, system resets between notes", on: .chain, after: organ, full(ended)),
      stream(
        "10 stages, USB, system resets between notes", on: .chain, after: organ, usb(405, ended)),
      stream(
        "12 notes a cycle, 256 held", usb(12, note)),
      stream("USB, notes", usb(405, note)),
      stream("USB, notes, controllers, bends", usb(405, mixed)),
      stream("USB, one key", after: [], usb(405) { _ in [0x99, 51, 1] }),
      stream(
        "live set, USB, programs", on: .liveSet,
        usb(405) { [0xC0 | UInt8($0 % 15), UInt8($0 % 128)] }),
      stream(
        "10 stages, USB, notes, controllers, bends", on: .chain, after: organ, usb(405, mixed)),
      stream("live set switch", on: .liveSet, [at(0, [0xCF, 1])]),
      stream(
        "live set, 4 switches", on: .liveSet,
        (0..<4).map { at($0 * 16, [0xCF, UInt8(1 + $0)]) }),
      stream("live set, 2,700 switches", on: .liveSet, full { [0xCF, UInt8($0 % 6)] }),
      stream(
        "live set, switches between notes", on: .liveSet,
        full { $0 % 2 == 0 ? note($0 / 2) : [0xCF, UInt8($0 / 2 % 6)] }),
      stream(
        "live set, switches of one synth", on: .liveSet, full { [0xCF, UInt8($0 % 2 * 6)] }),
    ]
}
