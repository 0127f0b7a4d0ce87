// The parameters of a kernel.

import Realtime

/// What a kernel's parameters take, and what is published of them.
///
/// A value that is set reads as it was set, one that ramps as it sounds. The value owns memory:
/// `deallocate` frees it. Used by one render thread at a time.
@usableFromInline
package struct ParameterTable: BitwiseCopyable {
  @usableFromInline package let count: Int
  @usableFromInline let parameters: UnsafeMutablePointer<ChannelParameter>
  @usableFromInline let values: ParameterValues
  /// Whether a parameter may have a reading.
  @usableFromInline var isFollowed = false

  /// - Parameters:
  ///   - parameters: what each takes, by its address from 0 on.
  ///   - values: where they are published, in this order.
  /// - Thread: [control]
  @usableFromInline
  package init(_ parameters: [ChannelParameter], values: ParameterValues) {
    count = parameters.count
    self.values = values
    self.parameters = .allocate(capacity: max(1, count))
    for (index, parameter) in parameters.enumerated() {
      (self.parameters + index).initialize(to: parameter)
    }
  }

  /// - Thread: [control], once nobody renders with it.
  @usableFromInline
  package func deallocate() { parameters.deallocate() }

  /// The change that an event makes, its value within the range; nil where it makes none. One that
  /// is set is published.
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

  /// Whether readings are to be asked for, which `publish` takes.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  package mutating func takeFollowed() -> Bool {
    let wasFollowed = isFollowed
    isFollowed = false
    return wasFollowed
  }

  /// Publishes what a parameter that ramps is now.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  package mutating func publish(_ reading: Float, ofParameter index: Int) {
    values[index] = reading
    isFollowed = true
  }
}

/// What an event makes of a parameter.
@usableFromInline
package struct ParameterChange: BitwiseCopyable {
  @usableFromInline package let index: Int
  /// Within the parameter's range.
  @usableFromInline package let value: Float
  /// 0 sets it.
  @usableFromInline package let rampFrames: UInt32

  @_noLocks @_noAllocation @inlinable
  init(index: Int, value: Float, rampFrames: UInt32) {
    self.index = index
    self.value = value
    self.rampFrames = rampFrames
  }
}
