// The comb filter's render side.

public import DSP
public import Realtime
public import UnitRender

extension CombFilter: ChannelKernel {
  @_noLocks @_noAllocation
  public mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    switch index {
    case 0: delay(request)
    case 1: feedback(request)
    case 2: feedforward.answer(request)
    case 3: damping.answer(request)
    default: mix.answer(request)
    }
  }
}

@_noLocks @_noAllocation
func combRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<CombFilter>.self, context, call)
}

@_noLocks @_noAllocation
func combReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<CombFilter>.self, context)
}
