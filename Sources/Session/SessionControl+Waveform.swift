// Waveforms of units.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Returns the waveform of the recording that a unit plays.
  func waveform(of id: String) throws(SessionCommandError) -> Outcome {
    guard let unit = try unit(id) as? any WaveformProviding else {
      let others = units.filter { $0.unit is any WaveformProviding }.map(\.id)
      throw SessionCommandError(
        "\(quoted(id)) has no waveform",
        accepted: others.isEmpty ? ["units that play a file"] : others)
    }
    return later("waveform of \(id)", .none) { .waveform(try unit.waveform()) }
  }
}
