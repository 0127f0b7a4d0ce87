// Units with several inputs for tests of graphs.

import UnitModel
import UnitRender

/// The formula by which a unit with several inputs makes its output.
enum InputUse: Sendable {
  /// One channel: the sum of all inputs' channels, each times its input's number from 1, plus 0.25
  /// times the number of rendered frames modulo 4.
  case sum
  /// All channels of the first input, each times the first channel of the second.
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

  /// Makes a unit that adds its inputs. The first two have ports, and there may be eight.
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

  /// Makes an effect with a second input, of one channel.
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
