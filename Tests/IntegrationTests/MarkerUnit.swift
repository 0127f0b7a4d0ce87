// A unit that shows each event in its audio, and sends on every MIDI message.

import Realtime
import UnitModel
import UnitRender

/// A kernel whose output 1 is the code of a frame's last event, and 0 at frames without events.
/// Output 2 is the number of events of the frame. Every message is sent on at its own frame.
struct MarkerKernel: RenderKernel, ~Copyable {
  var code: Float = 0
  var count: Float = 0

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .midi?:
      let bytes = event.pointee.bytes
      code = Float((Int(bytes.0) << 14) | (Int(bytes.1) << 7) | Int(bytes.2))
    case .systemExclusive?: code = -Float(event.pointee.length)
    default: return
    }
    count += 1
    if let output = call.midiOutput {
      _ = output.insertCopy(of: event, from: list, at: event.pointee.frame)
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let codes = slice.output(channel: 0)
    let counts = slice.output(channel: 1)
    Samples.clear(codes, count: slice.frameCount)
    Samples.clear(counts, count: slice.frameCount)
    codes[0] = code
    counts[0] = count
    code = 0
    count = 0
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func markerRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(MarkerKernel.self, context, call)
}

@_noLocks @_noAllocation
func markerReset(_ context: UnsafeMutableRawPointer) { resetKernel(MarkerKernel.self, context) }

final class MarkerUnit: AudioUnit, @unchecked Sendable {
  init() throws {
    super.init(
      componentDescription: ComponentDescription(
        type: .instrument, subtype: "mark", manufacturer: "Test"),
      outputBusses: BusArray(.output, [try Bus(.output)]),
      parameterTree: try ParameterTree(children: []))
  }

  override var midiOutputNames: [String] { ["Thru"] }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(MarkerKernel(), for: self, render: markerRender, reset: markerReset)
  }

  /// The value of output 1 for a message.
  static func code(_ bytes: [UInt8]) -> Float {
    if bytes[0] == 0xF0 { return -Float(bytes.count) }
    let padded = bytes + [0, 0]
    return Float((Int(padded[0]) << 14) | (Int(padded[1]) << 7) | Int(padded[2]))
  }
}
