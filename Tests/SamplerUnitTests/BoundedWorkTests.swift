// The cost of a flood is bounded, and none of its events is lost.

import Foundation
import TestSupport
import Testing

@testable import SamplerUnit

@Suite struct BoundedWorkTests {
  private static let gmReset: [UInt8] = [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]
  private static let gsReset: [UInt8] = [
    0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7,
  ]
  private static let rhythmPart: [UInt8] = [
    0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x13, 0x15, 0x01, 0x17, 0xF7,
  ]

  @Test func notesOfADenseFrameAreLateButAllPlayed() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    let one = try rig.play([0x90, 20, 127]).last!
    _ = try rig.play([0xB0, 120, 0])
    rig["polyphony"] = 512
    _ = try rig.render(256)
    let midi: [(Int, [UInt8])] = (0..<400).map {
      (10, [0x90 | UInt8($0 / 100), UInt8($0 % 100), 127])
    }
    let output = try rig.render(8192, midi, period: 64).left
    #expect(abs(output.last! / one - 400) < 0.1)
    #expect(rig.unit.deferredEvents > 0 && rig.unit.lostEvents == 0)
    #expect((1...2_000).contains(rig.unit.longestDelayFrames))
  }

  @Test func deferredEventsAreTheSameAtEveryPeriod() async throws {
    var random = SeededRandom(seed: 3)
    var midi: [(Int, [UInt8])] = (0..<1_500).map { index in
      let frame = 1_000 + index / 3
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return (frame, [0xE0, 0, UInt8.random(in: 0...127, using: &random)])
      case 1: return (frame, [0xB0, 121, 0])
      case 2 where index % 40 == 0: return (frame, Self.gmReset)
      default:
        return (
          frame,
          [
            UInt8.random(in: 0x80...0x9F, using: &random),
            UInt8.random(in: 40...80, using: &random), 100,
          ]
        )
      }
    }
    midi += (0..<16).map { (20_000, [0xB0 | UInt8($0), 123, 0]) }
    var first: [Float]?
    for period in [4096, 1000, 64, 17] {
      let rig = try await SamplerRig.playing(font: .ensemble)
      let output = try rig.render(40_000, midi, period: period).left
      #expect(rig.unit.deferredEvents > 0 && rig.unit.lostEvents == 0)
      #expect(firstDifference(first ?? output, output) == nil, "period \(period)")
      first = output
    }
    #expect(peakDecibels(first!) > -30)
  }

  @Test func manyResetsAreOne() async throws {
    for reset in [[0xFF], Self.gmReset, Self.gsReset] {
      let rig = try await SamplerRig.playing(program: 1)
      _ = try rig.play([0x90, 60, 127])
      var midi: [(Int, [UInt8])] = []
      for _ in 0..<700 { midi += [(0, reset), (0, Self.rhythmPart)] }
      midi.append((0, [0x90, 60, 127]))
      let output = try rig.render(256, midi, period: 64).left
      #expect(output.last! > 0.01)
      #expect(rig.unit.longestDelayFrames <= 192 && rig.unit.lostEvents == 0)
    }
  }

  @Test func notesThatWaitDoNotOutliveAllSoundOff() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    var midi: [(Int, [UInt8])] = (0..<1_600).map {
      (10, [0x90 | UInt8($0 % 16), UInt8($0 / 16), 127])
    }
    midi += (0..<16).map { (20, [0xB0 | UInt8($0), 120, 0]) }
    midi.append((30, [0x90, 60, 127]))
    let output = try rig.render(4_096, midi, period: 64).left
    let one = try rig.play([0xB0, 120, 0], [0x90, 60, 127]).last!
    #expect(output[512...].allSatisfy { abs($0 - one) < 0.01 })
    #expect(rig.unit.lostEvents == 0 && rig.unit.longestDelayFrames < 512)
  }

  @Test func notesBehindAResetAreOnTheirFrames() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    let held: [(Int, [UInt8])] = (0..<20).map { (0, [0x90, UInt8($0), 100]) }
    let chord: [(Int, [UInt8])] = (0..<6).map { (2_000, [0x90, 60 + UInt8($0), 100]) }
    _ = try rig.render(4_096, held + [(2_000, Self.gmReset)] + chord, period: 64)
    #expect(rig.unit.lateNotes == 0 && rig.unit.deferredEvents == 0)
  }

  @Test func aChannelThatGSMakesPercussionIsSoOnEverySynth() async throws {
    let rig = try await SamplerRig.playing()
    _ = try rig.render(256, [(0, Self.gsReset), (10, Self.rhythmPart)])
    let notes: [(Int, [UInt8])] = (0..<8).map { ($0 * 997, [0x92, 60, 127]) }
    let output = try rig.render(8192, notes).left
    for (frame, _) in notes {
      let part = Array(output[frame + 100..<frame + 900])
      #expect(abs(frequency(of: part)! / 960 - 1) < 0.02, "frame \(frame)")
    }
  }

  @Test func aFileThatBeginsWithResetsHasItsNotesOnTheirFrames() async throws {
    let rig = try await SamplerRig.playing(program: 1)
    var midi: [(Int, [UInt8])] = [(0, Self.gmReset), (0, Self.rhythmPart)]
    for note in 0..<20 { midi.append((2_000 + note * 333, [0x91, 40 + UInt8(note), 100])) }
    _ = try rig.render(16_384, midi, period: 64)
    #expect(rig.unit.lateNotes == 0)
  }
}
