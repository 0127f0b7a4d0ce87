// The loop that makes events frame-exact: it splits a call at the frames of its events.

import Realtime

/// Renders one call with a kernel: renders up to each event, applies it and continues. A unit's C
/// function calls this with its own, concrete kernel type. The values of parameter events are
/// within the ranges that the context has.
///
/// Generic functions carry no `@_noLocks @_noAllocation`: the compiler rejects these on open types,
/// and checks the specialised code at the call in an annotated function.
///
/// - Returns: `RenderStatus`.
/// - Thread: [render]
@inlinable
public func driveKernel<Kernel: RenderKernel & ~Copyable>(
  _ type: Kernel.Type, _ context: UnsafeMutableRawPointer,
  _ callPointer: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  let call = RenderCallView(callPointer)
  let context = context.assumingMemoryBound(to: KernelContext.self)
  let kernel = context.pointee.kernel(as: type)
  let frameCount = call.frameCount
  if frameCount > context.pointee.maximumFrames { return RenderStatus.tooManyFrames }
  if !context.pointee.outputs.supply(call) { return RenderStatus.formatMismatch }
  if !hasInputs(call) { return RenderStatus.noConnection }

  let isBypassed =
    call.call.pointee.flags & UInt32(kRenderCallBypass) != 0 && !Kernel.handlesBypass()
  kernel.pointee.begin(call)
  let start = call.call.pointee.frame
  let end = start &+ FrameTime(frameCount)
  var position = 0
  if let events = call.events { context.pointee.ranges.hold(events, before: end) }
  if let list = kernel.pointee.transformEvents(call.events, call) {
    var next = list.first
    while let event = next, event.pointee.frame < end {
      // An event before the call takes effect at once. Its distance is not computed, as it could
      // wrap.
      let offset = event.pointee.frame > start ? Int(event.pointee.frame &- start) : 0
      if offset > position {
        renderSlice(
          kernel, RenderSlice(call: call, offset: position, frameCount: offset &- position),
          isBypassed)
        position = offset
      }
      kernel.pointee.handle(event, in: list, call)
      next = list.next(after: event)
    }
  }
  if position < frameCount {
    renderSlice(
      kernel, RenderSlice(call: call, offset: position, frameCount: frameCount &- position),
      isBypassed)
  }
  kernel.pointee.end(call)
  return RenderStatus.ok
}

/// Resets a kernel. A unit's reset function calls this with its own, concrete kernel type.
/// - Thread: [render]
@inlinable
public func resetKernel<Kernel: RenderKernel & ~Copyable>(
  _ type: Kernel.Type, _ context: UnsafeMutableRawPointer
) {
  let context = context.assumingMemoryBound(to: KernelContext.self)
  context.pointee.kernel(as: type).pointee.reset()
}

@inlinable
func renderSlice<Kernel: RenderKernel & ~Copyable>(
  _ kernel: UnsafeMutablePointer<Kernel>, _ slice: RenderSlice, _ isBypassed: Bool
) {
  if isBypassed {
    passThrough(slice)
    kernel.pointee.skip(slice.frameCount)
  } else {
    kernel.pointee.render(slice)
  }
}

/// Whether the call brings memory for every channel of every input.
@_noLocks @_noAllocation @usableFromInline
func hasInputs(_ call: RenderCallView) -> Bool {
  var bus = 0
  while bus < Int(call.call.pointee.inputBusCount) {
    let buffers = call.input(bus)
    var channel = 0
    while channel < buffers.channelCount {
      if buffers[channel] == nil { return false }
      channel &+= 1
    }
    bus &+= 1
  }
  return true
}

/// Copies the first input bus to the first output bus. An input of one channel goes to all output
/// channels; output channels without an input channel, and all other busses, are silent.
@_noLocks @_noAllocation @usableFromInline
func passThrough(_ slice: RenderSlice) {
  let call = slice.call
  let inputCount = call.call.pointee.inputBusCount > 0 ? call.input(0).channelCount : 0
  var bus = 0
  while bus < Int(call.call.pointee.outputBusCount) {
    // The last channel first: the first one's memory may be the input's.
    var channel = call.output(bus).channelCount
    while channel > 0 {
      channel &-= 1
      let output = slice.output(bus: bus, channel: channel)
      if bus == 0 && (channel < inputCount || inputCount == 1) {
        let input = slice.input(channel: min(channel, inputCount &- 1))
        Samples.copy(input, to: output, count: slice.frameCount)
      } else {
        Samples.clear(output, count: slice.frameCount)
      }
    }
    bus &+= 1
  }
}
