// Sounds that need no files.

import AuricleHost
import Foundation

enum Sounds {
  static let sampleRate = 48_000.0

  /// A tone whose frequency moves from `start` to `end`.
  static func sweep(from start: Double, to end: Double, seconds: Double) throws -> AudioClip {
    var phase = 0.0
    let frames = Int(seconds * sampleRate)
    let samples = (0..<frames).map { frame -> Float in
      phase += (start + (end - start) * Double(frame) / Double(frames)) / sampleRate
      return Float(0.3 * sin(2 * .pi * phase))
    }
    return try AudioClip([samples], sampleRate: sampleRate)
  }

  /// A tone that decays like that of a struck object.
  static func strike(hertz: Double, seconds: Double, every: Double? = nil) throws -> AudioClip {
    let frames = Int((every ?? seconds) * sampleRate)
    let samples = (0..<frames).map { frame -> Float in
      let time = Double(frame) / sampleRate
      return Float(0.5 * exp(-time * 6 / seconds) * sin(2 * .pi * hertz * time))
    }
    return try AudioClip([samples], sampleRate: sampleRate)
  }

  /// Notes one after the other.
  static func melody(_ notes: [Double], seconds: Double) throws -> AudioClip {
    let parts = try notes.map { try strike(hertz: $0, seconds: 2 * seconds, every: seconds) }
    return try AudioClip([parts.flatMap { $0.channels[0] }], sampleRate: sampleRate)
  }
}

extension ScheduledPlayerUnit {
  /// Plays a sound after all that is scheduled, and waits until it has been heard.
  func playOut(_ clip: AudioClip, options: ScheduleOptions = []) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      do {
        try schedule(clip, options: options, reporting: .heard) { _ in done.resume() }
      } catch { done.resume(throwing: error) }
    }
  }
}
