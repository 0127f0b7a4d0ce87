// Settings that change while keys are held: once all keys are up, no note is left. A failing chain
// is printed in reduced form.

import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender

@Suite struct MovedChainTests {
  /// Seeds of chains that failed in longer runs than the ordinary suite.
  private static let failedOnce: [UInt64] = [45_324, 66_957]

  @Test(arguments: seeds(300) + failedOnce)
  func noKeySticksIfParametersMoveWhileKeysAreHeld(seed: UInt64) {
    let chain = MovedChain.random(seed: seed)
    guard chain.fault() != nil else { return }
    let small = shrunk(chain, \.events) { $0.fault() }
    Issue.record(
      """
      seed \(seed), \(small.kinds.map { "\($0)" }.joined(separator: " > ")), \
      \(small.isEdited ? "player" : "chain"), \(small.ending): \(small.fault() ?? "")
      \(small.events.map { "\($0)" }.joined(separator: "\n"))
      """)
  }

  /// A controller turns an echo's bypass on before the first press of a key, and off before the
  /// second.
  @Test(arguments: [false, true], seeds(40))
  func aKeyPressedAroundAnEchoAndThenThroughItIsNotLeft(isEdited: Bool, seed: UInt64) {
    let messages: [[UInt8]] = [
      [0xB0, 24, 127], [0x90, 60, 64], [0xB0, 24, 0], [0x90, 60, 64], [0x80, 60, 64],
      [0x80, 60, 64],
    ]
    let chain = echo(behind: nil, isEdited: isEdited, messages, seed: seed)
    #expect(chain.fault() == nil)
  }

  /// Chords of 60 and 64 share a key: the second release belongs to the note around the echo.
  @Test(arguments: [[0x80, 60, 64], [0x80, 64, 64]] as [[UInt8]], seeds(10))
  func chordsThatShareAKeyAroundAnEchoAndThroughItAreNotLeft(release: [UInt8], seed: UInt64) {
    let messages: [[UInt8]] = [
      [0xB0, 24, 127], [0x90, 60, 64], [0xB0, 24, 0], [0x90, 64, 64], release,
    ]
    // The other key is released after these messages.
    #expect(echo(behind: .chord, isEdited: true, messages, seed: seed).fault() == nil)
  }

  private func echo(
    behind kind: MIDIStageKind?, isEdited: Bool, _ messages: [[UInt8]], seed: UInt64
  ) -> MovedChain {
    let rig = ChainRig([.controller] + (kind.map { [$0] } ?? []) + [.echo])
    let bypass = MIDIChainTarget.number(ofAddress: rig.address("echo.bypass"))!
    var settings: [(String, Float)] = [
      ("controller.source", 1), ("controller.sourceController", 24), ("controller.target", 5),
      ("controller.parameter", Float(bypass)), ("echo.delay", 15), ("echo.repeats", 3),
      ("echo.velocity", 87), ("echo.semitones", -5),
    ]
    if kind == .chord { settings.append(("chord.play", 1)) }
    var random = SeededRandom(seed: seed)
    var frame: FrameTime = 0
    return MovedChain(
      rig.kinds, isEdited: isEdited,
      settings.map { rig.set($0, $1) }
        + messages.map { message in
          frame += FrameTime.random(in: 0...(seed == 0 ? 0 : 20_000), using: &random)
          return .midi(message, at: frame)
        })
  }

  /// The scale ends the first note of key 61 at its second release, as it did not let the second
  /// press in. That note then passes through the channel stage, that of key 60 around it.
  @Test func aNoteThatANoteOffOfAnotherPressEndsIsNotLeftBehind() {
    let rig = ChainRig([.scale, .channel])
    let chain = MovedChain(
      rig.kinds,
      [
        rig.set("scale.scale", 1), rig.set("channel.map.1", 2), .midi([0x90, 61, 1], at: 1),
        rig.set("scale.mode", 3, at: 2), .midi([0x90, 61, 1], at: 2),
        rig.set("channel.bypass", 1, at: 3), .midi([0x90, 60, 1], at: 3),
        .midi([0x80, 61, 1], at: 4), .midi([0x80, 61, 1], at: 5), .midi([0x80, 60, 1], at: 6),
      ])
    #expect(chain.fault() == nil)
  }
}
