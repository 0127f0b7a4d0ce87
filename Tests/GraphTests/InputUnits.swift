// Units for tests of graphs that have several inputs.

import UnitModel
import UnitRender

/// What a unit with several inputs makes of them.
enum InputUse: Sendable {
  /// One channel: all inputs' channels, each times its input's number from 1, and by 0.25 of how
  /// many frames have been rendered, modulo 4.
  case sum
  /// As many channels as the first input, each times the first channel of the second.
  case multiply
}

struct InputKernel: RenderKernel, ~Copyable {
  let multiplies: Bool
  var frames = 0

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      if multiplies {
        var channel = 0
        while channel < slice.call.output(0).channelCount {
          slice.output(channel: channel)[frame] =
            slice.input(channel: channel)[frame] * slice.input(bus: 1, channel: 0)[frame]
          channel += 1
        }
      } else {
        slice.output(channel: 0)[frame] = sum(slice, frame) + 0.25 * Float(frames & 3)
      }
      frames += 1
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  func sum(_ slice: RenderSlice, _ frame: Int) -> Float {
    var sum: Float = 0
    var bus = 0
    while bus < Int(slice.call.call.pointee.inputBusCount) {
      var channel = 0
      while channel < slice.call.input(bus).channelCount {
        sum += slice.input(bus: bus, channel: channel)[frame] * Float(bus + 1)
        channel += 1
      }
      bus += 1
    }
    return sum
  }

  @_noLocks @_noAllocation
  mutating func reset() { frames = 0 }
}

@_noLocks @_noAllocation
func inputRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 { driveKernel(InputKernel.self, context, call) }

@_noLocks @_noAllocation
func inputReset(_ context: UnsafeMutableRawPointer) { resetKernel(InputKernel.self, context) }

final class InputUnit: AudioUnit, @unchecked Sendable {
  private let use: InputUse

  /// One that adds its inputs, of which there may be eight; the first two have ports.
  static func sum() throws -> InputUnit {
    try InputUnit(
      .sum, type: .mixer,
      inputs: BusArray(.input, count: 2, maximumBusCount: 8, isOpen: true) {
        _ throws(BusError) in try Bus(.input, supportedChannelCounts: [1, 2])
      },
      outputs: [
        Bus(.output, format: AudioFormat(sampleRate: 48_000, channelCount: 1))
      ])
  }

  /// An effect with a second input, of one channel.
  static func multiply() throws -> InputUnit {
    let mono = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    return try InputUnit(
      .multiply, type: .effect,
      inputs: BusArray(
        .input,
        [
          Bus(.input, name: "Input"),
          Bus(.input, format: mono, name: "Sidechain", maximumChannelCount: 1),
        ]), outputs: [Bus(.output, name: "Output")])
  }

  private init(
    _ use: InputUse, type: FourCharacterCode, inputs: BusArray, outputs: [Bus]
  ) throws {
    self.use = use
    super.init(
      componentDescription: ComponentDescription(
        type: type, subtype: "inpt", manufacturer: "Test"), inputBusses: inputs,
      outputBusses: BusArray(.output, outputs), parameterTree: try ParameterTree(children: []))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      InputKernel(multiplies: use == .multiply), for: self, render: inputRender,
      reset: inputReset)
  }
}
