// The contract of units that ask for more or fewer frames than they put out.

import Realtime

/// A kernel that needs another number of input frames for a call than it puts out.
///
/// For each call comes first `demand`, then `take` for as many frames as it asked for, in pieces,
/// then, by `driveKernel`, what every kernel is called for. The slices that `render` gets have no
/// input. A kernel passes its input on by itself while it is bypassed: it needs as many frames as
/// it puts out then. A bypass that begins or ends within a call is one of its events.
public protocol TimeEffectKernel: RenderKernel, ~Copyable {
  /// Decides how the frames of a call come about, with the events of the call.
  ///
  /// - Parameter before: for each frame of the call, how many of the frames that this function
  ///   returns the frames before it need. It rises, and is the same whatever calls there were.
  /// - Returns: how many frames the call needs beyond those taken so far.
  /// - Thread: [render]. - Complexity: bounded by the frames and events of the call
  @_noLocks @_noAllocation
  mutating func demand(_ call: RenderCallView, before: UnsafeMutablePointer<Int32>) -> Int

  /// Takes the next `frameCount` frames of those that were asked for, from the start of the call's
  /// inputs.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func take(_ call: RenderCallView, frameCount: Int)
}

/// What asks for a time effect's input and brings it, with what bounds it.
public struct TimeEffectRender: @unchecked Sendable, BitwiseCopyable {
  public let demand: DemandFunction
  public let take: TakeFunction
  /// Input frames for each frame that is put out, at most.
  public let maximumRate: Int
  /// Input frames beyond these that a call may need.
  public let extraFrames: Int

  /// - Parameters:
  ///   - demand: an annotated function that calls `driveDemand` on the kernel's type.
  ///   - take: an annotated function that calls `driveTake` on the kernel's type.
  public init(
    demand: @escaping DemandFunction, take: @escaping TakeFunction, maximumRate: Int,
    extraFrames: Int
  ) {
    self.demand = demand
    self.take = take
    self.maximumRate = maximumRate
    self.extraFrames = extraFrames
  }
}

/// Asks a kernel for what a call needs. A unit's C function calls this on its own, concrete type.
/// - Thread: [render]
@inlinable
public func driveDemand<Kernel: TimeEffectKernel & ~Copyable>(
  _ type: Kernel.Type, _ context: UnsafeMutableRawPointer,
  _ call: UnsafeMutablePointer<RenderCall>, _ before: UnsafeMutablePointer<Int32>
) -> Int32 {
  let context = context.assumingMemoryBound(to: KernelContext.self)
  if Int(call.pointee.frameCount) > context.pointee.maximumFrames { return 0 }
  return Int32(
    truncatingIfNeeded: context.pointee.kernel(as: type).pointee.demand(
      RenderCallView(call), before: before))
}

/// Brings a kernel input. A unit's C function calls this on its own, concrete type.
/// - Thread: [render]
@inlinable
public func driveTake<Kernel: TimeEffectKernel & ~Copyable>(
  _ type: Kernel.Type, _ context: UnsafeMutableRawPointer,
  _ call: UnsafeMutablePointer<RenderCall>, _ frameCount: UInt32
) {
  let call = RenderCallView(call)
  let context = context.assumingMemoryBound(to: KernelContext.self)
  if Int(frameCount) > context.pointee.maximumFrames || !hasInputs(call) { return }
  context.pointee.kernel(as: type).pointee.take(call, frameCount: Int(frameCount))
}
