// The sampler's kernel: the playing pool of synths, replaced pools while they sound, and the gain
// of all.

import DSP
import FluidSynthPool
import MIDIStages
import Realtime
import UnitRender

/// Plays MIDI on the pool of synths that the control side published last.
///
/// A new pool takes over at the start of a call, in one step. A pool prepared for an entry of the
/// live set takes over on the frame of its selection. Held notes continue on the old pool until
/// they have faded out; their note-offs, controllers, bends and pressures still reach it. At most
/// four old pools ring: for one more the oldest fades out over 20 ms before the next takes over.
struct SamplerKernel: RenderKernel, ~Copyable {
  let mailbox: PublishedPointer
  let chain: MIDIChainPlayer
  let values: ParameterValues
  let channels: ChannelStates
  let counters: SamplerCounters
  let scratch: SamplerScratch
  let deferred: DeferredEvents
  /// Sample rate, in hertz.
  let sampleRate: Double

  var live: LiveTable
  let liveStatus: LiveStatus
  let presets: PlayedPresets
  /// Whether channels may have presets that differ from `presets`.
  var hasNewPresets = true

  var current: UnsafeMutablePointer<SynthPool>?
  var ringing = RingingPools()
  /// Level of the oldest ringing pool, 1 until it has to make room.
  var fade: LinearRamp
  var isFading = false
  /// Pools to be handed back.
  var surplus: UnsafeMutablePointer<SynthPool>?
  /// The selected entry that is not ready, −1 for none, the frame of its selection, and whether a
  /// program change selected it.
  var waitingEntry = -1
  var waitingSince: FrameTime = 0
  var waitingIsPlayed = false
  /// The entry that has taken over in this call and still needs its settings, −1 for none, and
  /// whether a program change selected it.
  var arrivedEntry = -1
  var arrivedIsPlayed = false

  /// Whether the current pool took over from another for the entry that was selected last.
  var hasEntered = false
  /// Count of frames since the last boundary of 64 frames.
  var clock = 0
  /// Count of frames of the call to render later, up to the next boundary, and the first of them.
  var postponed = 0
  var postponedFrom = 0
  /// Whether the last call ended on a boundary of 64 frames that has work.
  var isAtBound = false
  /// Whether a lost event may have been a note-off.
  var mustEndAll = false
  var voices = VoiceTally()

