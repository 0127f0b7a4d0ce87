// The distortion's render side.

public import DSP
public import Realtime
public import UnitRender

extension Distortion: ChannelKernel {
  @_noLocks @_noAllocation
  public mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    switch index {
    case 0:
      if let shape = request.target {
        setShape(DistortionShape(place: Int(saturating: shape + 0.5)))
      }
      return nil
    case 1: return drive.answer(request)
    case 2: return gain.answer(request)
    default: return mix.answer(request)
    }
  }
}

@_noLocks @_noAllocation
func distortionRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<Distortion>.self, context, call)
}

@_noLocks @_noAllocation
func distortionReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<Distortion>.self, context)
}
