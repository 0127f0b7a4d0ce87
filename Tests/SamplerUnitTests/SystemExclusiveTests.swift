// SysEx for the whole device and for its parts: volume, pan, pitch.

import Foundation
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit

/// Messages in devices' formats.
enum DeviceMessage {
  /// Roland's "data set 1", with the checksum.
  static func gs(_ address: [UInt8], _ data: [UInt8]) -> [UInt8] {
    let sum = (address + data).reduce(0) { $0 + Int($1) }
    return [0xF0, 0x41, 0x10, 0x42, 0x12] + address + data + [UInt8((128 - sum % 128) % 128), 0xF7]
  }

  static func xg(_ address: [UInt8], _ data: [UInt8]) -> [UInt8] {
    [0xF0, 0x43, 0x10, 0x4C] + address + data + [0xF7]
  }

  /// Device control of GM, in real time.
  static func control(_ number: UInt8, _ value: Int) -> [UInt8] {
    [0xF0, 0x7F, 0x7F, 4, number, UInt8(value % 128), UInt8(value / 128), 0xF7]
  }

  static let resets: [[UInt8]] = [
    [0xFF], [0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0xF0, 0x7E, 0x7F, 9, 3, 0xF7],
    gs([0x40, 0, 0x7F], [0]), xg([0, 0, 0x7E], [0]),
  ]
}

@Suite struct SystemExclusiveTests {
  /// Pitch of the rig's sine for a key, in cents above key 60.
  private func pitch(_ rig: SamplerRig, key: UInt8 = 60, channel: UInt8 = 0) throws -> Double {
    let output = try rig.play([0x90 | channel, key, 127], frames: 24_000)
    _ = try rig.play([0xB0 | channel, 120, 0])
    return cents(output, above: Pitch.sine)
  }

  private func level(_ rig: SamplerRig, channel: UInt8 = 0) throws -> Double {
    let output = try rig.render(8192, [(0, [0x90 | channel, 60, 127])])
    _ = try rig.play([0xB0 | channel, 120, 0])
    return max(
      peakDecibels(Array(output.left.suffix(2000))), peakDecibels(Array(output.right.suffix(2000))))
  }

  // MARK: The device

  static let volumes: [([UInt8], Double)] = [
    (DeviceMessage.control(1, 8192), -12.04), (DeviceMessage.control(1, 16_383), 0),
    (DeviceMessage.gs([0x40, 0, 4], [64]), -11.90), (DeviceMessage.gs([0x40, 0, 4], [127]), 0),
    (DeviceMessage.xg([0, 0, 4], [32]), -23.95),
  ]

  @Test(arguments: volumes)
  func aMasterVolumeIsTheSquareOfItsValueUntilAReset(message: [UInt8], decibels: Double)
    async throws
  {
    for reset in DeviceMessage.resets {
      let rig = try await SamplerRig.playing(program: 1)
      let full = try level(rig)
      _ = try rig.play(message)
      #expect(abs(try level(rig) - full - decibels) < 0.1)
      // The volume outlasts another SoundFont and a restart.
      try await rig.unit.load(soundFont: rig.font, program: 1)
      try rig.stop()
      try rig.start()
      #expect(abs(try level(rig) - full - decibels) < 0.1)
      _ = try rig.play(reset)
      #expect(abs(try level(rig) - full) < 0.1, "\(reset)")
    }
  }

  @Test func aMasterVolumeTakesEffectOnItsFrame() async throws {
    let volume = DeviceMessage.control(1, 8192)
    let (plain, early, late) = (
      try await SamplerRig.playing(program: 1), try await SamplerRig.playing(program: 1),
      try await SamplerRig.playing(program: 1)
    )
    let note: (Int, [UInt8]) = (777, [0x90, 60, 127])
    let reference = try plain.render(8192, [note]).left
    // Before a note the volume causes no step in it.
    let soft = try early.render(8192, [(777, volume), note]).left
    let factor = Float(8192.0 / 16_383) * Float(8192.0 / 16_383)
    #expect(zip(soft, reference).allSatisfy { abs($0 - $1 * factor) < 1e-6 })
    // During a note the volume changes linearly over 20 ms.
    let ramp = try late.render(8192, [note, (3001, volume)]).left
    #expect(ramp[..<3001] == reference[..<3001] && ramp[3001] < reference[3001])
    #expect(ramp[3400] < 0.8 * reference[3400] && ramp[3400] > 0.5 * reference[3400])
    #expect(abs(ramp[3961] - reference[3961] * factor) < 1e-6)
  }

