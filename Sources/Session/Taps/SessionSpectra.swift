// Spectra of units for those who watch them.

import SessionModel
import UnitModel
import UnitRender

/// Taps of the units whose spectra are watched, with what was last seen of them.
///
/// One control thread at a time calls its methods.
final class SessionSpectra {
  private let taps = UnitTaps(begin: { $0.beginAudioTap() }, end: { $0.endAudioTap() })
  /// The number of recorded frames at the last look, by the ids of the units.
  private var seen: [String: Int] = [:]
  /// Made for a sample rate with the first look.
  private var spectrum: (sampleRate: Double, of: Spectrum)?

  var isWatching: Bool { !taps.tapped.isEmpty }

  /// Begins or continues to record these units, and ends for all others.
  /// - Thread: [control]
  func follow(_ units: [(id: String, unit: AudioUnit)]) {
    taps.follow(units)
    seen = seen.filter { taps.tapped[$0.key] != nil }
  }

  /// Returns the spectra of the units that have rendered since the last call.
  /// - Thread: [control]
  func look(sampleRate: Double) -> [String: [Float]] {
    if spectrum?.sampleRate != sampleRate {
      spectrum = (sampleRate, Spectrum(sampleRate: sampleRate))
    }
    guard let spectrum = spectrum?.of else { return [:] }
    var spectra: [String: [Float]] = [:]
    for (id, one) in taps.tapped {
      let count = one.tap.frameCount
      guard seen[id] != count, let frames = one.tap.latest(spectrum.frameCount) else { continue }
      seen[id] = count
      spectra[id] = spectrum.levels(frames.left, frames.right)
    }
    return spectra
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
    let units = spectra.look(sampleRate: rendered.sampleRate)
    if units.isEmpty { return }
    let reading = SpectrumReading(frame: Int64(host.statistics.frame), units: units)
    for watch in watches { watch.report(reading) }
  }
}
