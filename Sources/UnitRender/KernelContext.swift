// The memory at the context pointer of a unit's C function.

/// A kernel with output memory for calls without their own.
///
/// The type is not generic, so that one pointer type serves every unit.
public struct KernelContext: BitwiseCopyable {
  public let kernel: UnsafeMutableRawPointer
  public let maximumFrames: Int
  @usableFromInline let outputs: OwnOutputs
  @usableFromInline let ranges: ParameterRanges

  /// Allocates a context on the heap and moves `kernel` to the heap too. The pointer is the context
  /// of the unit's render function.
  /// - Parameters:
  ///   - outputChannels: the channel count of each output bus.
  ///   - maximumFrames: the most frames of one call.
  ///   - parameters: the ranges that the values of events are held to, by address.
  /// - Thread: [control]
  public static func allocate<Kernel: RenderKernel & ~Copyable>(
    _ kernel: consuming Kernel, outputChannels: [Int], maximumFrames: Int,
    parameters: [UInt64: ParameterLimits] = [:]
  ) -> UnsafeMutablePointer<KernelContext> {
    let kernelPointer = UnsafeMutablePointer<Kernel>.allocate(capacity: 1)
    kernelPointer.initialize(to: kernel)
    let pointer = UnsafeMutablePointer<KernelContext>.allocate(capacity: 1)
    pointer.initialize(
      to: KernelContext(
        kernel: UnsafeMutableRawPointer(kernelPointer), maximumFrames: maximumFrames,
        outputs: OwnOutputs(channels: outputChannels, frames: maximumFrames),
        ranges: ParameterRanges(parameters)))
    return pointer
  }

  /// Frees a context and its kernel, which was allocated as a `Kernel`.
  /// - Thread: [control], once the render side is gone.
  public static func deallocate<Kernel: RenderKernel & ~Copyable>(
    _ context: UnsafeMutablePointer<KernelContext>, of type: Kernel.Type
  ) {
    let kernel = context.pointee.kernel(as: type)
    kernel.deinitialize(count: 1)
    kernel.deallocate()
    context.pointee.outputs.deallocate()
    context.pointee.ranges.deallocate()
    context.deallocate()
  }

  /// Returns the kernel, which was allocated as a `Kernel`.
  @inlinable
  public func kernel<Kernel: RenderKernel & ~Copyable>(as type: Kernel.Type)
    -> UnsafeMutablePointer<Kernel>
  {
    kernel.assumingMemoryBound(to: type)
  }
}

/// Output memory that belongs to a unit: one buffer a channel.
@usableFromInline
struct OwnOutputs: BitwiseCopyable {
  @usableFromInline let memory: UnsafeMutablePointer<Float>
  @usableFromInline let frames: Int
  @usableFromInline let channels: UnsafeMutablePointer<Int>
  @usableFromInline let busCount: Int

  init(channels: [Int], frames: Int) {
    let total = channels.reduce(0, +) * frames
    memory = .allocate(capacity: max(total, 1))
    memory.initialize(repeating: 0, count: max(total, 1))
    self.frames = frames
    self.channels = .allocate(capacity: max(channels.count, 1))
    self.channels.initialize(repeating: 0, count: max(channels.count, 1))
    for (index, count) in channels.enumerated() { self.channels[index] = count }
    busCount = channels.count
  }

  func deallocate() {
    memory.deallocate()
    channels.deallocate()
  }

  /// Returns whether the call's outputs have the unit's layout. Gives its own memory to outputs
  /// without any.
  @_noLocks @_noAllocation @inlinable
  func supply(_ call: RenderCallView) -> Bool {
    if Int(call.call.pointee.outputBusCount) != busCount { return false }
    var own = memory
    var bus = 0
    while bus < busCount {
      let buffers = call.output(bus)
      if buffers.channelCount != channels[bus] { return false }
      var channel = 0
      while channel < buffers.channelCount {
        if buffers[channel] == nil { buffers[channel] = own }
        own += frames
        channel &+= 1
      }
      bus &+= 1
    }
    return true
  }
}
