// The MIDI effect's render side.

import MIDIStages
import Realtime
import UnitRender

/// The render side of a MIDI effect: sends the output of its chain on, each event on its own frame
/// and in order.
struct MIDIEffectKernel: RenderKernel, ~Copyable {
  let chain: MIDIChainPlayer
  /// The sample rate in hertz.
  let sampleRate: Double
  var isBypassed: Bool

  /// Whether the kernel handles the bypass: yes. A bypassed unit passes its input on, and its
  /// stages still end the notes that they have let in.
  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    let isBypassed = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    if isBypassed == self.isBypassed { return }
    self.isBypassed = isBypassed
    chain.setBypassed(isBypassed)
  }

  @_noLocks @_noAllocation
  mutating func transformEvents(_ list: RenderEventList?, _ call: RenderCallView)
    -> RenderEventList?
  {
    guard let list else { return nil }
    chain.process(list, during: MIDIChainCall(call, sampleRate: sampleRate))
    return list
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: chain.publish(event.pointee)
    case .midi?, .systemExclusive?:
      guard let output = call.midiOutput else { return }
      // A full list counts the events that it refuses.
      _ = output.insertCopy(of: event, from: list, at: event.pointee.frame)
    case .bypass?, nil: break
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {}

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) { chain.publishReadings() }

  @_noLocks @_noAllocation
  mutating func reset() { chain.reset() }
}

@_noLocks @_noAllocation
func midiEffectRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(MIDIEffectKernel.self, context, call)
}

@_noLocks @_noAllocation
func midiEffectReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(MIDIEffectKernel.self, context)
}
