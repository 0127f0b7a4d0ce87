// Spectra of units for those who watch them.

import SessionModel
import UnitModel
import UnitRender

/// Taps of the units whose spectra are watched, with what was last seen of them.
///
/// One control thread at a time calls its methods.
final class SessionSpectra {
  private struct Seen {
    let unit: AudioUnit
    /// The number of recorded frames at the last look.
    var frameCount: Int
    let loudness: LoudnessMeter
  }

  private let taps = UnitTaps(begin: { $0.beginAudioTap() }, end: { $0.endAudioTap() })
  private var seen: [String: Seen] = [:]
  /// Made for a sample rate with the first look.
  private var spectrum: (sampleRate: Double, of: Spectrum)?

  var isWatching: Bool { !taps.tapped.isEmpty }

  /// Begins or continues to record these units, and ends for all others.
  /// - Thread: [control]
  func follow(_ units: [(id: String, unit: AudioUnit)]) {
    taps.follow(units)
    seen = seen.filter { taps.tapped[$0.key]?.unit === $0.value.unit }
  }

  /// Returns the spectra of the units that have rendered since the last call.
  ///
  /// - Parameter scopes: the ids of those whose frames are wanted too.
  /// - Thread: [control]
  func look(sampleRate: Double, scopes: Set<String>) -> [String: SpectrumReading.Unit] {
    if spectrum?.sampleRate != sampleRate {
      spectrum = (sampleRate, Spectrum(sampleRate: sampleRate))
      seen = [:]
    }
    guard let spectrum = spectrum?.of else { return [:] }
    var readings: [String: SpectrumReading.Unit] = [:]
    for (id, one) in taps.tapped {
      let end = one.tap.frameCount
      var seen =
        self.seen[id]
        ?? Seen(
          unit: one.unit, frameCount: end - spectrum.frameCount,
          loudness: LoudnessMeter(
            channels: min(2, one.unit.outputBusses.busses.first?.format.channelCount ?? 2),
            sampleRate: sampleRate))
      // Frames of a late look beyond these are left out.
      let new = min(end - seen.frameCount, AudioTap.mostFrames)
      let count = max(new, spectrum.frameCount)
      guard new > 0, let (left, right) = one.tap.frames(count, before: end) else { continue }
      seen.loudness.add(left.suffix(new), right.suffix(new))
      seen.frameCount = end
      self.seen[id] = seen
      let latest = (left.suffix(spectrum.frameCount), right.suffix(spectrum.frameCount))
      readings[id] = SpectrumReading.Unit(
        levels: spectrum.levels(latest.0, latest.1), rms: Self.rms(latest.0, latest.1),
        loudness: seen.loudness.reading,
        wave: scopes.contains(id)
          ? Scope.wave(latest.0, latest.1, sampleRate: sampleRate) : nil)
    }
    return readings
  }

  private static func rms(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Float {
    let sum = zip(left, right).reduce(into: Float(0)) { $0 += $1.0 * $1.0 + $1.1 * $1.1 }
    return UnitMeters.decibels((sum / Float(2 * left.count)).squareRoot())
  }
}

extension JackSession {
  private var spectrumWatches: [SessionWatch] {
    watches.compactMap(\.watch).filter { !$0.spectra.isEmpty }
  }

  /// Records the first outputs of the units whose spectra are watched, and sends these to the
  /// clients that watch them. Called twenty times a second.
  func reportSpectra() {
    let watches = spectrumWatches
    if watches.isEmpty && !spectra.isWatching { return }
    spectra.follow(plan.units.filter { unit in watches.contains { $0.spectra.contains(unit.id) } })
    guard spectra.isWatching, let host, let rendered = host.compiled else { return }
    let scopes = watches.reduce(into: Set()) { $0.formUnion($1.scopes) }
    let units = spectra.look(sampleRate: rendered.sampleRate, scopes: scopes)
    if units.isEmpty { return }
    let reading = SpectrumReading(frame: Int64(host.statistics.frame), units: units)
    for watch in watches { watch.report(reading) }
  }
}
