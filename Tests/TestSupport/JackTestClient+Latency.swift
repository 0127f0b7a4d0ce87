// What ports tell of latency.

import CJack

extension JackTestClient {
  /// The least and the greatest latency of a port, in frames.
  ///
  /// - Parameter isCapture: whether that of where its signal comes from; otherwise of where it
  ///   goes.
  public func latency(of port: String, isCapture: Bool) -> ClosedRange<Int>? {
    guard let port = jack_port_by_name(handle, port) else { return nil }
    var range = jack_latency_range_t()
    jack_port_get_latency_range(
      port, isCapture ? JackCaptureLatency : JackPlaybackLatency, &range)
    return Int(range.min)...Int(max(range.min, range.max))
  }
}
