// What a sampler's channels are before MIDI says otherwise: types of its pool.

import FluidSynthPool

public typealias BankSelect = FluidSynthPool.BankSelect
public typealias SamplerChannelSetup = FluidSynthPool.SamplerChannelSetup