  var settings = SynthSettings()
  /// Cents that the unit's parameters add to the pitch of every channel.
  var basePitchCents: Float = 0
  var transpose: Float = 0
  var tuningHertz: Float = 440
  var pan: UInt8 = 64
  /// The gain, in decibels.
  var gain: LinearRamp
  /// Whether `gain` follows a requested ramp, so that its value is published during the ramp.
  var isGainRamp = false
  /// The master volume, or 0 while the unit is bypassed.
  var audible: LinearRamp
  var isBypassed = false
  /// The linear factor of `gain` at rest.
  var level: Float = 1
  let layout: SamplerOutputLayout
  let mix: SamplerMix
  var effects: SamplerEffects

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    isBypassed = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    let target = audibleTarget
    if audible.target != target { audible.start(to: target, overFrames: 0) }
    effects.readSwitches(values)
    if isAtBound {
      isAtBound = false
      passBound(at: call.call.pointee.frame)
    }
    retireSilent()
    takeNext()
  }

  @_noLocks @_noAllocation
  mutating func transformEvents(_ list: RenderEventList?, _ call: RenderCallView)
    -> RenderEventList?
  {
    guard let list else { return nil }
    if !live.isEmpty { takeEntries(list, call) }
    chain.process(list, during: MIDIChainCall(call, sampleRate: sampleRate))
    return list
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?:
      // Events without cost do not wait, unless they are an entry's.
      if isGainOrEffect(event.pointee.address) && event.pointee.cable != LiveTable.mark {
        renderPostponed(call)
        return setParameter(event.pointee)
      }
      execute(event.pointee, bytes: nil)
    case .midi?: execute(event.pointee, bytes: nil)
    case .systemExclusive?: execute(event.pointee, bytes: list.systemExclusiveBytes(of: event))
    case .bypass?, nil: break
    }
  }

  /// Renders up to each boundary of 64 frames that has work. While events wait for it, nothing
  /// changes before it, so the frames up to there are rendered together.
  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var offset = 0
    while offset < slice.frameCount {
      var count = slice.frameCount &- offset
      let hasBound = needsBounds()
      if hasBound { count = min(count, SynthBlock.frames &- clock &- postponed) }
      if postponed == 0 { postponedFrom = slice.offset &+ offset }
      postponed &+= count
      offset &+= count
      let isLast = slice.offset &+ offset >= slice.call.frameCount
      if !deferred.isEmpty && clock &+ postponed < SynthBlock.frames && !isLast { continue }
      renderPostponed(slice.call)
      if !hasBound || clock > 0 { continue }
      // Waiting events are work of the call that they sound in.
      if isLast { isAtBound = true } else { passBound(at: slice.frame &+ FrameTime(offset)) }
    }
  }

  @_noLocks @_noAllocation
  private mutating func renderPostponed(_ call: RenderCallView) {
    if postponed == 0 { return }
    renderPart(RenderSlice(call: call, offset: postponedFrom, frameCount: postponed))
    pass(postponed)
    postponed = 0
  }

  @_noLocks @_noAllocation
  private mutating func renderPart(_ slice: RenderSlice) {
    voices = VoiceTally()
    voices.isKnown = true
    if isMixing { return renderMix(slice) }
    effects.skip(slice.frameCount)
    let left = slice.output(channel: 0)
    let right = slice.output(channel: 1)
    let count = slice.frameCount
    if let current {
      voices.take(current.pointee.mix(count: count, into: scratch), of: current)
      Samples.copy(scratch.left, to: left, count: count)
      Samples.copy(scratch.right, to: right, count: count)
    } else {
      Samples.clear(left, count: count)
      Samples.clear(right, count: count)
    }
    var index = 0
    while index < ringing.count {
      add(ringing[index], left, right, count, isFading: isFading && index == 0)
      index &+= 1
    }
    applyGain(left, right, count)
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    let (skipped, shortages) = scratch.work.takeTroubles()
    if skipped > 0 { counters.countSkippedBlocks(skipped) }
    if shortages > 0 { counters.countShortages(shortages) }
    countVoices()
    counters.setVoices(voices.sounding)
    if hasNewPresets {
      presets.look(at: current)
      hasNewPresets = false
    }
    if isGainRamp {
      values[SamplerParameterIndex.gain] = Float(gain.value)
      isGainRamp = gain.isRamping
    }
    chain.publishReadings()
    effects.publishRamps(values)
  }

  /// Ends all sound and resets the controllers; programs, volumes and pans stay.
  @_noLocks @_noAllocation
  mutating func reset() {
    deferred.removeAll()
    silence()
    endAll()
    chain.reset()
    effects.reset()
    gain.set(immediately: gain.target)
    level = Vouched.amplitude(decibels: gain.target)
    audible.set(immediately: audible.target)
  }

  /// Ends all sound at once. All Sound Off would take effect in FluidSynth's next block. A note-off
  /// before that, such as a pending release of the chain, would let the note ring out.
  @_noLocks @_noAllocation
  private mutating func silence() {
    voices.isKnown = false
    if let current { current.pointee.silence(scratch) }
    var index = 0
    while index < ringing.count {
      ringing[index].pointee.silence(scratch)
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func endAll() {
    voices.isKnown = false
    var channel: UInt8 = 0
    while channel < 16 {
      play(.midi(0xB0 | channel, 120, 0, at: 0))
      play(.midi(0xB0 | channel, 121, 0, at: 0))
      channel &+= 1
    }
  }

  /// A bypassed unit is silent, and loses no event.
  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func add(
    _ pool: UnsafeMutablePointer<SynthPool>, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, _ count: Int, isFading: Bool
  ) {
    voices.take(pool.pointee.mix(count: count, into: scratch), of: pool)
    if pool.pointee.level != 1 {
      Samples.scale(scratch.left, by: pool.pointee.level, count: count)
      Samples.scale(scratch.right, by: pool.pointee.level, count: count)
    }
    if !isFading {
      Samples.add(scratch.left, to: left, count: count)
      Samples.add(scratch.right, to: right, count: count)
      return
    }
    var frame = 0
    while frame < count {
      let factor = Float(fade.next())
      left[frame] += scratch.left[frame] * factor
      right[frame] += scratch.right[frame] * factor
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func applyGain(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if !gain.isRamping && !audible.isRamping {
      let factor = level * Float(audible.value)
      if factor == 1 { return }
      Samples.scale(left, by: factor, count: count)
      Samples.scale(right, by: factor, count: count)
      return
    }
    var frame = 0
    while frame < count {
      if gain.isRamping { level = Vouched.amplitude(decibels: gain.next()) }
      let factor = level * Float(audible.next())
      left[frame] *= factor
      right[frame] *= factor
      frame += 1
    }
  }
}

@_noLocks @_noAllocation
func samplerRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(SamplerKernel.self, context, call)
}

@_noLocks @_noAllocation
func samplerReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(SamplerKernel.self, context)
}
