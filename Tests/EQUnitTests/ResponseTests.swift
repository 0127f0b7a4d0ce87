// What the equalizer does to sines.

import DSP
import EQUnit
import Foundation
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct ResponseTests {
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
        #expect(abs(measured - expected) < 0.01, "\(figure.band) at \(hertz) Hz, \(figure.rate)")
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

  /// How far the response may be from the formula, as docs/Configuration.md has it: with the band
  /// up to a quarter of the rate, and above.
  static let promised: [(kinds: [EqualizerBandKind], low: Double, high: Double)] = [
    ([.lowShelf, .highShelf], 0.05, 0.15), ([.lowPass, .resonantLowPass], 0.25, 0.25),
    ([.parametric], 0.3, 0.5), ([.highPass], 0.1, 0.8), ([.bandPass], 0.5, 1),
    ([.bandStop, .resonantLowShelf, .resonantHighShelf], 0.5, 1.1),
    ([.resonantHighPass], 0.8, 4),
  ]

  @Test func theResponseKeepsToTheFormulaUpTo20kHz() throws {
    for (kinds, low, high) in Self.promised {
      for kind in kinds {
        var worst = (low: 0.0, high: 0.0)
        let gains = kind.hasGain ? [-12.0, -3, 6, 12] : [0]
        let isShelf = kind == .resonantLowShelf || kind == .resonantHighShelf
        for octaves in isShelf ? [1.0, 2, 3] : [0.2, 1, 3] {
          for decibels in gains {
            for place in 0...14 {
              let hertz = 20 * pow(1000, Double(place) / 14)
              let band = Self.band(kind, hertz, decibels, octaves)
              let response = EqualizerResponse(bands: [band], sampleRate: 48_000)
              for step in 0...100 {
                let at = 20 * pow(1000, Double(step) / 100)
                let expected = Self.formula(band, atHertz: at)
                guard expected > -40 else { continue }
                let measured = 20 * log10(response.magnitude(atHertz: at))
                let error = abs(measured - expected)
                if hertz <= 12_000 { worst.low = max(worst.low, error) }
                worst.high = max(worst.high, error)
              }
            }
          }
        }
        #expect(worst.low < low, "\(kind)")
        #expect(worst.high < high, "\(kind)")
      }
    }
  }

  /// A narrow one rings by its formula; zeros that came to lie on the unit circle rang 40 dB more.
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

  @Test func whatAViewDrawsIsWhatIsHeard() throws {
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
      // The gain has come to rest.
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

  @Test func aBiquadForOtherProgramsHasTheSameResponse() {
    for figure in Figure.all {
      let (b0, b1, b2, a1, a2) = figure.band.biquad(sampleRate: figure.rate)
      for (hertz, expected) in zip(figure.hertz, figure.decibels) where expected > -60 {
        let angle = 2 * Double.pi * hertz / figure.rate
        let over = hypot(
          b0 + b1 * cos(angle) + b2 * cos(2 * angle), b1 * sin(angle) + b2 * sin(2 * angle))
        let under = hypot(
          1 + a1 * cos(angle) + a2 * cos(2 * angle), a1 * sin(angle) + a2 * sin(2 * angle))
        #expect(abs(20 * log10(over / under) - expected) < 0.01, "\(figure.band) at \(hertz) Hz")
      }
    }
  }
}

extension EqualizerBandKind {
  var hasGain: Bool {
    [.parametric, .lowShelf, .highShelf, .resonantLowShelf, .resonantHighShelf].contains(self)
  }
}
