// JACK's transport and timebase as units see them.

import CJack
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender

/// A kernel whose outputs 1 and 2 are the transport's frame, -1 while it is stopped. Outputs 3 and
/// 4 are the beat position in 65536ths of a beat, -1 if unknown. Each pair is two whole numbers,
/// the 16 low bits and the rest: on a freewheeling server the transport soon passes the 2^24 frames
/// that one sample can distinguish.
private struct TransportKernel: RenderKernel, ~Copyable {
  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let context = slice.call.call.pointee.musicalContext
    let isMoving = context.transportFlags & UInt32(kTransportMoving) != 0
    let knowsBeat = context.valid & UInt32(kMusicalContextBeatPosition) != 0
    var frame = 0
    while frame < slice.frameCount {
      let position = Int(context.samplePosition) + frame
      let beats = context.beatPosition + Double(frame) * context.tempo / (60 * 48_000)
      write(isMoving ? position : nil, to: slice, channel: 0, frame)
      write(knowsBeat ? Int(beats * 65_536) : nil, to: slice, channel: 2, frame)
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  private func write(_ value: Int?, to slice: RenderSlice, channel: Int, _ frame: Int) {
    slice.output(channel: channel)[frame] = value.map { Float($0 & 0xFFFF) } ?? -1
    slice.output(channel: channel + 1)[frame] = value.map { Float($0 >> 16) } ?? -1
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
private func transportRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(TransportKernel.self, context, call)
}

@_noLocks @_noAllocation
private func transportReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(TransportKernel.self, context)
}

private final class TransportUnit: AudioUnit, @unchecked Sendable {
  init() throws {
    super.init(
      componentDescription: ComponentDescription(
        type: .generator, subtype: "tran", manufacturer: "Test"),
      outputBusses: BusArray(
        .output,
        [
          try Bus(.output, format: try AudioFormat(sampleRate: 48_000, channelCount: 4))
        ]),
      parameterTree: try ParameterTree(children: []))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(TransportKernel(), for: self, render: transportRender, reset: transportReset)
  }
}

@Suite(.serialized) struct TransportTests {
  @Test func aRollingTransportIsTheUnitsMusicalContext() async throws {
    // Longer than the units' slices, which have to advance the position.
    let period = 4096
    let server = try await JackServer.start(period: period)
    let rig = try BackendRig(try TransportUnit(), id: "unit", on: server)
    let control = try JackTestClient(server, "control")
    let recorder = try JackTestClient(server, "recorder", audioInputs: 4)
    for channel in 1...4 {
      try await recorder.connect(
        "auricle:unit_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    try await recorder.setFreewheel(true)
    let still = try await JackTestClient.run([recorder], frames: 2 * period)[0]
    #expect(still.audio.allSatisfy { $0.allSatisfy { $0 == -1 } })

    // 90 beats a minute in 3/4, with 1,920 ticks a beat.
    jack_set_timebase_callback(
      control.handle, 0,
      { _, _, position, _, _ in
        guard let position else { return }
        let ticks = Int64(position.pointee.frame) * 90 * 1920 / (60 * 48_000)
        position.pointee.valid = JackPositionBBT
        position.pointee.beats_per_minute = 90
        position.pointee.beats_per_bar = 3
        position.pointee.beat_type = 4
        position.pointee.ticks_per_beat = 1920
        position.pointee.tick = Int32(ticks % 1920)
        position.pointee.beat = Int32(ticks / 1920 % 3) + 1
        position.pointee.bar = Int32(ticks / 1920 / 3) + 1
      }, nil)
    jack_transport_locate(control.handle, 480_000)
    jack_transport_start(control.handle)
    #expect(
      await eventually { jack_transport_query(control.handle, nil) == JackTransportRolling })
    let rolling = try await JackTestClient.run([recorder], frames: 10 * period)[0]
    try await recorder.setFreewheel(false)
    #expect(rolling.isComplete)
    let positions = wholeNumbers(rolling.audio[0], rolling.audio[1])
    #expect(positions[0] >= 480_000)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $1 == $0 + 1 })
    for (position, beat) in zip(positions, wholeNumbers(rolling.audio[2], rolling.audio[3])) {
      let beats = Double(beat) / 65_536
      let exact = Double(position) * 90 / (60 * 48_000)
      if abs(beats - exact) > 1.1 / 1920 {
        Issue.record("frame \(position): beat \(beats) for \(exact)")
        break
      }
    }
    withExtendedLifetime(rig) {}
  }

  private func wholeNumbers(_ low: [Float], _ rest: [Float]) -> [Int] {
    zip(low, rest).map { Int($0) + Int($1) << 16 }
  }
}
