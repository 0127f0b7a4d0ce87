// Running a probe.

import JackBackend
import Session
import SessionModel

/// A measurement of the latencies of a JACK instrument's notes.
public enum Probe {
  /// Plays the notes in real time and reports their latencies.
  ///
  /// - Parameters:
  ///   - server: the server's name; nil for the default.
  ///   - progress: called ten times a second with the part that is done, 0 to 1.
  ///   - isCancelled: called as often; if it returns true, the report covers the notes until then.
  /// - Throws: `SessionError`.
  /// - Thread: [control]
  public static func run(
    _ options: ProbeOptions, server: String? = nil, progress: (Double) -> Void,
    isCancelled: () -> Bool
  ) throws(SessionError) -> ProbeReport {
    let probe = try wrap(SessionError.jack) { () throws(JackError) in
      try InstrumentProbe(midi: options.midi, audio: options.audio, server: server) {
        options.plan(sampleRate: $0, period: $1)
      }
    }
    probe.start()
    while probe.progress < 1 && !isCancelled() {
      guard probe.waitForCycle() else {
        throw .serverGone(reason: "no cycle for 5 seconds")
      }
      progress(probe.progress)
    }
    return ProbeReport(probe.finish(), options)
  }
}
