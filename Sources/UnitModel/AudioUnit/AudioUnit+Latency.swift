// A unit's latency in frames.

import UnitRender

extension AudioUnit {
  /// `latency` in whole frames at the rate of the unit's busses.
  ///
  /// - Throws: `AudioUnitError.failed` for a latency that cannot be compensated.
  /// - Thread: [control]
  package var latencyFrames: Int {
    get throws(AudioUnitError) {
      let seconds = latency
      let frames = (seconds * sampleRate).rounded()
      guard frames >= 0 && frames <= Double(AlignmentDelay.maximumFrames) else {
        throw .failed(
          "its latency is \(seconds) seconds; 0 to \(AlignmentDelay.maximumFrames) frames can be"
            + " compensated")
      }
      return Int(frames)
    }
  }
}
