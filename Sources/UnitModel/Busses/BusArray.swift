// The inputs, or the outputs, of a unit.

import Synchronization

/// A unit's busses of one direction.
///
/// AUv3: `AUAudioUnitBusArray`.
public final class BusArray: Sendable, Sequence {
  /// Input or output.
  ///
  /// - Thread: [any]
  public let busType: BusType
  /// The most busses `setBusCount` makes.
  ///
  /// - Thread: [any]
  public let maximumBusCount: Int
  private let makeBus: (@Sendable (Int) throws(BusError) -> Bus)?
  let state: Mutex<State>

  struct State {
    var busses: [Bus]
    var gate: LifecycleGate?
    var busObservers: [(token: BusObserverToken, observer: BusObserver)] = []
  }

  /// A fixed number of busses.
  ///
  /// AUv3: `init(audioUnit:busType:busses:)`.
  /// - Thread: [control]
  public init(_ busType: BusType, _ busses: [Bus] = []) {
    self.busType = busType
    maximumBusCount = busses.count
    makeBus = nil
    state = Mutex(State(busses: busses))
    for (index, bus) in busses.enumerated() { bus.join(index: index, gate: nil, self) }
  }

  /// As many busses as the host wants.
  ///
  /// - Parameters:
  ///   - count: How many there are at first.
  ///   - makeBus: Makes the bus of an index.
  /// - Thread: [control]
  public init(
    _ busType: BusType, count: Int, maximumBusCount: Int,
    makeBus: @escaping @Sendable (Int) throws(BusError) -> Bus
  ) throws(BusError) {
    self.busType = busType
    self.maximumBusCount = maximumBusCount
    self.makeBus = makeBus
    state = Mutex(State(busses: []))
    try setBusCount(count)
  }

  /// How many busses there are.
  ///
  /// - Thread: [control]
  public var count: Int { state.withLock { $0.busses.count } }

  /// The busses as they are now.
  ///
  /// - Thread: [control]
  public var busses: [Bus] { state.withLock { $0.busses } }

  /// The bus at an index below `count`.
  ///
  /// - Thread: [control]
  public subscript(index: Int) -> Bus { busses[index] }

  /// Goes through the busses as they are now.
  ///
  /// - Thread: [control]
  public func makeIterator() -> IndexingIterator<[Bus]> { busses.makeIterator() }

  /// Adds or removes busses at the end.
  ///
  /// - Throws: `BusError` if the number is fixed or out of range, or while resources are allocated.
  ///
  /// AUv3: `setBusCount(_:)`.
  /// - Thread: [control]
  public func setBusCount(_ count: Int) throws(BusError) {
    guard let makeBus else { throw .countNotChangeable(self.count) }
    guard (0...maximumBusCount).contains(count) else {
      throw .countOutOfRange(count, maximum: maximumBusCount)
    }
    let (old, gate) = state.withLock { ($0.busses, $0.gate) }
    guard count != old.count else { return }
    var busses = Array(old.prefix(count))
    for index in busses.count..<count {
      let bus = try makeBus(index)
      bus.join(index: index, gate: gate, self)
      busses.append(bus)
    }
    let changed = busses
    let store: () -> Void = { self.state.withLock { $0.busses = changed } }
    if let gate {
      guard gate.whileIdle(store) else { throw .renderResourcesAllocated }
    } else {
      store()
    }
    for bus in old.dropFirst(count) { bus.leave() }
  }

  /// Ties the busses to the life of their unit.
  func join(_ gate: LifecycleGate) {
    state.withLock {
      $0.gate = gate
      for (index, bus) in $0.busses.enumerated() { bus.join(index: index, gate: gate, self) }
    }
  }
}
