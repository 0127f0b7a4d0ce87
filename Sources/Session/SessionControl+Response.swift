// Responses of units.

import Configuration
import Platform
import SessionModel
import UnitModel

extension SessionControl {
  /// Returns the response of a unit with its current values.
  ///
  /// - Parameter points: frequencies in hertz or levels in decibels; empty for the usual ones.
  func response(of id: String, at points: [Double]) throws(SessionCommandError) -> SessionAnswer {
    let most = ResponseReading.most
    guard points.count <= most else {
      throw SessionCommandError("\(points.count) points of a response", accepted: "up to \(most)")
    }
    let unit = try unit(id)
    if let unit = unit as? any FrequencyResponding {
      try check(points, in: ResponseReading.frequencies, "0 to 1000000 Hz")
      return .response(
        ResponseReading(
          of: unit, atHertz: points.isEmpty ? ResponseReading.usualFrequencies : points))
    }
    if let unit = unit as? any LevelResponding {
      try check(points, in: ResponseReading.levels, "-200 to 100 dB")
      return .response(
        ResponseReading(
          of: unit, atDecibels: points.isEmpty ? ResponseReading.usualLevels : points))
    }
    let others = units.filter {
      $0.unit is any FrequencyResponding || $0.unit is any LevelResponding
    }
    throw SessionCommandError(
      "\(quoted(id)) has no response",
      accepted: others.isEmpty
        ? ["units that filter, and units whose gain depends on the level"] : others.map(\.id))
  }

  private func check(
    _ points: [Double], in range: ClosedRange<Double>, _ accepted: String
  ) throws(SessionCommandError) {
    if let wrong = points.first(where: { !range.contains($0) }) {
      throw SessionCommandError("a response at \(wrong.plainText)", accepted: accepted)
    }
  }
}