  @Test func aBypassedUnitStaysSilentAtAnyMasterVolume() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    _ = try rig.play([0x90, 60, 127])
    rig.unit.shouldBypassEffect = true
    _ = try rig.play(DeviceMessage.control(1, 12_000))
    #expect(try rig.render(64).left == Signal.silence(frames: 64))
    rig.unit.shouldBypassEffect = false
    #expect(try rig.render(4096).left.last! > 0.01)
  }

  static let tunings: [([UInt8], Double)] = [
    (DeviceMessage.control(3, 8192 + 4096), 50), (DeviceMessage.control(4, (64 + 12) * 128), 1200),
    (DeviceMessage.control(4, (64 - 5) * 128), -500),
    (DeviceMessage.gs([0x40, 0, 0], [0, 4, 15, 10]), 25),
    (DeviceMessage.gs([0x40, 0, 5], [0x47]), 700),
    (DeviceMessage.xg([0, 0, 0], [0, 3, 9, 12]), -10),
    (DeviceMessage.xg([0, 0, 6], [0x34]), -1200),
    // Several addresses in one message.
    (DeviceMessage.gs([0x40, 0, 0], [0, 4, 15, 10, 100, 0x47]), 725),
  ]

  @Test(arguments: tunings)
  func masterTuningMovesAllThatIsNoPercussion(message: [UInt8], wanted: Double) async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play([0x90, 60, 127])
    let sounding = try rig.render(24_000, [(0, message)]).left
    #expect(abs(cents(sounding, above: Pitch.sine) - wanted) < 1)
    _ = try rig.play([0xB0, 120, 0])
    for channel: UInt8 in [0, 3, 15] {
      #expect(abs(try pitch(rig, channel: channel) - wanted) < 1)
    }
    #expect(abs(try pitch(rig, channel: 9) - 1200) < 1)
    // Also on synths that have not played yet, and on those of another SoundFont.
    let chord = try rig.render(24_000, [(13, [0x90, 60, 127]), (37, [0x91, 60, 127])]).left
    #expect(abs(cents(chord, above: Pitch.sine) - wanted) < 1)
    _ = try rig.play([0xB0, 120, 0], [0xB1, 120, 0])
    try await rig.unit.reload()
    #expect(abs(try pitch(rig) - wanted) < 1)
    // The unit's own parameters add to it.
    rig["transpose"] = -2
    #expect(abs(try pitch(rig) - wanted + 200) < 1)
    rig["transpose"] = 0
    for reset in DeviceMessage.resets {
      _ = try rig.play(message)
      _ = try rig.play(reset)
      #expect(abs(try pitch(rig)) < 1, "\(reset)")
    }
  }

  // MARK: Parts

  @Test func levelAndPanOfPartsAreTheControllersOfTheirChannels() async throws {
    for (channel, part): (UInt8, UInt8) in [(0, 0x11), (9, 0x10), (10, 0x1A)] {
      let (rig, other) = (try await SamplerRig.playing(), try await SamplerRig.playing())
      let messages: [([UInt8], [UInt8], UInt8, UInt8)] = [
        (
          DeviceMessage.gs([0x40, part, 0x19], [64]), DeviceMessage.xg([8, channel, 11], [64]), 7,
          64
        ),
        (
          DeviceMessage.gs([0x40, part, 0x1C], [90]), DeviceMessage.xg([8, channel, 14], [90]), 10,
          90
        ),
        (
          DeviceMessage.gs([0x40, part, 0x21], [50]), DeviceMessage.xg([8, channel, 18], [50]), 93,
          50
        ),
        (
          DeviceMessage.gs([0x40, part, 0x22], [51]), DeviceMessage.xg([8, channel, 19], [51]), 91,
          51
        ),
      ]
      for (gs, xg, controller, value) in messages {
        for message in [gs, xg] {
          let note: [UInt8] = [0x90 | channel, 60, 127]
          let output = try rig.render(4096, [(0, message), (5, note)])
          let wanted = try other.render(
            4096, [(0, [0xB0 | channel, controller, value]), (5, note)])
          #expect(output.left == wanted.left && output.right == wanted.right)
          let states = rig.unit.bay.channels
          #expect(states[Int(channel)].pointee.controllers[Int(controller)] == value)
          for rig in [rig, other] {
            _ = try rig.play([0xB0 | channel, 120, 0], [0xB0 | channel, controller, 100])
          }
        }
      }
      #expect(rig.unit.ignoredMessages == 0)
    }
  }

  static let shifts: [([UInt8], Double)] = [
    (DeviceMessage.gs([0x40, 0x13, 0x16], [0x45]), 500),
    (DeviceMessage.xg([8, 2, 8], [0x28]), -2400),
    // In hertz: key 60 has 261.63 Hz.
    (DeviceMessage.gs([0x40, 0x13, 0x17], [11, 2]), 1200 * log2(1 + 5 / 261.6256)),
    (DeviceMessage.xg([8, 2, 9], [1, 12]), 1200 * log2(1 - 10 / 261.6256)),
  ]

  @Test(arguments: shifts)
  func tuningOfPartsMovesTheirChannelAlone(message: [UInt8], wanted: Double) async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play([0x92, 60, 127])
    let sounding = try rig.render(24_000, [(0, message)]).left
    #expect(abs(cents(sounding, above: Pitch.sine) - wanted) < 1)
    _ = try rig.play([0xB2, 120, 0])
    #expect(abs(try pitch(rig, channel: 2) - wanted) < 1)
    #expect(abs(try pitch(rig, channel: 1)) < 1)
    // Reset All Controllers keeps it, and a synth that has not played yet has it too.
    let next = try rig.render(24_000, [(0, [0xB2, 121, 0]), (13, [0x92, 60, 127])]).left
    #expect(abs(cents(next, above: Pitch.sine) - wanted) < 1)
    _ = try rig.play([0xFF])
    #expect(abs(try pitch(rig, channel: 2)) < 1)
  }

  @Test func aDetunedKeyIsSoManyHertzAwayWhereverItLies() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.play(DeviceMessage.xg([8, 0, 9], [14, 4]))
    #expect(abs(try pitch(rig, key: 72) - 1200 - 1200 * log2(1 + 10 / 523.2511)) < 1)
    #expect(abs(try pitch(rig, key: 48) + 1200 - 1200 * log2(1 + 10 / 130.8128)) < 1)
    // The same applies if tuning of the whole device moves the key.
    _ = try rig.play(DeviceMessage.gs([0x40, 0, 5], [0x4C]))
    #expect(abs(try pitch(rig, key: 60) - 1200 - 1200 * log2(1 + 10 / 523.2511)) < 1)
  }

  @Test func shiftsAddUpToTwoOctavesAndLeaveRoomForBends() async throws {
    let rig = try await SamplerRig.playing(font: .sine(periodFrames: 1000))
    _ = try rig.play(
      DeviceMessage.gs([0x40, 0, 5], [0x58]), DeviceMessage.gs([0x40, 0x11, 0x16], [0x58]))
    let shifted = try rig.play([0x90, 60, 127], frames: 48_000)
    #expect(abs(cents(shifted, above: 48) - 2400) < 1)
    // 24 semitones of coarse tuning, and a bend of two.
    let bent = try rig.play(
      [0xB0, 101, 0], [0xB0, 100, 2], [0xB0, 6, 88], [0xB0, 100, 0], [0xB0, 6, 96],
      [0xE0, 127, 127], frames: 48_000)
    #expect(abs(cents(bent, above: 48) - 5000) < 5)
    _ = try rig.play(
      DeviceMessage.gs([0x40, 0, 5], [0x40]), DeviceMessage.gs([0x40, 0x11, 0x16], [0x40]))
    let freed = try rig.render(48_000).left
    // FluidSynth treats 128 as the full range of 127.
    #expect(abs(cents(freed, above: 48) - 2400 - 2399 * 127 / 128) < 5)
  }

  // MARK: Messages not executed

  @Test func ignoredMessagesForThisDeviceAreCounted() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    let full = try level(rig)
    var wrong = DeviceMessage.gs([0x40, 0, 4], [0])
    wrong[wrong.count - 2] ^= 1
    let ignored: [[UInt8]] = [
      wrong, DeviceMessage.gs([0x40, 1, 0x30], [4]), DeviceMessage.gs([0x40, 0x11, 0x1C], [0]),
      DeviceMessage.xg([2, 1, 0], [1, 0]), DeviceMessage.control(2, 0), DeviceMessage.control(5, 0),
      [0xF0, 0x7E, 0x7F, 9, 2, 0xF7], [0xF0, 0x7E, 0x7F, 8, 0, 1, 0xF7],
      [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0xF7],
    ]
    for (index, message) in ignored.enumerated() {
      _ = try rig.play(message)
      #expect(rig.unit.ignoredMessages == index + 1, "\(message)")
    }
    #expect(rig.unit.firstIgnoredMessage == [0x41, 0x10, 0x42, 0x12, 0x40, 0, 4])
    // For other devices, or irrelevant to a sampler.
    for message: [UInt8] in [
      [0xF0, 0x41, 0x11, 0x42, 0x12, 0x40, 0, 4, 0, 0x3C, 0xF7],
      [0xF0, 0x43, 0x11, 0x4C, 0, 0, 4, 0, 0xF7],
      [0xF0, 0x7F, 3, 4, 1, 0, 0, 0xF7], [0xF0, 0x7E, 0x7F, 6, 1, 0xF7],
      [0xF0, 0x7F, 0x7F, 6, 2, 0xF7],
      [0xF0, 0x41, 0x10, 0x45, 0x12, 0x10, 0, 0, 65, 0x2F, 0xF7],
      [0xF0, 0x7D, 1, 2, 3, 4, 5, 0xF7],
    ] {
      _ = try rig.play(message)
    }
    #expect(rig.unit.ignoredMessages == ignored.count)
    #expect(abs(try level(rig) - full) < 0.1)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func anyOfThemSoundTheSameAtAnyPeriodAndLeaveNoNoteStuck(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let piece = DeviceMessage.piece(&random)
    var outputs: [[Float]] = []
    for period in [4096, 64, 441] {
      let rig = try await SamplerRig.playing()
      outputs.append(try rig.render(24_000, piece, period: period).left)
      let end: [(Int, [UInt8])] = (0..<16).map { (0, [0xB0 | UInt8($0), 120, 0]) }
      _ = try rig.render(4096, end)
      #expect(try rig.render(64).left == Signal.silence(frames: 64))
      #expect(rig.unit.switches.value(of: .nonFiniteCycles) == 0 && rig.unit.lostEvents == 0)
    }
    #expect(outputs[1] == outputs[0] && outputs[2] == outputs[0])
  }
}

