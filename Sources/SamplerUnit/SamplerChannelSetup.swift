// Types of the pool for a sampler's initial channel state.

import FluidSynthPool

public typealias BankSelect = FluidSynthPool.BankSelect
public typealias SamplerChannelSetup = FluidSynthPool.SamplerChannelSetup
