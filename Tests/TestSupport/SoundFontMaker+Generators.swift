// SoundFont generators of a zone's properties.
import Foundation

/// Generator numbers of the SoundFont 2.01 specification, section 8.1.2.
enum Generator {
  static let pan: UInt16 = 17
  static let delayVolume: UInt16 = 33
  static let attackVolume: UInt16 = 34
  static let holdVolume: UInt16 = 35
  static let decayVolume: UInt16 = 36
  static let releaseVolume: UInt16 = 38
  static let instrument: UInt16 = 41
  static let keyRange: UInt16 = 43
  static let velocityRange: UInt16 = 44
  static let attenuation: UInt16 = 48
  static let sample: UInt16 = 53
  static let sampleModes: UInt16 = 54
  static let scaleTuning: UInt16 = 56
  static let exclusiveClass: UInt16 = 57
}

extension SoundFontMaker.Zone {
  /// The generators in the specification's order: ranges first, the sample last.
  func generators(sampleIndex: Int) -> [(number: UInt16, amount: UInt16)] {
    var list: [(number: UInt16, amount: UInt16)] = [
      (Generator.keyRange, UInt16(keys.lowerBound) | UInt16(keys.upperBound) << 8),
      (
        Generator.velocityRange,
        UInt16(velocities.lowerBound) | UInt16(velocities.upperBound) << 8
      ),
      (Generator.pan, signed(panPercent * 10)),
      (Generator.delayVolume, timecents(0)),
      (Generator.attackVolume, timecents(attackSeconds)),
      (Generator.holdVolume, timecents(0)),
      (Generator.decayVolume, timecents(0)),
      (Generator.releaseVolume, timecents(releaseSeconds, least: -12_000)),
      (Generator.attenuation, signed(attenuationDecibels * 10)),
      (Generator.sampleModes, sample.loop == nil ? 0 : 1),
    ]
    if !tracksKey { list.append((Generator.scaleTuning, 0)) }
    if exclusiveClass != 0 { list.append((Generator.exclusiveClass, exclusiveClass)) }
    return list + extraGenerators + [(Generator.sample, UInt16(sampleIndex))]
  }

  /// 1200·log2(seconds), at least −12,000; `least` for 0 seconds: −32,768 means no time.
  private func timecents(_ seconds: Double, least: Double = -32_768) -> UInt16 {
    signed(seconds <= 0 ? least : max(-12_000, 1_200 * log2(seconds)))
  }

  private func signed(_ value: Double) -> UInt16 {
    UInt16(bitPattern: Int16(value.rounded()))
  }
}
