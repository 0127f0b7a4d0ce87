// Calls of JACK on the render thread, excluded from the compiler's check.
//
// JACK documents each as safe in the process callback; jackd2 reads and writes its shared memory in
// them without waiting. Checked in its sources, and by rendering under RealtimeSanitizer with MIDI
// in and out, transport and period changes.

import CJack

enum Vouched {
  @_semantics("no_performance_analysis") @inline(never)
  static func audioBuffer(_ port: OpaquePointer, _ frames: UInt32) -> UnsafeMutablePointer<Float>? {
    jack_port_get_buffer(port, frames)?.assumingMemoryBound(to: Float.self)
  }

  /// Mixes the events of a port's sources, if it has several. If they exceed the port's buffer,
  /// libjack counts the lost events and logs that once a cycle, on another thread. It formats the
  /// text into its own memory under `pthread_mutex_trylock`, which never waits, and signals. No
  /// function that we may call suppresses this.
  @_semantics("no_performance_analysis") @inline(never)
  static func midiBuffer(_ port: OpaquePointer, _ frames: UInt32) -> UnsafeMutableRawPointer? {
    jack_port_get_buffer(port, frames)
  }

  /// Returns the size of a MIDI port's buffer in bytes, which grows with the period in PipeWire.
  /// libjack compares a name with those of two types.
  @_semantics("no_performance_analysis") @inline(never)
  static func midiBufferBytes(_ client: OpaquePointer) -> Int {
    auricleMIDIBufferSize(client)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func midiEventCount(_ buffer: UnsafeMutableRawPointer) -> UInt32 {
    jack_midi_get_event_count(buffer)
  }

  /// Returns the number of events of this cycle that did not fit into the buffer: a field of its
  /// header.
  @_semantics("no_performance_analysis") @inline(never)
  static func lostMIDIEvents(_ buffer: UnsafeMutableRawPointer) -> UInt32 {
    jack_midi_get_lost_event_count(buffer)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func midiEvent(
    _ event: UnsafeMutablePointer<jack_midi_event_t>, _ buffer: UnsafeMutableRawPointer,
    _ index: UInt32
  ) -> Int32 {
    jack_midi_event_get(event, buffer, index)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func clearMIDI(_ buffer: UnsafeMutableRawPointer) {
    jack_midi_clear_buffer(buffer)
  }

  /// Reserves an event; nil if the buffer is full. Then libjack is not called, as it would report
  /// an error with a lock and a signal to another thread.
  @_semantics("no_performance_analysis") @inline(never)
  static func reserveMIDI(
    _ buffer: UnsafeMutableRawPointer, _ offset: UInt32, _ length: Int
  ) -> UnsafeMutablePointer<UInt8>? {
    if length > jack_midi_max_event_size(buffer) { return nil }
    return jack_midi_event_reserve(buffer, offset, length)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func lastFrameTime(_ client: OpaquePointer) -> UInt32 {
    jack_last_frame_time(client)
  }

  /// Returns the start of the cycle, in nanoseconds of JACK's monotonic clock.
  @_semantics("no_performance_analysis") @inline(never)
  static func cycleNanoseconds(_ client: OpaquePointer, _ frame: UInt32) -> UInt64 {
    jack_frames_to_time(client, frame) &* 1000
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func transport(
    _ client: OpaquePointer, _ position: UnsafeMutablePointer<jack_position_t>
  ) -> UInt32 {
    jack_transport_query(client, position).rawValue
  }
}
