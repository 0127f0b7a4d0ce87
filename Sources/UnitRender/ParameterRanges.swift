// The ranges that a unit's parameter events are held to.

import Realtime

/// The ranges of parameters by their addresses, for a driver that holds the values of events to
/// them: a kernel gets no value out of range, whoever has sent it.
///
/// The value owns memory: `deallocate` frees it. Used by one render thread at a time.
@usableFromInline
struct ParameterRanges: BitwiseCopyable {
  /// Sorted, without repetition.
  private let addresses: UnsafeMutablePointer<UInt64>
  private let limits: UnsafeMutablePointer<ParameterLimits>
  private let count: Int

  /// - Thread: [control]
  init(_ parameters: [UInt64: ParameterLimits]) {
    count = parameters.count
    addresses = .allocate(capacity: max(1, count))
    limits = .allocate(capacity: max(1, count))
    for (index, parameter) in parameters.sorted(by: { $0.key < $1.key }).enumerated() {
      (addresses + index).initialize(to: parameter.key)
      (limits + index).initialize(to: parameter.value)
    }
  }

  /// - Thread: [control], once no render thread uses it.
  func deallocate() {
    addresses.deallocate()
    limits.deallocate()
  }

  /// Holds the values of the parameter events before a frame; NaN becomes the low end. Values of
  /// other addresses stay.
  /// - Thread: [render]. - Complexity: O(events), and O(log parameters) for those of parameters
  @_noLocks @_noAllocation @usableFromInline
  func hold(_ list: RenderEventList, before end: FrameTime) {
    if count == 0 { return }
    var next = list.first
    while let event = next, event.pointee.frame < end {
      if event.pointee.isParameter {
        let index = firstIndex(from: event.pointee.address)
        if index < count && addresses[index] == event.pointee.address {
          event.pointee.value = limits[index].held(event.pointee.value)
        }
      }
      next = list.next(after: event)
    }
  }

  /// The index of the first parameter whose address is not lower.
  @_noLocks @_noAllocation
  private func firstIndex(from address: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) / 2
      if addresses[middle] < address { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
