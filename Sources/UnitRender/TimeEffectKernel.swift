// The protocol of units whose input and output differ in frames.

import Realtime

/// A kernel that needs another number of input frames for a call than it outputs.
///
/// Each call begins with `demand`, then `take` for the requested frames, in pieces. Then
/// `driveKernel` makes its usual calls. The slices passed to `render` have no input. A bypassed
/// kernel passes its input on itself, and then needs as many frames as it outputs. A bypass that
/// begins or ends within a call is one of its events.
public protocol TimeEffectKernel: RenderKernel, ~Copyable {
  /// Plans the frames of a call with the call's events.
  ///
  /// - Parameter before: for each frame of the call, the number of the returned frames that the
  ///   frames before it need. It rises, and does not depend on how frames are split into calls.
  /// - Returns: the number of frames that the call needs beyond those taken so far.
  /// - Thread: [render]. - Complexity: bounded by the frames and events of the call
  @_noLocks @_noAllocation
  mutating func demand(_ call: RenderCallView, before: UnsafeMutablePointer<Int32>) -> Int

  /// Takes the next `frameCount` requested frames from the start of the call's inputs.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func take(_ call: RenderCallView, frameCount: Int)
}

/// The functions that request and deliver a time effect's input, and the bounds of the request.
public struct TimeEffectRender: @unchecked Sendable, BitwiseCopyable {
  public let demand: DemandFunction
  public let take: TakeFunction
  /// The most input frames for each output frame.
  public let maximumRate: Int
  /// The most further input frames that a call may need.
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

/// Asks a kernel for a call's input frames. A unit's C function calls this on its own, concrete
/// type.
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

/// Delivers input to a kernel. A unit's C function calls this on its own, concrete type.
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
