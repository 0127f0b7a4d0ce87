// An audio input or output of a unit.

import Synchronization

/// The direction of a bus.
///
/// AUv3: `AUAudioUnitBusType`, with its raw values.
public enum BusType: Int, Sendable, Hashable {
  case input = 1
  case output = 2
}

/// An input or output with its format.
///
/// AUv3: `AUAudioUnitBus`.
public final class Bus: Sendable {
  /// The direction: input or output.
  ///
  /// - Thread: [any]
  public let busType: BusType
  /// The supported channel counts; empty for all up to `maximumChannelCount`.
  ///
  /// - Thread: [any]
  public let supportedChannelCounts: [Int]
  /// The most channels it supports.
  ///
  /// - Thread: [any]
  public let maximumChannelCount: Int
  /// The name it was made with. Constant when `name` changes, so configurations may refer to it.
  ///
  /// - Thread: [any]
  public let defaultName: String
  /// The format it was made with; for an input of an open array, the format of its ports.
  ///
  /// - Thread: [any]
  public let defaultFormat: AudioFormat
  private let state: Mutex<State>

  private struct State {
    var format: AudioFormat
    var name: String
    var index = 0
    var isEnabled = true
    var gate: LifecycleGate?
    var observer: (@Sendable (Bus, BusProperty) -> Void)?
  }

  /// Makes a bus for a bus array.
  ///
  /// - Throws: `BusError` if the bus does not support the format.
  ///
  /// AUv3: `init(format:)`.
  /// - Thread: [control]
  public init(
    _ busType: BusType, format: AudioFormat = .standard, name: String = "",
    supportedChannelCounts: [Int] = [],
    maximumChannelCount: Int = AudioFormat.channelCounts.upperBound
  ) throws(BusError) {
    self.busType = busType
    self.supportedChannelCounts = supportedChannelCounts
    self.maximumChannelCount = maximumChannelCount
    defaultName = name
    defaultFormat = format
    state = Mutex(State(format: format, name: name))
    try check(format)
  }

  /// The current format.
  ///
  /// AUv3: `format`.
  ///
  /// - Thread: [control]
  public var format: AudioFormat { state.withLock { $0.format } }

  /// Changes the format.
  ///
  /// - Throws: `BusError` if the bus does not support it, or while the unit's resources are
  ///   allocated.
  ///
  /// AUv3: `setFormat(_:)`.
  /// - Thread: [control]
  public func setFormat(_ format: AudioFormat) throws(BusError) {
    try check(format)
    try change(\.format, to: format, .format)
  }

  /// Whether the unit renders or reads this bus.
  ///
  /// AUv3: `isEnabled`.
  /// - Thread: [control]
  public var isEnabled: Bool { state.withLock { $0.isEnabled } }

  /// Switches the bus on or off.
  ///
  /// - Throws: `BusError` while the unit's resources are allocated.
  /// - Thread: [control]
  public func setEnabled(_ isEnabled: Bool) throws(BusError) {
    try change(\.isEnabled, to: isEnabled, .isEnabled)
  }

  /// The display name. Can change at any time; the bus array notifies its observers.
  ///
  /// AUv3: `name`.
  /// - Thread: [control]
  public var name: String {
    get { state.withLock { $0.name } }
    set { store(\.name, newValue, .name) }
  }

  /// The index in its array.
  ///
  /// - Thread: [control]
  public var index: Int { state.withLock { $0.index } }

  /// Adds the bus to an array, which observes its changes.
  func join(index: Int, gate: LifecycleGate?, _ array: BusArray) {
    state.withLock {
      $0.index = index
      $0.gate = gate
      $0.observer = { [weak array] bus, property in array?.notify(bus, property) }
    }
  }

  func leave() { state.withLock { $0.observer = nil } }

  private func check(_ format: AudioFormat) throws(BusError) {
    let count = format.channelCount
    let label = name.isEmpty ? "\(index)" : "\"\(name)\""
    if !supportedChannelCounts.isEmpty, !supportedChannelCounts.contains(count) {
      throw .channelCountUnsupported(count, bus: label, supported: supportedChannelCounts)
    }
    if count > maximumChannelCount {
      throw .tooManyChannels(count, bus: label, maximum: maximumChannelCount)
    }
  }

  /// Changes a property that must stay constant while rendering.
  private func change<Value: Equatable & Sendable>(
    _ path: WritableKeyPath<State, Value> & Sendable, to value: Value, _ property: BusProperty
  ) throws(BusError) {
    guard let gate = state.withLock({ $0.gate }) else { return store(path, value, property) }
    var isNew = false
    guard gate.whileIdle({ isNew = replace(path, value) }) else {
      throw .renderResourcesAllocated
    }
    if isNew { notify(property) }
  }

  private func store<Value: Equatable & Sendable>(
    _ path: WritableKeyPath<State, Value> & Sendable, _ value: Value, _ property: BusProperty
  ) {
    if replace(path, value) { notify(property) }
  }

  /// - Returns: whether the value changed.
  private func replace<Value: Equatable & Sendable>(
    _ path: WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) -> Bool {
    state.withLock {
      guard $0[keyPath: path] != value else { return false }
      $0[keyPath: path] = value
      return true
    }
  }

  private func notify(_ property: BusProperty) { state.withLock { $0.observer }?(self, property) }
}
