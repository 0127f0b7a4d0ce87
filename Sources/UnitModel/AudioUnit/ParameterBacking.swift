// The shared memory of a unit's parameter values.

import Realtime
import Synchronization
import UnitRender

/// The memory and the event queue shared by a unit's parameters and its kernel.
///
/// The parameter tree also retains it: a view may keep a parameter longer than the unit.
final class ParameterBacking: Sendable {
  let values: ParameterValues
  /// The values that observers were last notified of.
  private let reported: ParameterValues
  let inlet: EventInlet
  let switches = UnitSwitches()
  let gate = LifecycleGate()
  /// Indices of all addresses the unit ever had: a kernel may still publish to those that were
  /// removed.
  private let indices: Mutex<[ParameterAddress: Int]>

  init(
    tree: ParameterTree, eventCapacity: Int, systemExclusiveCapacity: Int, parameterReserve: Int
  ) {
    let parameters = tree.allParameters
    values = ParameterValues(count: parameters.count + parameterReserve)
    reported = ParameterValues(count: values.count)
    // Room for every parameter at once, so that `resend` never fails.
    inlet = EventInlet(
      capacity: max(eventCapacity, 2 * values.count), payloadCapacity: systemExclusiveCapacity)
    indices = Mutex(
      Dictionary(uniqueKeysWithValues: parameters.enumerated().map { ($1.address, $0) }))
    for (index, parameter) in parameters.enumerated() {
      values[index] = parameter.defaultValue
      reported[index] = parameter.defaultValue
    }
  }

  deinit {
    values.deallocate()
    reported.deallocate()
    switches.deallocate()
  }

  func index(ofAddress address: ParameterAddress) -> Int? {
    indices.withLock { $0[address] }
  }

  /// Assigns indices to the parameters of a tree that replaces another. Parameters that `old` lacks
  /// get their defaults.
  ///
  /// - Throws: `AudioUnitError.tooManyParameters`, with nothing changed.
  func adopt(_ tree: ParameterTree, replacing old: ParameterTree) throws(AudioUnitError) {
    try indices.withLock { (indices) throws(AudioUnitError) in
      let added = tree.allParameters.filter { indices[$0.address] == nil }
      guard indices.count + added.count <= values.count else {
        throw .tooManyParameters(indices.count + added.count, room: values.count)
      }
      for parameter in added { indices[parameter.address] = indices.count }
      for parameter in tree.allParameters where old.parameter(address: parameter.address) == nil {
        guard let index = indices[parameter.address] else { continue }
        values[index] = parameter.defaultValue
        reported[index] = parameter.defaultValue
      }
    }
  }

  /// Returns the value that was set, or the current value published by the kernel.
  func value(of parameter: Parameter) -> Float {
    index(ofAddress: parameter.address).map { values[$0] } ?? parameter.defaultValue
  }

  /// Stores a value without sending it to the render side.
  func store(_ value: Float, for parameter: Parameter) {
    guard let index = index(ofAddress: parameter.address) else { return }
    values[index] = value
    reported[index] = value
  }

  /// Stores a value and, while resources are allocated, sends it to take effect at once.
  ///
  /// It is stored first: once it is sent, the kernel may already publish newer values.
  func set(_ value: Float, of parameter: Parameter) throws(ParameterError) {
    guard let index = index(ofAddress: parameter.address) else { return }
    let isTaken = gate.state.withLock { state in
      let old = values[index]
      values[index] = value
      guard state.phase == .allocated else { return true }
      let event = RenderEvent.parameter(
        address: parameter.address, value: value, at: RenderEvent.immediate)
      if inlet.send(event) == .accepted { return true }
      values[index] = old
      return false
    }
    if !isTaken { throw .queueFull(keyPath: parameter.keyPath) }
    reported[index] = value
  }

  /// Returns the parameters changed since observers were last notified, with their values, and
  /// marks them as notified.
  func takeMoved(in tree: ParameterTree) -> [(parameter: Parameter, value: Float)] {
    tree.allParameters.compactMap { parameter in
      guard let index = index(ofAddress: parameter.address) else { return nil }
      let value = values[index]
      guard value.bitPattern != reported[index].bitPattern else { return nil }
      reported[index] = value
      return (parameter, value)
    }
  }

  /// Every value, by its index.
  var snapshot: [Float] { (0..<values.count).map { values[$0] } }

  /// Sends the values changed since `old`, with which the kernel was made.
  func resend(changedSince old: [Float], tree: ParameterTree) {
    for parameter in tree.allParameters where !parameter.flags.contains(.nonRealTime) {
      guard let index = index(ofAddress: parameter.address), values[index] != old[index] else {
        continue
      }
      let sent = inlet.send(
        .parameter(
          address: parameter.address, value: values[index], at: RenderEvent.immediate))
      precondition(sent == .accepted, "the queue is empty and holds every parameter")
    }
  }
}
