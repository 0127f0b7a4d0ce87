// Responses of the equalizer.

import DSP
import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct EQResponseTests {
  /// A unit with these bands.
  static func unit(_ bands: [Equalizer.Band], rate: Double = 48_000) throws -> EQUnit {
    let unit = try EQUnit(bandCount: bands.count)
    for (band, settings) in zip(unit.bands, bands) {
      band.kind = settings.kind
      band.frequency = Float(settings.frequencyHertz)
      band.gain = Float(settings.gainDecibels)
      band.bandwidth = Float(settings.bandwidthOctaves)
      band.bypass = settings.isBypassed
    }
    try unit.allocate(channels: 1, sampleRate: rate)
    return unit
  }

  static func band(
    _ kind: EqualizerBandKind, _ hertz: Double, _ decibels: Double = 0, _ octaves: Double = 1
  ) -> Equalizer.Band {
    var band = Equalizer.Band()
    band.kind = kind
    band.frequencyHertz = hertz
    band.gainDecibels = decibels
    band.bandwidthOctaves = octaves
    return band
  }

  /// The gain of a response to an impulse at a frequency, in decibels.
  static func decibels(_ response: [Float], atHertz hertz: Double, rate: Double) -> Double {
    let step = 2 * Double.pi * hertz / rate
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in response.enumerated() where sample != 0 {
      real += Double(sample) * cos(step * Double(frame))
      imaginary -= Double(sample) * sin(step * Double(frame))
    }
    return 20 * log10(max(hypot(real, imaginary), 1e-12))
  }

  static func impulseResponse(_ unit: EQUnit, seconds: Double = 1.5) throws -> [Float] {
    let rate = unit.outputBusses[0].format.sampleRate
    return try DirectHost(unit).run(
      [Signal.impulse(frames: Int(seconds * rate))], periods: .fixed(1024))[0]
  }

  @Test func everyKindHasTheResponseThatAnotherProgramWorkedOut() throws {
    for figure in Figure.all {
      let unit = try Self.unit([figure.band], rate: figure.rate)
      let response = try Self.impulseResponse(unit)
      for (hertz, expected) in zip(figure.hertz, figure.decibels) where expected > -60 {
        let measured = Self.decibels(response, atHertz: hertz, rate: figure.rate)
        #expect(abs(measured - expected) < 0.05, "\(figure.band) at \(hertz) Hz, \(figure.rate)")
      }
    }
  }

  /// |H(s)|² of the table in `EqualizerBandKind`, in decibels.
  static func formula(_ band: Equalizer.Band, atHertz hertz: Double) -> Double {
    let w = pow(hertz / band.frequencyHertz, 2)
    let plain: [EqualizerBandKind] = [.lowPass, .highPass, .lowShelf, .highShelf]
    let b = band.bandwidthOctaves
    let d = plain.contains(band.kind) ? 2.0.squareRoot() : pow(2, b / 2) - pow(2, -b / 2)
    let a = pow(10, band.gainDecibels / 40)
    let root = a.squareRoot()
    func square(_ c2: Double, _ c1: Double, _ c0: Double) -> Double {
      pow(c0 - c2 * w, 2) + c1 * c1 * w
    }
    let ratio =
      switch band.kind {
      case .parametric: square(1, a * d, 1) / square(1, d / a, 1)
      case .lowPass, .resonantLowPass: 1 / square(1, d, 1)
      case .highPass, .resonantHighPass: w * w / square(1, d, 1)
      case .bandPass: d * d * w / square(1, d, 1)
      case .bandStop: square(1, 0, 1) / square(1, d, 1)
      case .lowShelf, .resonantLowShelf: a * a * square(1, root * d, a) / square(a, root * d, 1)
      case .highShelf, .resonantHighShelf:
        a * a * square(a, root * d, 1) / square(1, root * d, a)
      }
    return 10 * log10(max(ratio, 1e-30))
  }

  /// The greatest deviation of the response from the formula in decibels, by docs/Effects.md.
  static func promised(_ band: Equalizer.Band) -> Double {
    let isResonantShelf = band.kind == .resonantLowShelf || band.kind == .resonantHighShelf
    return isResonantShelf && band.bandwidthOctaves < 1 ? 0.1 : 0.05
  }

  /// A random band. Values at the ends of the ranges are more frequent than others.
  static func anyBand(
    _ kind: EqualizerBandKind, using random: inout SeededRandom
  ) -> Equalizer.Band {
    func end(_ values: ClosedRange<Double>) -> Double {
      min(max(.random(in: -0.1...1.1, using: &random), 0), 1)
        * (values.upperBound - values.lowerBound) + values.lowerBound
    }
    let hertz = Bool.random(using: &random) ? 20 * pow(1000, end(0...1)) : end(5000...20_000)
    return band(kind, hertz, end(-96...24), 0.05 * pow(100, end(0...1)))
  }

  @Test(arguments: EqualizerBandKind.allCases, [44_100.0, 48_000, 96_000])
  func theResponseKeepsToTheFormulaUpTo20kHz(kind: EqualizerBandKind, rate: Double) throws {
    var random = SeededRandom(seed: 8)
    for _ in 0..<250 {
      let band = Self.anyBand(kind, using: &random)
      let response = EqualizerResponse(bands: [band], sampleRate: rate)
      var worst = (error: 0.0, hertz: 0.0)
      for step in 0...120 {
        let part = Double(step) / 120
        let near = min(max(band.frequencyHertz * (0.8 + 0.4 * part), 20), 20_000)
        for hertz in [20 * pow(1000, part), 20_000 * part + 20 * (1 - part), near] {
          let expected = Self.formula(band, atHertz: hertz)
          guard expected > -60 else { continue }
          let error = abs(20 * log10(response.magnitude(atHertz: hertz)) - expected)
          if error > worst.error { worst = (error, hertz) }
        }
      }
      #expect(worst.error < Self.promised(band), "\(band) at \(worst.hertz) Hz")
    }
  }

  /// A narrow shelf rings as its formula does; it rang 40 dB more with zeros on the unit circle.
  @Test(arguments: [EqualizerBandKind.resonantLowShelf, .resonantHighShelf])
  func aNarrowShelfRingsLittleMoreThanItsFormula(kind: EqualizerBandKind) {
    let frequencies = (0...20_000).map { 20 * pow(1190, Double($0) / 20_000) }
    for (hertz, octaves) in [(7200.0, 0.05), (7200, 0.1), (11_200, 0.05), (14_000, 0.2)] {
      for decibels in [6.0, 12, 24, -12] {
        let band = Self.band(kind, hertz, decibels, octaves)
        let response = EqualizerResponse(bands: [band], sampleRate: 48_000)
        let heard = frequencies.map { 20 * log10(response.magnitude(atHertz: $0)) }.max()!
        let stated = frequencies.map { Self.formula(band, atHertz: $0) }.max()!
        #expect(heard < stated + 12, "\(hertz) Hz, \(decibels) dB, \(octaves) octaves")
      }
    }
  }

  @Test func theDrawnCurveMatchesTheSound() throws {
    var random = SeededRandom(seed: 4)
    for _ in 0..<10 {
      let bands = (0..<7).map { _ in
        var band = Self.band(
          EqualizerBandKind.allCases.randomElement(using: &random)!,
          .random(in: 100...19_000, using: &random), .random(in: -12...12, using: &random),
          .random(in: 0.3...4, using: &random))
        band.isBypassed = Int.random(in: 0..<4, using: &random) == 0
        return band
      }
      let unit = try Self.unit(bands)
      unit.parameterTree.parameter(keyPath: "gain")?.value = 6
      // Lets the gain settle.
      _ = try DirectHost(unit).run([Signal.silence(frames: 2000)])
      let response = try Self.impulseResponse(unit)
      for hertz in [60.0, 250, 1000, 3300, 9000, 20_000] {
        let drawn = 20 * log10(unit.magnitudes(atHertz: [hertz])[0])
        guard drawn > -60 else { continue }
        let heard = Self.decibels(response, atHertz: hertz, rate: 48_000)
        #expect(abs(drawn - heard) < 0.01, "\(hertz) Hz")
      }
    }
  }

  @Test func aFlatBandChangesNoBit() throws {
    let noise = Signal.noise(frames: 5000, seed: 5)
    for kind in EqualizerBandKind.allCases where kind.hasGain {
      let unit = try Self.unit([Self.band(kind, 60, 0, 0.1), Self.band(kind, 9000)])
      #expect(firstBitDifference(try DirectHost(unit).run([noise])[0], noise) == nil)
    }
  }

  @Test func aCutUndoesTheSameBoost() throws {
    let noise = Signal.noise(frames: 5000, seed: 6, amplitude: 0.1)
    for kind in EqualizerBandKind.allCases where kind.hasGain {
      for hertz in [50.0, 1000, 15_000] {
        let unit = try Self.unit([
          Self.band(kind, hertz, 12, 1.3), Self.band(kind, hertz, -12, 1.3),
        ])
        let output = try DirectHost(unit).run([noise])[0]
        let worst = zip(output, noise).map { abs($0 - $1) }.max()!
        #expect(worst < 1e-6, "\(kind), \(hertz) Hz")
      }
    }
  }

  @Test func biquadsForOtherProgramsHaveTheSameResponse() {
    func decibels(_ biquad: Equalizer.Band.Biquad, _ angle: Double) -> Double {
      let (b0, b1, b2, a1, a2) = biquad
      let over = hypot(
        b0 + b1 * cos(angle) + b2 * cos(2 * angle), b1 * sin(angle) + b2 * sin(2 * angle))
      let under = hypot(
        1 + a1 * cos(angle) + a2 * cos(2 * angle), a1 * sin(angle) + a2 * sin(2 * angle))
      return 20 * log10(over / under)
    }
    for figure in Figure.all {
      let (main, trim) = figure.band.biquads(sampleRate: figure.rate)
      for (hertz, expected) in zip(figure.hertz, figure.decibels) where expected > -60 {
        let angle = 2 * Double.pi * hertz / figure.rate
        let measured = decibels(main, angle) + decibels(trim, angle)
        #expect(abs(measured - expected) < 0.05, "\(figure.band) at \(hertz) Hz")
      }
    }
  }

  /// Covers rates of which 20 kHz is more than half, and rates far above.
  @Test func nothingRingsUpAtAnyRate() throws {
    var random = SeededRandom(seed: 12)
    for rate in [8000.0, 22_050, 32_000, 40_000, 192_000, 384_000] {
      for kind in EqualizerBandKind.allCases {
        for _ in 0..<100 {
          let band = Self.anyBand(kind, using: &random)
          let response = EqualizerResponse(bands: [band], sampleRate: rate)
          let heard = (0...200).map {
            20 * log10(response.magnitude(atHertz: rate / 2 * Double($0) / 200))
          }
          let worst = heard.max()!
          // A resonance of 0.05 octaves is 29 dB above the rest, and up to 24 dB are set.
          #expect(worst < 66 && !heard.contains { $0.isNaN }, "\(band) at \(rate) Hz: \(worst)")
        }
      }
    }
  }
}

extension EqualizerBandKind {
  var hasGain: Bool {
    [.parametric, .lowShelf, .highShelf, .resonantLowShelf, .resonantHighShelf].contains(self)
  }
}
