// Faulty units, for checks that have to find the faults.

import Foundation
import Synchronization
import UnitModel
import UnitRender

/// A gain with a fault.
public final class FaultyUnit: AudioUnit, @unchecked Sendable {
  private let fault: Fault
  private var allocations = 0
  private let number: Int
  private static let made = Atomic<Int>(0)

  /// The components, one for each fault, by its name.
  public static let components = Fault.allCases.map { fault in
    Component(
      description: description(of: fault), name: "Faulty", shortName: "\(fault)-fault",
      manufacturerName: "Tests"
    ) { _, _ in try FaultyUnit(fault) }
  }

  private static func description(of fault: Fault) -> ComponentDescription {
    let number = Fault.allCases.firstIndex(of: fault) ?? 0
    return ComponentDescription(
      type: fault == .note ? .instrument : .effect,
      subtype: FourCharacterCode(
        rawValue: 0x6661_3030 + (UInt32(number / 10) << 8) + UInt32(number % 10)),
      manufacturer: "Test")
  }

  public init(_ fault: Fault) throws {
    self.fault = fault
    number = Self.made.wrappingAdd(1, ordering: .relaxed).newValue
    let gain = Parameter(
      identifier: "gain", name: "Gain", address: 0, range: 0...4, defaultValue: 0.5,
      unit: .linearGain, flags: [.readable, .writable, .canRamp])
    if fault == .text { gain.implementorStringFromValueCallback = { _, _ in "loud" } }
    if fault == .descriptor { _ = open("/dev/null", O_RDONLY) }
    try super.init(
      componentDescription: Self.description(of: fault),
      inputBusses: BusArray(.input, fault == .note ? [] : [Bus(.input)]),
      outputBusses: BusArray(.output, [Bus(.output)]),
      parameterTree: ParameterTree(children: [gain]))
  }

  public override var latency: Double { fault == .latency ? 64 / 48_000 : 0 }

  public override var tailTime: Double {
    [.kept, .reset].contains(fault) ? 10 : 0
  }

  public override var factoryPresets: [Preset] {
    [Preset(number: 0, name: "Plain"), Preset(number: 1, name: "Loud")]
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    guard preset.number == 1 else { return ["gain": 0.5] }
    switch fault {
    case .preset: return ["gain": 100]
    case .unknown: return ["gian": 1]
    default: return ["gain": 2]
    }
  }

  public override func settings(forDocument: Bool) -> StateDictionary {
    fault == .state ? ["number": .integer(number)] : [:]
  }

  public override func checkSettings(_ settings: StateDictionary) throws(StateError) {}

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let format = outputBusses[0].format
    if fault == .channels && format.channelCount == 3 { throw .failed("three are too many") }
    if fault == .rate && format.sampleRate == 44_100 { throw .failed("an odd rate") }
    allocations += 1
    func kernel() -> FaultyKernel {
      FaultyKernel(
        fault, gain: parameterValues[0], scale: fault == .life ? Float(allocations) : 1,
        values: parameterValues)
    }
    switch fault {
    case .status:
      return RenderResources(kernel(), for: self, render: failingRender, reset: faultyReset)
    case .bypass:
      return RenderResources(kernel(), for: self, render: unbypassedRender, reset: faultyReset)
    case .click:
      // It claims to fade a bypass itself, and does not.
      let context = KernelContext.allocate(
        kernel(), outputChannels: [format.channelCount], maximumFrames: maximumFramesToRender)
      return RenderResources(
        InternalRender(
          render: faultyRender, reset: faultyReset, context: context, handlesBypass: true)
      ) { KernelContext.deallocate(context, of: FaultyKernel.self) }
    default:
      return RenderResources(kernel(), for: self, render: faultyRender, reset: faultyReset)
    }
  }
}
