// One audio input or output of a unit.

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
  /// Input or output.
  ///
  /// - Thread: [any]
  public let busType: BusType
  /// The channel counts it takes; empty for all up to `maximumChannelCount`.
  ///
  /// - Thread: [any]
  public let supportedChannelCounts: [Int]
  /// The most channels it takes.
  ///
  /// - Thread: [any]
  public let maximumChannelCount: Int
  private let state: Mutex<State>

  private struct State {
    var format: AudioFormat
    var name: String
    var index = 0
    var isEnabled = true
    var contextPresentationLatency = 0.0
    var shouldAllocateBuffer = true
    var gate: LifecycleGate?
  }

  /// Makes a bus that can be put into an array.
  ///
  /// - Throws: `BusError` if the format is not among what the bus supports.
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
    state = Mutex(State(format: format, name: name))
    try check(format)
  }

  /// The form of the sound on this bus.
  ///
  /// AUv3: `format`.
  ///
  /// - Thread: [control]
  public var format: AudioFormat { state.withLock { $0.format } }

  /// Changes the format.
  ///
  /// - Throws: `BusError` if the bus does not support it, or while the unit's resources are allocated.
  ///
  /// AUv3: `setFormat(_:)`.
  /// - Thread: [control]
  public func setFormat(_ format: AudioFormat) throws(BusError) {
    try check(format)
    try change { $0.format = format }
  }

  /// Whether the unit renders, or uses, this bus.
  ///
  /// AUv3: `isEnabled`.
  /// - Thread: [control]
  public var isEnabled: Bool { state.withLock { $0.isEnabled } }

  /// Switches the bus on or off.
  ///
  /// - Throws: `BusError` while the unit's resources are allocated.
  /// - Thread: [control]
  public func setEnabled(_ isEnabled: Bool) throws(BusError) {
    try change { $0.isEnabled = isEnabled }
  }

  /// The name people see.
  ///
  /// - Thread: [control]
  public var name: String {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  /// The place in its array.
  ///
  /// - Thread: [control]
  public var index: Int { state.withLock { $0.index } }

  /// Seconds between this bus and the ears or the microphone, as the host knows them.
  ///
  /// AUv3: `contextPresentationLatency`.
  /// - Thread: [control]
  public var contextPresentationLatency: Double {
    get { state.withLock { $0.contextPresentationLatency } }
    set { state.withLock { $0.contextPresentationLatency = max(0, newValue.isNaN ? 0 : newValue) } }
  }

  /// Whether the unit needs a buffer of its own for this bus.
  ///
  /// AUv3: `shouldAllocateBuffer`.
  /// - Thread: [control]
  public var shouldAllocateBuffer: Bool {
    get { state.withLock { $0.shouldAllocateBuffer } }
    set { state.withLock { $0.shouldAllocateBuffer = newValue } }
  }

  func join(index: Int, gate: LifecycleGate?) {
    state.withLock {
      $0.index = index
      $0.gate = gate
    }
  }

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

  private func change(_ change: (inout State) -> Void) throws(BusError) {
    guard let gate = state.withLock({ $0.gate }) else { return state.withLock { change(&$0) } }
    guard gate.whileIdle({ state.withLock { change(&$0) } }) else {
      throw .renderResourcesAllocated
    }
  }
}
