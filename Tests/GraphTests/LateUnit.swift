// A unit for tests of graphs: a pure delay that reports its latency.

import Realtime
import UnitModel
import UnitRender

/// Delays its input and its MIDI by `frames` frames.
struct LateKernel: RenderKernel, ~Copyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 16384 } }
  static var queue: Int { @_noLocks @_noAllocation get { 256 } }

  let memory: UnsafeMutablePointer<Float>
  let events: UnsafeMutablePointer<RenderEvent>
  /// Delay in frames. Written by the test between two calls.
  let frames: UnsafeMutablePointer<Int>
  var position = 0
  var first = 0
  var count = 0

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    let end = call.call.pointee.frame + FrameTime(call.frameCount)
    var next = call.events?.first
    while let event = next, event.pointee.frame < end {
      if event.pointee.eventKind == .midi {
        events[(first + count) & (Self.queue - 1)] = event.pointee
        count += 1
      }
      next = call.events?.next(after: event)
    }
    while count > 0 {
      var event = events[first & (Self.queue - 1)]
      event.frame += FrameTime(frames[0])
      if event.frame >= end { return }
      _ = call.midiOutput?.insert(event)
      first += 1
      count -= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var channel = 0
    while channel < slice.call.output(0).channelCount {
      let samples = memory + channel * Self.capacity
      var frame = 0
      while frame < slice.frameCount {
        samples[(position + frame) & (Self.capacity - 1)] = slice.input(channel: channel)[frame]
        slice.output(channel: channel)[frame] =
          samples[(position + frame - frames[0]) & (Self.capacity - 1)]
        frame += 1
      }
      channel += 1
    }
    position += slice.frameCount
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func lateRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(LateKernel.self, context, call)
}

@_noLocks @_noAllocation
func lateReset(_ context: UnsafeMutableRawPointer) { resetKernel(LateKernel.self, context) }

final class LateUnit: AudioUnit, @unchecked Sendable {
  private let frames = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * LateKernel.capacity)
  private let events = UnsafeMutablePointer<RenderEvent>.allocate(capacity: LateKernel.queue)

  /// Latency in frames. Set between two calls.
  var lateBy: Int {
    get { frames[0] }
    set { frames[0] = newValue }
  }

  /// - Parameter channels: 1 or 2.
  init(_ lateBy: Int, channels: Int = 1) throws {
    frames.initialize(to: lateBy)
    memory.initialize(repeating: 0, count: 2 * LateKernel.capacity)
    events.initialize(repeating: RenderEvent(), count: LateKernel.queue)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: channels)
    super.init(
      componentDescription: ComponentDescription(
        type: .musicEffect, subtype: "late", manufacturer: "Test"),
      inputBusses: BusArray(
        .input, [try Bus(.input, format: format, supportedChannelCounts: [channels])]),
      outputBusses: BusArray(
        .output, [try Bus(.output, format: format, supportedChannelCounts: [channels])]),
      parameterTree: try ParameterTree(children: []))
  }

  deinit {
    frames.deallocate()
    memory.deallocate()
    events.deallocate()
  }

  override var latency: Double { Double(frames[0]) / sampleRate }

  override var midiOutputNames: [String] { ["Out"] }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      LateKernel(memory: memory, events: events, frames: frames), for: self, render: lateRender,
      reset: lateReset)
  }
}
