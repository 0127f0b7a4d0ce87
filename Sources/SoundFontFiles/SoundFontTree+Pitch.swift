// Limits of the pitch that a SoundFont plays.

import Glibc

/// Limits of a zone's pitch.
///
/// FluidSynth steps round a sample's loop one turn at a time, and each turn takes time. A loop of a
/// few frames far above all hearing would take longer than it plays. So the sum of all that raises
/// a zone's pitch is limited: generators of instrument and presets, modulators, low-frequency
/// oscillators, envelope, and all 128 keys, since a glide may start anywhere.
enum PitchBound {
  /// Turns of a loop in a second of sound. In tune the highest key takes 12,544 for each wave in
  /// the loop; the most found in a SoundFont is an eighth of this.
  static let turnsPerSecond = 4_000_000.0
  /// Frames of the sample for one frame of sound.
  static let increment = 65_536.0
  /// Cents above the sample's own pitch.
  static let cents = 19_200
}

extension SoundFontTree {
  private struct Reference {
    let preset: Int
    let zone: Int
  }

  /// Limits the pitch of zones: first its modulation, then its shifts. If that is not enough, the
  /// sample plays without its loop, and at last lower.
  ///
  /// - Parameter lowestSampleRate: the lowest rate that FluidSynth renders at, in hertz.
  mutating func boundPitches(lowestSampleRate: Double) {
    let greatestSpeed = PitchBound.increment * lowestSampleRate
    var references = [[Reference]](repeating: [], count: instruments.count)
    for (preset, owner) in presets.enumerated() {
      for (zone, content) in owner.zones.enumerated() {
        if let target = content.target {
          references[target].append(Reference(preset: preset, zone: zone))
        }
      }
    }
    for index in instruments.indices where !references[index].isEmpty {
      bound(index, references[index], greatestSpeed)
    }
  }

  private mutating func bound(_ index: Int, _ references: [Reference], _ greatestSpeed: Double) {
    var part = presetPart(references)
    var isPresetHeld = false
    for zone in instruments[index].zones.indices {
      guard let sample = sample(of: instruments[index].zones[zone]) else { continue }
      let old = instruments[index].zones[zone]
      holdEnd(&instruments[index].zones[zone], global(of: instruments[index]), sample)
      if isBearable(index, zone, sample, part, greatestSpeed) { continue }
      for step in Step.allCases where !isBearable(index, zone, sample, part, greatestSpeed) {
        if step == .presets {
          for reference in references where !isPresetHeld { holdPreset(reference) }
          isPresetHeld = true
          part = presetPart(references)
        } else {
          hold(step, index, zone)
        }
      }
      warn("instrument", instruments[index].name, old, instruments[index].zones[zone])
    }
  }

  /// Clears offsets of the end by which a compressed sample would end within its first frames: it
  /// lies at the beginning of its memory.
  private func holdEnd(
    _ zone: inout SoundFontZone, _ global: SoundFontZone?, _ sample: Sample
  ) {
    guard let frames = sample.decodedFrames else { return }
    let numbers = [GeneratorNumber.endOffset, GeneratorNumber.endCoarseOffset]
    let offsets = numbers.map { zone[$0] ?? global?[$0] ?? 0 }
    if frames + offsets[0] + 32_768 * offsets[1] > 8 { return }
    for number in numbers { zone.set(number, 0) }
  }

  private enum Step: CaseIterable {
    case modulation, presets, scale, tuning, loop, rootKey
  }

