// The equalizer's render side.

public import DSP
public import Realtime
public import UnitRender

extension Equalizer: ChannelKernel {
  /// Parameter 0 is the gain after all bands; each band has five more, in the order of
  /// `BandSetting`.
  @_noLocks @_noAllocation
  public mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    if index == 0 { return gain.answer(request) }
    let band = (index &- 1) / 5
    return setting(BandSetting(number: index &- 1 &- band &* 5), ofBand: band, request)
  }
}

@_noLocks @_noAllocation
func eqRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ChannelKernels<Equalizer>.self, context, call)
}

@_noLocks @_noAllocation
func eqReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ChannelKernels<Equalizer>.self, context)
}
