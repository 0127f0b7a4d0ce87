// Latencies of ports.

import CJack

extension JackTestClient {
  /// The least and the greatest latency of a port, in frames; nil if it does not exist.
  ///
  /// - Parameter isCapture: whether to return the capture latency, from the signal's source to the
  ///   port. If not, the playback latency.
  public func latency(of port: String, isCapture: Bool) -> ClosedRange<Int>? {
    guard let port = jack_port_by_name(handle, port) else { return nil }
    var range = jack_latency_range_t()
    jack_port_get_latency_range(
      port, isCapture ? JackCaptureLatency : JackPlaybackLatency, &range)
    return Int(range.min)...Int(max(range.min, range.max))
  }
}
