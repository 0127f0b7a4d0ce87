// Conversion of JACK's notices, moments and statistics for a session.

import JackBackend
import Session

extension HostNotice {
  /// - Parameter own: the prefix of the session's full port names. Notices of these ports are
  ///   dropped, since they were registered before the first connection.
  init?(_ notice: JackNotice, own: String) {
    switch notice {
    case .shutdown(let reason): self = .shutdown(reason: reason)
    case .sampleRate(let rate): self = .sampleRate(rate)
    case .period(let frames): self = .period(frames)
    case .freewheel(let isFreewheeling): self = .freewheel(isFreewheeling)
    case .xrun: self = .xrun
    case .portRegistered(let port):
      if port.hasPrefix(own) { return nil }
      self = .portArrived(port)
    case .connected: self = .connected
    }
  }
}

extension HostMoment {
  init(_ moment: JackMoment) {
    self.init(
      unixMicroseconds: moment.unixMicroseconds, frame: moment.frame,
      sampleRate: moment.sampleRate, nextFrame: moment.nextFrame)
  }
}

extension HostStatistics {
  init(_ counted: JackStatistics) {
    self.init(
      cycles: counted.cycles, xruns: counted.xruns, period: counted.period, frame: counted.frame,
      counts: [
        HostCount(
          text: "xruns (cycles that were not finished in time)", number: counted.xruns),
        HostCount(text: "cycles that the server skipped", number: counted.skippedCycles),
        HostCount(
          text: "MIDI events that found no room in a unit's list", number: counted.midiInputRefused),
        HostCount(
          text: "MIDI events that found no room in a port", number: counted.midiOutputRefused),
        HostCount(text: "MIDI messages that were malformed", number: counted.malformedMIDI),
      ]
        + counted.lostMIDI.map { port, count in
          HostCount(
            text: "\(port): MIDI events lost in JACK's buffer, because its sources send too many",
            number: count, isReportedOnce: true)
        })
  }
}
