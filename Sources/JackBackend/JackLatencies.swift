// Latencies of the session's ports for the server.

import CJack
import Graph
import Synchronization

/// Answers the server's latency callbacks. A signal that passes through the session is later by the
/// latency of its units.
final class JackLatencies: @unchecked Sendable {
  private struct Path: @unchecked Sendable {
    let output: OpaquePointer
    let inputs: [OpaquePointer]
    let frames: UInt32
  }

  /// Paths between registered ports; removed before their ports are unregistered.
  private let paths = Mutex<[Path]>([])

  /// Replaces the paths by those of a graph.
  ///
  /// - Parameter own: all ports of the client, by name.
  /// - Returns: whether the server must recompute latencies: units have latency, or had.
  /// - Thread: [control]
  func update(_ latencies: [GraphPortLatency], own: [String: JackOwnPort]) -> Bool {
    let new = latencies.compactMap { latency in
      own[latency.output].map { output in
        Path(
          output: output.port, inputs: latency.inputs.compactMap { own[$0]?.port },
          frames: UInt32(latency.frames))
      }
    }
    return paths.withLock { paths in
      defer { paths = new }
      return (paths + new).contains { $0.frames > 0 }
    }
  }

  /// Sets the latencies of the session's ports from those of the connected ports.
  ///
  /// - Thread: the server's notifications.
  func answer(_ mode: jack_latency_callback_mode_t) {
    paths.withLock { paths in
      if mode == JackCaptureLatency {
        for path in paths { path.output.set(mode, Self.range(path.inputs, mode, path.frames)) }
      } else {
        answerPlayback(paths)
      }
    }
  }

  /// Sets each input's playback latency to the range over all outputs it feeds.
  private func answerPlayback(_ paths: [Path]) {
    var ranges: [OpaquePointer: jack_latency_range_t] = [:]
    for path in paths {
      let range = Self.range([path.output], JackPlaybackLatency, path.frames)
      for input in path.inputs {
        let other = ranges[input] ?? range
        ranges[input] = jack_latency_range_t(
          min: min(other.min, range.min), max: max(other.max, range.max))
      }
    }
    for (input, range) in ranges { input.set(JackPlaybackLatency, range) }
  }

  /// Returns the least and the greatest latency of ports, plus `frames`.
  private static func range(
    _ ports: [OpaquePointer], _ mode: jack_latency_callback_mode_t, _ frames: UInt32
  ) -> jack_latency_range_t {
    let ranges = ports.map { port in
      var range = jack_latency_range_t()
      jack_port_get_latency_range(port, mode, &range)
      return range
    }
    return jack_latency_range_t(
      min: (ranges.map(\.min).min() ?? 0) &+ frames, max: (ranges.map(\.max).max() ?? 0) &+ frames)
  }
}

extension OpaquePointer {
  fileprivate func set(
    _ mode: jack_latency_callback_mode_t, _ range: jack_latency_range_t
  ) {
    var range = range
    jack_port_set_latency_range(self, mode, &range)
  }
}
