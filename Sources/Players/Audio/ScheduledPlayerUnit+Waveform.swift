// The waveform of a player's file.

import Files
import FoundationEssentials
import Glibc
import MediaFiles
public import UnitModel

extension ScheduledPlayerUnit: WaveformProviding {
  /// Waveforms are kept until the file changes.
  struct KeptWaveform: Sendable {
    let path: String
    let stamp: FileStamp
    let waveform: Waveform
  }

  /// Returns the waveform of the file that a configuration names; nil for a player without one.
  ///
  /// - Throws: `AudioFileError`
  public func waveform() throws -> Waveform? {
    guard let file = schedule.withLock({ $0.contentFile })?.url else { return nil }
    let stamp = FileStamp(path: file.path)
    // A pipe was read once, and cannot be read again.
    if stamp?.isRegular == false { return nil }
    // Pages that ask at the same time wait for one reading.
    return try keptWaveform.withLock { kept in
      if let known = kept, known.path == file.path, known.stamp == stamp { return known.waveform }
      let waveform = try Self.waveform(of: file)
      kept = stamp.map { KeptWaveform(path: file.path, stamp: $0, waveform: waveform) }
      return waveform
    }
  }

  private static func waveform(of file: URL) throws(AudioFileError) -> Waveform {
    let reader = try AudioFileReader(contentsOf: file)
    let piece = 32_768
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: piece * reader.channelCount)
    defer { memory.deallocate() }
    let channels = (0..<reader.channelCount).map { memory + $0 * piece }
    var (peaks, frames, count) = (PeakCollector(), 0, piece)
    let wait = FileWait.current
    while count == piece {
      guard !wait.isAbandoned() else {
        let reason = "\(SystemError(number: ECANCELED))"
        throw .cannotRead(
          file: file.path, seconds: Double(frames) / reader.sampleRate, reason: reason)
      }
      count = try reader.read(into: channels, frameCount: piece)
      for frame in 0..<count {
        var greatest: Float = 0
        for channel in channels { greatest = max(greatest, abs(channel[frame])) }
        peaks.add(greatest)
      }
      frames += count
    }
    return Waveform(seconds: Double(frames) / reader.sampleRate, peaks: peaks.result)
  }
}
