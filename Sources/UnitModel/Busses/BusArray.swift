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
  /// How many busses there were at first.
  ///
  /// - Thread: [any]
  public let initialBusCount: Int
  /// Whether its busses come and go, and change their formats, while resources are allocated.
  ///
  /// - Thread: [any]
  public let isOpen: Bool
  /// Held by who changes the number of busses.
  private let counting = Mutex(())
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
    initialBusCount = busses.count
    isOpen = false
    makeBus = nil
    state = Mutex(State(busses: busses))
    for (index, bus) in busses.enumerated() { bus.join(index: index, gate: nil, self) }
  }

  /// As many busses as the host wants.
  ///
  /// Inputs may be open: they come and go, each with its own format, while the unit plays. What
  /// such a unit makes in `makeRenderResources` serves any of them, and its kernel looks into each
  /// call for those that there are; one that nothing feeds has no channels there. A graph adds
  /// the inputs that are connected, up to the maximum. Those that there are at first have ports
  /// where nothing inside is connected to them, as other units' inputs have.
  ///
  /// - Parameters:
  ///   - count: How many there are at first.
  ///   - isOpen: Whether they change while resources are allocated; of inputs alone.
  ///   - makeBus: Makes the bus of an index.
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

  /// The bus that `setBusCount` would make at an index; it is none of the array's.
  ///
  /// - Throws: `BusError` if the number is fixed, or as making one does.
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

  /// Ties the busses to the life of their unit.
  func join(_ gate: LifecycleGate) {
    // The kernel takes what there is of an open array from each call.
    let gate = isOpen ? nil : gate
    state.withLock {
      $0.gate = gate
      for (index, bus) in $0.busses.enumerated() { bus.join(index: index, gate: gate, self) }
    }
  }
}
