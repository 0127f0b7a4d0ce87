// Notifications from a JACK server outside the process callback.

import CJack
import Realtime
import Synchronization

/// A notification from the server.
public enum JackNotice: Sendable, Equatable {
  /// The server has ended; the client is no longer valid.
  case shutdown(reason: String)
  /// The sample rate changed, in hertz.
  case sampleRate(Int)
  /// The period changed, in frames.
  case period(Int)
  /// The server started or stopped freewheeling.
  case freewheel(Bool)
  /// A cycle was not finished in time.
  case xrun
  /// A port was registered, by its full name.
  case portRegistered(String)
  /// One of the session's ports was connected.
  case connected
}

/// Forwards JACK's notification callbacks as a stream. They run on threads of libjack that must not
/// call the server.
final class JackNotifier: @unchecked Sendable {
  let notices: AsyncStream<JackNotice>
  /// The client's handle. Set before activation, and so before the first callback.
  private var client: OpaquePointer?
  private let continuation: AsyncStream<JackNotice>.Continuation
  private let counters: AtomicCounters
  private let thread: NotificationThread
  let latencies = JackLatencies()
  private let midiInputs = Mutex<[WatchedInput]>([])

  /// A MIDI input whose lost connections are counted.
  private struct WatchedInput {
    let port: UInt
    let counts: MIDIInputCounts
    /// Names of the connected ports, by their numbers.
    var sources: [jack_port_id_t: String] = [:]
  }

  /// - Parameters:
  ///   - counters: count xruns; they outlive the client.
  ///   - thread: outlives the client too.
  init(counters: AtomicCounters, thread: NotificationThread) {
    self.counters = counters
    self.thread = thread
    (notices, continuation) = AsyncStream.makeStream()
  }

  func post(_ notice: JackNotice) { continuation.yield(notice) }

  func finish() { continuation.finish() }

  /// Counts lost connections of these ports, and only these, from now on.
  /// - Thread: [control]
  func watch(_ ports: some Sequence<JackOwnPort>) {
    let inputs = ports.compactMap { port in
      port.midiInput.map {
        WatchedInput(port: UInt(bitPattern: port.port), counts: $0.pointee.counts)
      }
    }
    midiInputs.withLock { watched in
      let former = watched
      watched = inputs
      for index in watched.indices {
        let same = former.first { $0.port == watched[index].port }
        watched[index].sources = same?.sources ?? [:]
      }
    }
  }

  /// Counts a lost connection of each MIDI input that still has a source of this name. jackd's
  /// network driver restarts without a notification that its MIDI port was removed.
  private func registered(_ name: String) {
    midiInputs.withLock { inputs in
      for index in inputs.indices {
        guard let source = inputs[index].sources.first(where: { $0.value == name }) else {
          continue
        }
        inputs[index].sources[source.key] = nil
        inputs[index].counts.countUnplugged()
      }
    }
  }

  private func disconnected(_ ports: [jack_port_id_t]) {
    guard let client else { return }
    let lost = ports.map { UInt(bitPattern: jack_port_by_id(client, $0)) }
    midiInputs.withLock { inputs in
      for index in inputs.indices where lost.contains(inputs[index].port) {
        for number in ports { inputs[index].sources[number] = nil }
        inputs[index].counts.countUnplugged()
      }
    }
  }

  private func connected(_ ports: [jack_port_id_t]) {
    guard let client else { return }
    let ends = ports.compactMap { number in
      jack_port_by_id(client, number).map { (number: number, port: $0) }
    }
    guard ends.contains(where: { jack_port_is_mine(client, $0.port) != 0 }) else { return }
    post(.connected)
    let named = ends.map {
      (
        number: $0.number, port: UInt(bitPattern: $0.port),
        name: jack_port_name($0.port).map { String(cString: $0) }
      )
    }
    midiInputs.withLock { inputs in
      for index in inputs.indices where named.contains(where: { $0.port == inputs[index].port }) {
        for source in named where source.port != inputs[index].port {
          inputs[index].sources[source.number] = source.name
        }
      }
    }
  }

  private func end(reason: String) {
    thread.loseServer()
    post(.shutdown(reason: reason))
  }

  /// Installs every callback. The notifier must outlive the client's activation.
  func install(on client: OpaquePointer) {
    self.client = client
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    jack_on_info_shutdown(
      client,
      { _, reason, argument in
        JackNotifier.call(argument) {
          $0.end(reason: reason.map { String(cString: $0) } ?? "no reason given")
        }
      }, pointer)
    // PipeWire's libjack never calls the info variant, jackd2's calls only that one.
    jack_on_shutdown(
      client,
      { argument in
        JackNotifier.call(argument) { $0.end(reason: "the server went away") }
      }, pointer)
    jack_set_sample_rate_callback(
      client,
      { rate, argument in
        JackNotifier.call(argument) { $0.post(.sampleRate(Int(rate))) }
        return 0
      }, pointer)
    jack_set_buffer_size_callback(
      client,
      { frames, argument in
        JackNotifier.call(argument) { $0.post(.period(Int(frames))) }
        return 0
      }, pointer)
    jack_set_freewheel_callback(
      client,
      { isStarting, argument in
        JackNotifier.call(argument) { $0.post(.freewheel(isStarting != 0)) }
      }, pointer)
    jack_set_xrun_callback(
      client,
      { argument in
        JackNotifier.call(argument) {
          $0.counters.add(1, to: JackCount.xruns)
          $0.post(.xrun)
        }
        return 0
      }, pointer)
    jack_set_port_registration_callback(
      client,
      { port, isRegistered, argument in
        JackNotifier.call(argument) {
          $0.thread.isHere()
          guard isRegistered != 0 else { return }
          // Get the name now: the port may be gone when the notice is read.
          guard let client = $0.client, let port = jack_port_by_id(client, port),
            let name = jack_port_name(port)
          else { return }
          let text = String(cString: name)
          $0.registered(text)
          $0.post(.portRegistered(text))
        }
      }, pointer)
    // Also called when the other port is removed, with its client or without.
    jack_set_port_connect_callback(
      client,
      { source, destination, isConnected, argument in
        JackNotifier.call(argument) {
          if isConnected == 0 {
            $0.disconnected([source, destination])
          } else {
            $0.connected([source, destination])
          }
        }
      }, pointer)
    jack_set_latency_callback(
      client,
      { mode, argument in
        JackNotifier.call(argument) { $0.latencies.answer(mode) }
      }, pointer)
    // The first callback of every client: activating one changes the order.
    jack_set_graph_order_callback(
      client,
      { argument in
        JackNotifier.call(argument) { $0.thread.isHere() }
        return 0
      }, pointer)
  }

  /// Runs `body` as a running callback, which releases all its references before it ends.
  private static func call(
    _ argument: UnsafeMutableRawPointer?, _ body: (JackNotifier) -> Void
  ) {
    let notifier = Unmanaged<JackNotifier>.fromOpaque(argument!)
    let thread = notifier.takeUnretainedValue().thread
    thread.beginCallback()
    body(notifier.takeUnretainedValue())
    thread.endCallback()
  }
}
