// The delay's render side.

public import DSP
public import Realtime
public import UnitRender

extension Echo: ChannelKernel {
  @_noLocks @_noAllocation
  public mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    switch index {
    case 0: delay(request)
    case 1: feedback(request)
    case 2: cutoff.answer(request)
    default: mix.answer(request)
    }
  }
}

@_noLocks @_noAllocation
func delayRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<Echo>.self, context, call)
}

@_noLocks @_noAllocation
func delayReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<Echo>.self, context)
}
