// Units whose parameters are added and removed during their life.

import Synchronization
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender

/// A unit with the gain unit's kernel and a changing tree: the kernel's four parameters, and more.
private final class GrowingUnit: AudioUnit, @unchecked Sendable {
  /// Runs when a kernel has been made; tests use it from one thread.
  var duringAllocation: ((GrowingUnit) -> Void)?

  init(_ addresses: [ParameterAddress] = [], reserve: Int = 0) throws {
    super.init(
      componentDescription: GainUnit.description,
      inputBusses: BusArray(.input, [try Bus(.input)]),
      outputBusses: BusArray(.output, [try Bus(.output)]),
      parameterTree: try Self.tree(addresses), eventCapacity: 4096, parameterReserve: reserve)
  }

  /// Returns the tree; more than two extra parameters precede the unit's own.
  static func tree(_ addresses: [ParameterAddress]) throws -> ParameterTree {
    let own = [GainAddress.gain, GainAddress.offset, 30, GainAddress.meter].map {
      Parameter(identifier: "p\($0)", name: "Own", address: $0, range: 0...100, defaultValue: 1)
    }
    let more = addresses.map {
      Parameter(identifier: "p\($0)", name: "More", address: $0, range: 0...100, defaultValue: 7)
    }
    return try ParameterTree(children: addresses.count > 2 ? more + own : own + more)
  }

  func replace(_ addresses: [ParameterAddress]) throws {
    try replaceParameterTree(Self.tree(addresses))
    notify(.parameterTree)
  }

  func parameter(_ address: ParameterAddress) -> Parameter? {
    parameterTree.parameter(address: address)
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let kernel = GainKernel(values: parameterValues)
    duringAllocation?(self)
    return RenderResources(kernel, for: self, render: gainRender, reset: gainReset)
  }
}

@Suite struct ParameterTreeReplacementTests {
  /// Returns the values of the extra parameters.
  private func more(_ unit: AudioUnit) -> [String: Float] {
    unit.allParameterValues.filter { $0.key.count == 4 }
  }

  @Test func parametersThatStayKeepTheirValuesAndPlacesOthersBegin() throws {
    let unit = try GrowingUnit([100, 101], reserve: 2)
    unit.parameter(100)!.value = 1
    unit.parameter(101)!.value = 2
    let old = unit.parameterTree
    try unit.replace([102, 101])
    #expect(unit.parameterTree !== old)
    #expect(more(unit) == ["p101": 2, "p102": 7])
    #expect(
      [100, 101, 102, 103].map { unit.parameterValueIndex(ofAddress: $0) } == [4, 5, 6, nil])
    // A parameter that is added again is new.
    unit.parameterTree.parameter(address: 102)!.value = 3
    try unit.replace([100])
    try unit.replace([100, 102])
    #expect(more(unit) == ["p100": 7, "p102": 7])
    #expect(unit.parameterValueIndex(ofAddress: 102) == 6)
  }

  @Test func oldTreesSetSharedParametersAndNotifyNobody() throws {
    let unit = try GrowingUnit([100])
    let old = unit.parameterTree
    let heard = Mutex<[Float]>([])
    let properties = Mutex<[AudioUnitProperty]>([])
    let token = old.token(byAddingParameterObserver: { _, value in
      heard.withLock { $0.append(value) }
    })
    let propertyToken = unit.token(byAddingPropertyObserver: { property in
      properties.withLock { $0.append(property) }
    })
    try unit.replace([])
    unit.parameter(GainAddress.gain)!.value = 2
    #expect(old.parameter(address: GainAddress.gain)!.value == 2)
    old.parameter(address: GainAddress.gain)!.value = 3
    old.parameter(address: 100)!.value = 4
    #expect(unit.parameter(GainAddress.gain)!.value == 3)
    #expect(more(unit) == [:])
    #expect(heard.withLock { $0 } == [3, 4])
    #expect(properties.withLock { $0 } == [.parameterTree])
    old.removeParameterObserver(token)
    unit.removePropertyObserver(propertyToken)
  }

  @Test func parametersWithoutRoomAreRefusedAsAWhole() throws {
    let unit = try GrowingUnit([100], reserve: 1)
    try unit.replace([101])
    let tree = unit.parameterTree
    unit.parameter(101)!.value = 9
    let error = AudioUnitError.tooManyParameters(7, room: 6)
    #expect(throws: error) { try unit.replace([102]) }
    #expect(error.description.hasSuffix("make another unit with the parameters that are wanted"))
    #expect(unit.parameterTree === tree)
    #expect(more(unit) == ["p101": 9])
    try unit.replace([100])
  }

  @Test func aKernelGetsParametersOfAllTrees() throws {
    let unit = try GrowingUnit(reserve: 1)
    let old = unit.parameterTree
    try unit.allocateRenderResources()
    let host = try DirectHost(unit)
    try unit.replace([100])
    unit.parameter(GainAddress.offset)!.value = 5
    #expect(try host.render(1)[0][0] == [5])
    old.parameter(address: GainAddress.offset)!.value = 6
    #expect(try host.render(1)[0][0] == [6])
    try unit.scheduleParameter(100, value: 3)
    #expect(throws: ScheduleError.unknownParameter(101)) {
      try unit.scheduleParameter(101, value: 3)
    }
  }

  @Test func valuesSetDuringAllocationReachTheKernelInAnyTreeOrder() throws {
    let unit = try GrowingUnit(reserve: 3)
    try unit.replace([100, 101, 102])
    unit.duringAllocation = { $0.parameter(GainAddress.offset)!.value = 5 }
    try unit.allocateRenderResources()
    #expect(try DirectHost(unit).render(1)[0][0] == [5])
  }

  @Test(.enabled(if: ThreadSanitizer.understandsWaiting))
  func manyThreadsMaySetWhileATreeIsReplaced() async throws {
    let unit = try GrowingUnit(reserve: 20)
    let done = Flag()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        defer { done.set() }
        for step in 0..<300 as Range<ParameterAddress> {
          try unit.replace([100 + step % 17, 117 + step % 3])
        }
        try unit.replace([100])
      }
      for thread in 0..<2 {
        tasks.addTask {
          while !done.isSet {
            for parameter in unit.parameterTree.allParameters {
              // The queue may be full, or the unit may be changing.
              try? parameter.setValue(Float(thread + 1))
              _ = parameter.value
            }
            try? unit.allocateRenderResources()
            if let host = try? DirectHost(unit), thread == 0 { _ = try host.render(16) }
            try? unit.deallocateRenderResources()
            // Refused if the tree was replaced in between.
            try? unit.setFullState(unit.fullState)
          }
        }
      }
      try await tasks.waitForAll()
    }
    #expect(unit.parameterTree.allParameters.map(\.address) == [10, 20, 30, 40, 100])
    unit.parameter(GainAddress.offset)!.value = 50
    unit.parameter(100)!.value = 51
    #expect(unit.parameter(100)!.value == 51)
    try unit.allocateRenderResources()
    #expect(try DirectHost(unit).render(1)[0][0] == [50])
  }
}
