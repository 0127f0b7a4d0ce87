// Auricle's own units pass the checks of `auricle validate`, warnings included.

import Effects
import MIDIEffectUnit
import MixerUnit
import Testing
import UnitModel
import UnitValidation

@Suite struct ValidationTests {
  /// Effects with one channel, and other units with their default formats.
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

  /// All checks but two: leaks need a separate process, and waiting is found by RealtimeSanitizer.
  static let checks = UnitCheck.allCases.filter { ![.memory, .realtime].contains($0) }

  /// Reasons for which a check does not apply.
  private static let exceptions = [
    "it takes no MIDI", "it has no audio input", "it is no effect", "it has no factory presets",
    "no parameter can be scheduled",
    // The reason for a low-pass.
    "its output is too different from its input to compare them",
  ]

  @Test(arguments: kinds, checks)
  func aUnitKeepsTheCommonPromises(kind: EffectKind, check: UnitCheck) {
    // Denormals are not flushed, so that silent output is the unit's own work.
    let result = UnitValidator(flushesDenormals: false, make: kind.make).run(check)
    // Values that count things have no unit.
    let findings = result.findings.filter { $0.message != "it does not say what its values count" }
    #expect(findings.isEmpty, "\(findings)")
    if let reason = result.reason { #expect(Self.exceptions.contains(reason)) }
  }
}
