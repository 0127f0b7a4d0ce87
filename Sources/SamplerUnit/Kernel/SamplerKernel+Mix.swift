// Rendering with effects or with more than one output.

import FluidSynthPool
import Realtime
import UnitRender

extension SamplerKernel {
  /// Whether rendering takes more than adding the synths to one output.
  var isMixing: Bool {
    @_noLocks @_noAllocation get {
      if layout.busCount > 1 || effects.isSounding { return true }
      if let current, current.pointee.isSeparated { return true }
      var index = 0
      while index < ringing.count {
        if ringing[index].pointee.isSeparated { return true }
        index &+= 1
      }
      return false
    }
  }

  @_noLocks @_noAllocation
  mutating func renderMix(_ slice: RenderSlice) {
    let count = slice.frameCount
    var bus = 0
    while bus < layout.busCount {
      Samples.clear(slice.output(bus: bus, channel: 0), count: count)
      Samples.clear(slice.output(bus: bus, channel: 1), count: count)
      bus += 1
    }
    Samples.clear(mix.reverbSend, count: count)
    Samples.clear(mix.chorusSend, count: count)
    var side = 0
    while side < 32 {
      mix.dry[side] = slice.output(bus: layout.dryBus(channel: side >> 1), channel: side & 1)
      side += 1
    }
    addPools(count)
    let (reverb, chorus) = (layout.reverbBus, layout.chorusBus)
    effects.addReverb(
      of: mix, to: slice.output(bus: reverb, channel: 0),
      slice.output(bus: reverb, channel: 1), count: count)
    effects.addChorus(
      of: mix, to: slice.output(bus: chorus, channel: 0),
      slice.output(bus: chorus, channel: 1), count: count)
    applyGainToAll(slice)
  }

  /// Adds all pools. One from before effects were switched on has one output for all channels.
  @_noLocks @_noAllocation
  private mutating func addPools(_ count: Int) {
    if let current {
      if current.pointee.isSeparated {
        voices.take(
          current.pointee.add(to: mix, count: count, channels, fades: nil), of: current)
      } else {
        add(current, mix.dry[0], mix.dry[1], count, isFading: false)
      }
    }
    var index = 0
    while index < ringing.count {
      addRinging(ringing[index], count, isFading: isFading && index == 0)
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func addRinging(
    _ pool: UnsafeMutablePointer<SynthPool>, _ count: Int, isFading: Bool
  ) {
    if !pool.pointee.isSeparated {
      return add(pool, mix.dry[0], mix.dry[1], count, isFading: isFading)
    }
    let level = pool.pointee.level
    if !isFading && level == 1 {
      voices.take(pool.pointee.add(to: mix, count: count, channels, fades: nil), of: pool)
      return
    }
    var frame = 0
    while frame < count {
      mix.fades[frame] = isFading ? Float(fade.next()) * level : level
      frame += 1
    }
    voices.take(pool.pointee.add(to: mix, count: count, channels, fades: mix.fades), of: pool)
  }

  @_noLocks @_noAllocation
  private mutating func applyGainToAll(_ slice: RenderSlice) {
    let count = slice.frameCount
    let isMoving = gain.isRamping || audible.isRamping
    let factor = level * Float(audible.value)
    if !isMoving && factor == 1 { return }
    var frame = 0
    while isMoving && frame < count {
      if gain.isRamping { level = Vouched.amplitude(decibels: gain.next()) }
      mix.gains[frame] = level * Float(audible.next())
      frame += 1
    }
    var side = 0
    while side < 2 * layout.busCount {
      let samples = slice.output(bus: side >> 1, channel: side & 1)
      side += 1
      if !isMoving {
        Samples.scale(samples, by: factor, count: count)
        continue
      }
      frame = 0
      while frame < count {
        samples[frame] *= mix.gains[frame]
        frame += 1
      }
    }
  }
}
