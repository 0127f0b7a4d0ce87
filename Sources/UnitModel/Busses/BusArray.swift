// The inputs or the outputs of a unit.

import Synchronization

/// A unit's busses of one direction.
///
/// AUv3: `AUAudioUnitBusArray`.
public final class BusArray: Sendable, Sequence {
  /// The direction: input or output.
  ///
  /// - Thread: [any]
  public let busType: BusType
  /// The most busses that `setBusCount` makes.
  ///
  /// - Thread: [any]
  public let maximumBusCount: Int
  /// The number of busses the array was made with.
  ///
  /// - Thread: [any]
  public let initialBusCount: Int
  /// Whether busses can be added, removed and reformatted while resources are allocated.
  ///
  /// - Thread: [any]
  public let isOpen: Bool
  /// Held while the number of busses changes.
  private let counting = Mutex(())
  private let makeBus: (@Sendable (Int) throws(BusError) -> Bus)?
  let state: Mutex<State>

  struct State {
    var busses: [Bus]
    var gate: LifecycleGate?
    var busObservers = ObserverList<BusObserver>()
  }

  /// Makes an array with a fixed number of busses.
  ///
  /// AUv3: `init(audioUnit:busType:busses:)`.
  /// - Thread: [control]
  public init(_ busType: BusType, _ busses: [Bus] = []) {
    self.busType = busType
    maximumBusCount = busses.count
    initialBusCount = busses.count
    isOpen = false
    makeBus = nil
    state = Mutex(State(busses: busses))
    for (index, bus) in busses.enumerated() { bus.join(index: index, gate: nil, self) }
  }

  /// Makes an array whose number of busses the host chooses.
  ///
  /// Input arrays may be open: busses are added and removed, each with its own format, while the
  /// unit plays. The resources from `makeRenderResources` must serve any of them. The kernel checks
  /// in each call which inputs exist; an unconnected input has no channels there. A graph adds the
  /// inputs that are connected, up to the maximum. Like other units' inputs, the initial ones have
  /// ports if no unit is connected to them.
  ///
  /// - Parameters:
  ///   - count: The initial number of busses.
  ///   - isOpen: Whether busses change while resources are allocated; only for inputs.
  ///   - makeBus: Makes the bus of an index.
  /// - Throws: `BusError` for a count below 0 or above `maximumBusCount`, or that of `makeBus`.
  /// - Thread: [control]
  public init(
    _ busType: BusType, count: Int, maximumBusCount: Int, isOpen: Bool = false,
    makeBus: @escaping @Sendable (Int) throws(BusError) -> Bus
  ) throws(BusError) {
    self.busType = busType
    self.maximumBusCount = maximumBusCount
    self.isOpen = isOpen && busType == .input
    initialBusCount = count
    self.makeBus = makeBus
    state = Mutex(State(busses: []))
    try setBusCount(count)
  }

  /// The number of busses.
  ///
  /// - Thread: [control]
  public var count: Int { state.withLock { $0.busses.count } }

  /// The current busses.
  ///
  /// - Thread: [control]
  public var busses: [Bus] { state.withLock { $0.busses } }

  /// The bus at an index below `count`.
  ///
  /// - Thread: [control]
  public subscript(index: Int) -> Bus { busses[index] }

  /// Iterates over the current busses.
  ///
  /// - Thread: [control]
  public func makeIterator() -> IndexingIterator<[Bus]> { busses.makeIterator() }

  /// Adds or removes busses at the end.
  ///
  /// - Throws: `BusError` if the number is fixed or out of range, or, in an array that is not open,
  ///   while resources are allocated.
  ///
  /// AUv3: `setBusCount(_:)`.
  /// - Thread: [control]
  public func setBusCount(_ count: Int) throws(BusError) {
    guard let makeBus else { throw .countNotChangeable(self.count) }
    guard count >= 0 && count <= maximumBusCount else {
      throw .countOutOfRange(count, maximum: maximumBusCount)
    }
    try counting.withLock { (_) throws(BusError) in try store(count, makeBus) }
  }

  /// Returns the bus that `setBusCount` would make at an index. It is not added to the array.
  ///
  /// - Throws: `BusError` if the number is fixed, or if making the bus fails.
  /// - Thread: [control]
  package func prospectiveBus(at index: Int) throws(BusError) -> Bus {
    guard let makeBus else { throw .countNotChangeable(count) }
    return try makeBus(index)
  }

  private func store(
    _ count: Int, _ makeBus: @Sendable (Int) throws(BusError) -> Bus
  ) throws(BusError) {
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

  /// Sets the gate of the unit, which guards changes of the busses.
  func join(_ gate: LifecycleGate) {
    // A kernel reads the inputs of an open array from each call.
    let gate = isOpen ? nil : gate
    state.withLock {
      $0.gate = gate
      for (index, bus) in $0.busses.enumerated() { bus.join(index: index, gate: gate, self) }
    }
  }
}
