// The parameters of a kernel.

import Realtime

/// The ranges of a kernel's parameters, and the store for their published values.
///
/// A set value reads back as set, a ramping one as it sounds. The value owns memory: `deallocate`
/// frees it. Used by one render thread at a time.
@usableFromInline
package struct ParameterTable: BitwiseCopyable {
  @usableFromInline package let count: Int
  @usableFromInline let parameters: UnsafeMutablePointer<ParameterLimits>
  @usableFromInline let values: ParameterValues
  /// Whether a parameter may have a reading to publish.
  @usableFromInline var isFollowed = false

  /// - Parameters:
  ///   - parameters: the range of each parameter, by its address from 0 on.
  ///   - values: the store for published values, in this order.
  /// - Thread: [control]
  @usableFromInline
  package init(_ parameters: [ParameterLimits], values: ParameterValues) {
    count = parameters.count
    self.values = values
    self.parameters = .allocate(capacity: max(1, count))
    for (index, parameter) in parameters.enumerated() {
      (self.parameters + index).initialize(to: parameter)
    }
  }

  /// - Thread: [control], once no render thread uses it.
  @usableFromInline
  package func deallocate() { parameters.deallocate() }

  /// Returns the parameter change of an event, its value limited to the range; nil if the event
  /// changes none. A value set without a ramp is published.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  package mutating func change(_ event: UnsafeMutablePointer<RenderEvent>) -> ParameterChange? {
    guard event.pointee.isParameter,
      event.pointee.address < UInt64(truncatingIfNeeded: count)
    else { return nil }
    let index = Int(truncatingIfNeeded: event.pointee.address)
    let value = parameters[index].held(event.pointee.value)
    let rampFrames = parameters[index].ramps ? event.pointee.rampFrames : 0
    if rampFrames == 0 { values[index] = value } else { isFollowed = true }
    return ParameterChange(index: index, value: value, rampFrames: rampFrames)
  }

  /// Whether readings must be taken and passed to `publish`. Clears the flag.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  package mutating func takeFollowed() -> Bool {
    let wasFollowed = isFollowed
    isFollowed = false
    return wasFollowed
  }

  /// Publishes the current value of a ramping parameter.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  package mutating func publish(_ reading: Float, ofParameter index: Int) {
    values[index] = reading
    isFollowed = true
  }
}

/// A parameter change made by an event.
@usableFromInline
package struct ParameterChange: BitwiseCopyable {
  @usableFromInline package let index: Int
  /// The new value, within the parameter's range.
  @usableFromInline package let value: Float
  /// The ramp's length; 0 sets the value.
  @usableFromInline package let rampFrames: UInt32

  /// The change, for the effect.
  @usableFromInline package var request: ParameterRequest {
    @_noLocks @_noAllocation @inlinable get {
      .start(to: Double(value), overFrames: rampFrames)
    }
  }

  @_noLocks @_noAllocation @inlinable
  init(index: Int, value: Float, rampFrames: UInt32) {
    self.index = index
    self.value = value
    self.rampFrames = rampFrames
  }
}