extension DeviceMessage {
  /// Notes, modes and all supported SysEx messages, on any frame.
  fileprivate static func piece(_ random: inout SeededRandom) -> [(Int, [UInt8])] {
    func byte(_ range: ClosedRange<UInt8> = 0...127) -> UInt8 { .random(in: range, using: &random) }
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }
    var piece: [(Int, [UInt8])] = []
    for _ in 0..<160 {
      let channel = byte(0...2)
      let message: [UInt8] =
        switch byte(0...15) {
        case 0...5: [0x90 | channel, byte(40...80), 100]
        case 6: [0x80 | channel, byte(40...80), 0]
        case 7: [0xB0 | channel, [64, 65, 68, 126, 127].randomElement(using: &random)!, byte()]
        case 8: gs([0x40, 0x11 + channel, byte(0x15...0x22)], bytes(Int(byte(1...3))))
        case 9: gs([0x40, 0, byte(0...6)], bytes(Int(byte(1...6))))
        case 10: xg([8, channel, byte(7...20)], bytes(Int(byte(1...4))))
        case 11: [0xF0, 0x7F, 0x7F, 4, byte(1...5)] + bytes(2) + [0xF7]
        case 12: [0xF0, byte(0x7E...0x7F), 0x7F, 8, 8, 3, 127, 127] + bytes(12) + [0xF7]
        case 13: [0xF0, byte(0x7E...0x7F), 0x7F, 8, 2, byte(0...1), 2] + bytes(8) + [0xF7]
        case 14: [0xB0 | channel, [6, 100, 101].randomElement(using: &random)!, byte(0...4)]
        default: [0xE0 | channel, 0, byte()]
        }
      piece.append((Int.random(in: 0..<23_000, using: &random), message))
    }
    return piece.sorted { $0.0 < $1.0 }
  }
}
