// Limits of a SoundFont's size.

import Glibc

/// Limits of a SoundFont's demands on FluidSynth, estimated before FluidSynth gets the file.
///
/// The limits lie far below demands of minutes or gigabytes, and far above SoundFonts in use. The
/// largest of Debian has 720 pairs of zones in a preset, and 8 voices a note.
enum SoundFontLimits {
  /// All presets that MIDI can select: 128 programs of 128 banks, and of percussion.
  static let presets = 129 * 128
  static let instruments = 16_384
  static let samples = 16_384
  /// FluidSynth keeps 64 of them.
  static let modulatorsPerZone = 1_024
  /// Pairs of a preset's zone and an instrument's zone. FluidSynth walks over a preset's pairs at
  /// each note.
  static let pairsPerPreset = 16_384
  static let pairs = 1_000_000
  /// Voices that one note begins.
  static let voicesPerNote = 64
  /// Bytes of decompressed samples.
  static let decodedBytes = 2 << 30
  /// Steps along FluidSynth's lists while it loads, of a nanosecond or two each.
  static let steps = 2_000_000_000

  /// Bytes that FluidSynth allocates for a zone, and for a pair of zones.
  static let zoneBytes = 2_400
  static let pairBytes = 96

  /// Memory available to programs, in bytes; nil if the system does not say.
  static var availableBytes: Int? {
    guard let file = fopen("/proc/meminfo", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("MemAvailable:") else { continue }
      return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
    }
    return nil
  }
}

/// Estimated memory of a SoundFont in FluidSynth, in bytes.
package struct SoundFontSize: Sendable {
  /// Samples, shared by all fonts of the same file.
  package let samples: Int
  /// Records, separate for each font.
  package let records: Int
}

extension SoundFontTree {
  /// - Throws: `SoundFontError.tooLarge`, with the limit.
  @discardableResult
  func checkSize(
    _ layout: SoundFontLayout, availableBytes: Int? = SoundFontLimits.availableBytes
  ) throws(SoundFontError) -> SoundFontSize {
    try check(presets.count, SoundFontLimits.presets, "presets")
    try check(instruments.count, SoundFontLimits.instruments, "instruments")
    try check(samples.count, SoundFontLimits.samples, "samples")
    let decoded = decodedFrames
    try check(
      decoded, SoundFontLimits.decodedBytes / 2, "frames when its samples are decompressed")
    let counts = instruments.map { $0.zones.count { $0.target != nil } }
    var (pairs, steps) = (0, 0)
    for preset in presets {
      let own = preset.zones.reduce(0) { $0 + ($1.target.map { counts[$0] } ?? 0) }
      try check(
        own, SoundFontLimits.pairsPerPreset, "pairs of zones in its preset '\(preset.name)'")
      pairs += own
      for case let instrument? in preset.zones.map(\.target) {
        steps += counts[instrument] * counts[instrument] / 2 + instruments.count / 2
      }
      try checkVoices(preset, pairs: own)
    }
    try check(pairs, SoundFontLimits.pairs, "pairs of zones")
    steps += presets.count * presets.count + instruments.count * instruments.count / 2
    steps += counts.reduce(0, +) * samples.count / 2
    try check(
      steps, SoundFontLimits.steps,
      "steps to load its \(presets.count) presets, \(counts.reduce(0, +)) zones and "
        + "\(samples.count) samples")
    let zones = presets.reduce(0) { $0 + $1.zones.count } + counts.reduce(0, +)
    let stored = layout.samples.count + layout.lowBytes.count
    let records = zones * SoundFontLimits.zoneBytes + pairs * SoundFontLimits.pairBytes
    let bytes = (layout.isCompressed ? 2 * decoded : 0) + stored + records
    if let availableBytes {
      try check(bytes >> 20, availableBytes >> 20, "MiB of memory, with what is free just now")
    }
    return SoundFontSize(samples: layout.isCompressed ? 2 * decoded : stored, records: records)
  }

  private func check(
    _ count: Int, _ limit: Int, _ what: @autoclosure () -> String
  ) throws(SoundFontError) {
    guard count <= limit else {
      throw .tooLarge(path: path, reason: "\(count) \(what()); at most \(limit)")
    }
  }

  /// Checks the count of voices of a note: its zones with a common key and velocity.
  private func checkVoices(_ preset: Owner, pairs: Int) throws(SoundFontError) {
    if pairs <= SoundFontLimits.voicesPerNote { return }
    var counts = [Int32](repeating: 0, count: 128 * 128)
    for zone in preset.zones {
      guard let target = zone.target, let outer = zone.range else { continue }
      for inner in instruments[target].zones {
        guard inner.target != nil, let range = inner.range,
          range.keys.overlaps(outer.keys), range.velocities.overlaps(outer.velocities)
        else { continue }
        let velocities = range.velocities.clamped(to: outer.velocities)
        for key in range.keys.clamped(to: outer.keys) {
          // Marks the ends of a run of velocities; they are summed up below.
          counts[key * 128 + velocities.lowerBound] += 1
          if velocities.upperBound < 127 { counts[key * 128 + velocities.upperBound + 1] -= 1 }
        }
      }
    }
    for key in 0..<128 {
      var voices: Int32 = 0
      for velocity in 0..<128 {
        voices += counts[key * 128 + velocity]
        try check(
          Int(voices), SoundFontLimits.voicesPerNote,
          "voices for key \(key) at velocity \(velocity) of its preset '\(preset.name)'")
      }
    }
  }
}
