// A client that writes garbage into the buffer of its MIDI port.

import CJack
import Foundation
import TestSupport
import Testing

/// State of the hostile client's process callback.
private struct HostileState: BitwiseCopyable {
  var random: UInt64
  var cycles = 0
  /// The first two words of a buffer: libjack's mark, and the size.
  var mark: UInt32 = 0
  var size: UInt32 = 0

  mutating func next() -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return random >> 20
  }
}

/// Words for a header or an event, in addition to random ones.
private let extremes: (UInt32, UInt32, UInt32, UInt32) = (0x7FFF_FFFF, 0xFFFF_FFFF, 0x8000_0000, 0)

@Suite(.serialized) struct HostileClientTests {
  /// Writes any number of events, positions and sizes. Only the mark by which libjack knows a
  /// buffer stays in most cycles.
  @Test func aBufferThatItsWriterHasSpoiltIsSurvived() async throws {
    let server = try await JackServer.start(period: 64)
    let auricle = try await RunningAuricle(
      """
      [[unit]]
      id = "keys"
      component = "midi"
      [[unit]]
      id = "tone"
      component = "tone"
      [[connect]]
      from = "keys:midi"
      to = "tone:midi"
      """, on: server)
    let hostile = try RawClient(
      server, "hostile", outputs: 1, portType: JACK_DEFAULT_MIDI_TYPE,
      state: HostileState(random: 7)
    ) { frames, argument in
      let context = argument!.assumingMemoryBound(to: RawClient<HostileState>.Context.self)
      let state = context.pointer(to: \.state)!
      guard let buffer = jack_port_get_buffer(context.pointee.outputs[0], frames) else { return 0 }
      // Words 0 to 5 are the header; events of three words follow from word 6.
      let words = buffer.assumingMemoryBound(to: UInt32.self)
      if state.pointee.cycles == 0 {
        (state.pointee.mark, state.pointee.size) = (words[0], words[1])
      }
      (words[0], words[1]) = (state.pointee.mark, state.pointee.size)
      jack_midi_clear_buffer(buffer)
      for index in 0..<4 {
        let size = index == 3 ? 200 : 3
        if let bytes = jack_midi_event_reserve(buffer, jack_nframes_t(index), size) {
          for place in 0..<size { bytes[place] = place == 0 ? 0x90 : 60 }
        }
      }
      state.pointee.cycles += 1
      for _ in 0..<Int(state.pointee.next() % 6) {
        let place = state.pointee.next() % 16 == 0 ? 0 : 1 + Int(state.pointee.next() % 20)
        let values = [extremes.0, extremes.1, extremes.2, extremes.3]
        let choice = Int(state.pointee.next() % 6)
        words[place] =
          choice < 4 ? values[choice] : UInt32(truncatingIfNeeded: state.pointee.next())
      }
      if state.pointee.cycles % 8 == 0 { words[4] = 0x7FFF_FFFF }
      return 0
    }
    try hostile.connect("hostile:out_1", to: "auricle:keys_midi_in")
    #expect(await eventually { hostile.state.cycles > 2000 || !auricle.child.isRunning })
    #expect(auricle.child.isRunning)
    hostile.close()
    let ending = try await auricle.end()
    #expect(ending == .exited(0))
    // The buffer was read all the same, and malformed messages were reported.
    #expect(auricle.child.standardError.contains("MIDI messages that were malformed"))
  }
}
