// What our ports tell others of latency.

import CJack
import Graph
import Synchronization

/// Answers the server, which asks each client in turn how late its ports are: what has gone through
/// us is later by the latency of our units.
final class JackLatencies: @unchecked Sendable {
  private struct Path: @unchecked Sendable {
    let output: OpaquePointer
    let inputs: [OpaquePointer]
    let frames: UInt32
  }

  /// Ports that are registered: they are taken out before they go.
  private let paths = Mutex<[Path]>([])

  /// Has the ports of a graph told of, and no others from then on.
  ///
  /// - Parameter own: all ports of the client, by name.
  /// - Returns: whether the server is to be told: units have latency, or had.
  /// - Thread: [control]
  func tell(_ latencies: [GraphPortLatency], own: [String: JackOwnPort]) -> Bool {
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

  /// Sets the latencies of our ports from those of ports that are connected to them.
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

  /// What comes in at a port goes out at several, each as late as it is.
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

  /// The least and the greatest latency of ports, and so many frames.
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