  private mutating func hold(_ step: Step, _ index: Int, _ zone: Int) {
    let global = global(of: instruments[index])
    func limit(_ number: UInt16, _ range: ClosedRange<Int>, _ zone: inout SoundFontZone) {
      if let value = zone[number] ?? global?[number], !range.contains(value) {
        zone.set(number, min(max(value, range.lowerBound), range.upperBound))
      }
    }
    switch step {
    case .modulation:
      for zone in Set([zone, global == nil ? zone : 0]).sorted() {
        instruments[index].zones[zone] = withoutPitchModulators(
          instruments[index].zones[zone], instruments[index].name)
      }
      for number in GeneratorNumber.depths {
        limit(number, -1_200...1_200, &instruments[index].zones[zone])
      }
    case .presets: break
    case .scale: limit(GeneratorNumber.scaleTuning, 0...100, &instruments[index].zones[zone])
    case .tuning:
      limit(GeneratorNumber.coarseTuning, -24...24, &instruments[index].zones[zone])
      limit(GeneratorNumber.fineTuning, -100...100, &instruments[index].zones[zone])
    case .loop: instruments[index].zones[zone].set(GeneratorNumber.sampleModes, 0)
    case .rootKey: instruments[index].zones[zone].set(GeneratorNumber.rootKey, 127)
    }
  }

  private mutating func holdPreset(_ reference: Reference) {
    let name = presets[reference.preset].name
    for zone in Set([reference.zone, 0]).sorted() {
      let old = presets[reference.preset].zones[zone]
      presets[reference.preset].zones[zone] = withoutPitchModulators(old, name)
      for (number, bound) in [
        (GeneratorNumber.modulationLFOToPitch, 1_200), (GeneratorNumber.vibratoLFOToPitch, 1_200),
        (GeneratorNumber.envelopeToPitch, 1_200), (GeneratorNumber.coarseTuning, 24),
        (GeneratorNumber.fineTuning, 100), (GeneratorNumber.scaleTuning, 0),
      ] {
        if let value = old[number], abs(value) > bound {
          presets[reference.preset].zones[zone].set(number, value < 0 ? -bound : bound)
        }
      }
      warn("preset", name, old, presets[reference.preset].zones[zone])
    }
  }

  private mutating func withoutPitchModulators(
    _ zone: SoundFontZone, _ name: String
  ) -> SoundFontZone {
    var held = zone
    held.modulators.removeAll { GeneratorNumber.isPitch($0.destination) }
    if held.modulators.count < zone.modulators.count {
      warnings.add("'\(name)', zone \(zone.number): left out modulators of pitch that go too far")
    }
    return held
  }
}

extension SoundFontTree {
  /// The most that the presets of an instrument add to the pitch of its zones.
  private struct PresetPart {
    var low: [UInt16: Int] = [:]
    var high: [UInt16: Int] = [:]
    var reach: [UInt16: Int] = [:]
  }

  private func presetPart(_ references: [Reference]) -> PresetPart {
    var part = PresetPart()
    for reference in references {
      let owner = presets[reference.preset]
      let zone = owner.zones[reference.zone]
      for number in GeneratorNumber.pitches {
        guard let value = zone[number] ?? owner.global?[number] else { continue }
        part.low[number] = min(part.low[number] ?? 0, value)
        part.high[number] = max(part.high[number] ?? 0, value)
      }
      part.reach.merge(reach(zone, owner.global)) { max($0, $1) }
    }
    return part
  }

  /// Returns the summed reach of the modulators of each generator of pitch.
  private func reach(_ zone: SoundFontZone, _ global: SoundFontZone?) -> [UInt16: Int] {
    var reach: [UInt16: Int] = [:]
    for modulator in zone.modulators + (global?.modulators ?? [])
    where GeneratorNumber.isPitch(modulator.destination) {
      reach[modulator.destination, default: 0] += modulator.reach
    }
    return reach
  }

  private func sample(of zone: SoundFontZone) -> Sample? {
    zone.target.flatMap { samples[$0].isPlayable ? samples[$0] : nil }
  }

  /// FluidSynth takes a first zone without a playable sample for the global one.
  private func global(of instrument: Owner) -> SoundFontZone? {
    instrument.zones.first.flatMap { sample(of: $0) == nil ? $0 : nil }
  }

