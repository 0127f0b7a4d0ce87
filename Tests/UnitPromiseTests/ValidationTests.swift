// Units that come with Auricle keep what `auricle validate` checks, warnings included.

import Effects
import MIDIEffectUnit
import MixerUnit
import Testing
import UnitModel
import UnitValidation

@Suite struct ValidationTests {
  /// Effects in one channel and as they are made; others as they are made.
  static let kinds: [EffectKind] =
    EffectKind.all.map { kind in
      EffectKind(name: "\(kind.name), one channel") {
        let unit = try kind.make()
        let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
        for bus in unit.inputBusses.busses + unit.outputBusses.busses { try bus.setFormat(format) }
        return unit
      }
    } + [
      EffectKind(name: "tone") { try ToneUnit() },
      EffectKind(name: "mixer") { try MixerUnit() },
      EffectKind(name: "midi") { try MIDIEffectUnit() },
    ]

  /// A process of its own tells what is left behind, and RealtimeSanitizer what waits.
  static let checks = UnitCheck.allCases.filter { ![.memory, .realtime].contains($0) }

  /// What does not apply, by what is said of it.
  private static let exceptions = [
    "it takes no MIDI", "it has no audio input", "it is no effect", "it has no factory presets",
    "no parameter can be scheduled",
    // Of a low-pass.
    "its output is too different from its input to compare them",
  ]

  @Test(arguments: kinds, checks)
  func aUnitKeepsWhatUnitsPromise(kind: EffectKind, check: UnitCheck) {
    // Without the flush of denormals, so that silence is what the unit itself makes of them.
    let result = UnitValidator(flushesDenormals: false, make: kind.make).run(check)
    // A number of things has no unit.
    let findings = result.findings.filter { $0.message != "it does not say what its values count" }
    #expect(findings.isEmpty, "\(findings)")
    if let reason = result.reason { #expect(Self.exceptions.contains(reason)) }
  }
}