  /// - Parameter greatestSpeed: the most frames of a sample that FluidSynth plays in a second.
  private func isBearable(
    _ index: Int, _ zone: Int, _ sample: Sample, _ part: PresetPart, _ greatestSpeed: Double
  ) -> Bool {
    let global = global(of: instruments[index])
    let zone = instruments[index].zones[zone]
    let cents = cents(zone, global, sample, part)
    if cents > PitchBound.cents { return false }
    let speed = exp2(Double(cents) / 1_200) * Double(sample.rate)
    if speed > greatestSpeed { return false }
    let modes = zone[GeneratorNumber.sampleModes] ?? global?[GeneratorNumber.sampleModes] ?? 0
    if modes != 1 && modes != 3 { return true }
    guard let loop = loopFrames(zone, global, sample) else { return false }
    return loop < 2 || speed <= PitchBound.turnsPerSecond * Double(loop)
  }

  /// Returns the highest pitch above the sample's own, in cents.
  private func cents(
    _ zone: SoundFontZone, _ global: SoundFontZone?, _ sample: Sample, _ part: PresetPart
  ) -> Int {
    func value(_ number: UInt16, _ standard: Int = 0) -> Int {
      zone[number] ?? global?[number] ?? standard
    }
    let own = reach(zone, global)
    func change(_ number: UInt16) -> Int { (own[number] ?? 0) + (part.reach[number] ?? 0) }
    let key = value(GeneratorNumber.rootKey, -1)
    let root = 100 * (key > -1 ? key : sample.rootKey) - sample.correction
    let scale = value(GeneratorNumber.scaleTuning, 100)
    let scales = [
      scale + (part.low[GeneratorNumber.scaleTuning] ?? 0),
      scale + (part.high[GeneratorNumber.scaleTuning] ?? 0),
    ]
    var cents = scales.flatMap { scale in [0, 12_700].map { scale * ($0 - root) / 100 } }.max()!
    func high(_ number: UInt16) -> Int { value(number) + (part.high[number] ?? 0) }
    cents += 100 * (high(GeneratorNumber.coarseTuning) + change(GeneratorNumber.coarseTuning))
    cents += high(GeneratorNumber.fineTuning) + change(GeneratorNumber.fineTuning)
    cents += change(GeneratorNumber.pitch)
    for number in GeneratorNumber.depths {
      // The envelope moves the pitch one way, oscillators both. FluidSynth's own modulators make a
      // vibrato of 100 cents.
      let low = value(number) + (part.low[number] ?? 0)
      let depth = number == GeneratorNumber.envelopeToPitch ? high(number) : max(high(number), -low)
      cents += min(max(depth, 0) + change(number) + 100, 12_000)
    }
    return cents
  }

  /// Length in frames of the loop that FluidSynth makes of the sample's positions and the zone's
  /// offsets; nil if it cannot go round it. It cannot within its first frames or at the end of its
  /// memory.
  private func loopFrames(
    _ zone: SoundFontZone, _ global: SoundFontZone?, _ sample: Sample
  ) -> Int? {
    func offset(_ fine: UInt16, _ coarse: UInt16) -> Int {
      (zone[fine] ?? global?[fine] ?? 0) + 32_768 * (zone[coarse] ?? global?[coarse] ?? 0)
    }
    let isCompressed = sample.decodedFrames != nil
    let (start, end) = (isCompressed ? 0 : sample.start, sample.decodedFrames ?? sample.end)
    let limit = isCompressed ? end : sampleFrames
    // Positions in order; those outside the sample data become the sample's own bounds.
    var loop = [sample.loopStart, sample.loopEnd].sorted()
    for index in 0...1 where loop[index] < start || loop[index] > limit {
      loop[index] = index == 0 ? start : end
    }
    loop[0] += offset(GeneratorNumber.loopStartOffset, GeneratorNumber.loopStartCoarseOffset)
    loop[1] += offset(GeneratorNumber.loopEndOffset, GeneratorNumber.loopEndCoarseOffset)
    let places = loop.map { min(max($0, start), end) }
    let frames = abs(places[1] - places[0])
    let isWithin = !isCompressed || max(places[0], places[1]) > 8
    return isWithin && (frames > 2 || max(places[0], places[1]) < end) ? frames : nil
  }
}
