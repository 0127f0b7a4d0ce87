// The SoundFont sampler as a unit.

import DSP
import FluidSynthPool
public import MIDIStages
public import MIDIStagesModel
import Realtime
import SoundFontFiles
import Synchronization
public import UnitModel
import UnitRender

/// Plays SoundFonts (SF2 and SF3) with FluidSynth.
///
/// - 16 MIDI channels; outputs by `SamplerOutputLayout`, by default one stereo bus, at 16 to 96
///   kHz. At other rates, and without a SoundFont, it is silent.
/// - Parameters: `gain`, −60 to 24 dB, where −60 is silence and 0 is FluidSynth's own default; it
///   ramps, and a step takes 20 ms. `pan` is controller 10 of all channels. `transpose` (−24 to 24
///   semitones) and `tuning` (A4, 400 to 480 Hz) move all but percussion channels, sounding notes
///   included. `interpolation` applies to later notes. `reverb.…`, `chorus.…` and `midi.…` are the
///   settings of the effects and of the MIDI chain.
/// - Some parameters are no events. FluidSynth allocates for `polyphony`, so another synth takes
///   over, as after a reload. `synths`, 1 to 64, is the count that shares the SoundFont. With
///   `minimumNoteLength`, 0 to 1000 ms, default 10, an earlier note-off waits, so that a note as
///   short as a trigger's is heard.
/// - A note begins on its frame, and its sound does not depend on the frame. FluidSynth begins
///   notes at boundaries of its blocks of 64 frames, and each note gets a synth with a boundary on
///   its frame. If all `synths` sound and none has such a boundary, the note waits for the next, up
///   to 63 frames. So may the notes of a channel in mono, legato or portamento mode, which share
///   one synth. So may a key that is struck again while the sostenuto pedal holds it. `lateNotes`
///   counts them.
/// - Note-offs, controllers, bends and pressures take effect at the next block boundary of each
///   synth, up to 63 frames late. So does the end of a note by an exclusive class, or by the same
///   key struck again. Gain takes effect on its frame.
/// - A voice that sounded at another pan before glides to its own within 64 frames, one that has
///   not sounded yet from the middle. Otherwise equal notes are bit-identical.
/// - The cost of events in 64 frames is limited to about a fifth of that time. Beyond the limit,
///   events wait in order for the next 64. It is reached by some 30 note-ons, a dozen that end
///   other notes, or one reset followed by notes. `deferredEvents` and `longestDelayFrames` report
///   waits. Waiting values of a controller replace each other, a reset the events waiting before
///   it, and All Sound Off the notes of its channel.
/// - Above `polyphony` the oldest note ends: first a released one, then one held by a pedal.
/// - Several SoundFonts can lie on top of each other, each with a bank offset (`SoundFontEntry`).
///   The last one that has a bank and program plays it.
/// - The configured bank and program apply to every channel. Drum channels, 10 unless
///   `SamplerChannelSetup` says otherwise, play the font's percussion kit (bank 128) if it has one.
///   Program changes and bank selects choose others. A configured bank 128 makes every channel a
///   percussion channel. State set by channel messages and resets stays when another SoundFont is
///   loaded, except programs, which `load` sets on all channels.
/// - A live set (`setLiveSet`) is a list of numbered sounds, each with SoundFonts, bank, program
///   and parameters. Program changes on its channel select them, before the MIDI chain, and are not
///   passed on. An entry whose SoundFonts are in memory takes over on the frame of its program
///   change with its parameters, any other once it is loaded. Held notes ring out on the old sound,
///   and their note-offs and pedals still reach it. Up to four old sounds ring; for one more the
///   oldest fades out over 20 ms before the next takes over. Gain, pan and pitch of an entry do not
///   change notes ringing on other SoundFonts; entries with the same SoundFonts share them.
/// - Every channel message reaches FluidSynth, mode messages for their own channel only. Omni Off
///   and On end its notes; Mono On and Poly On also choose its mode. Mono On is for its own channel
///   whatever channel count it gives. If that count would reach beyond the 16th, it ends the notes
///   and chooses no mode.
/// - In mono and legato mode the newest held key sounds. At its note-off the key before it sounds
///   again if it is still held. One note-off ends a key however often it was struck. A mode
///   message, All Notes Off, All Sound Off or a reset ends all held keys.
/// - The bend's range is at most 96 semitones, coarse tuning ±24, both together at most 48 upwards.
///   NRPNs reach neither the generators of pitch nor those of sample positions. In mono and legato
///   mode the portamento control (CC 84) is ignored. A reset, also System Reset, restores the
///   configured programs and the parameters, and clears the SysEx settings and tunings described
///   below.
/// - It executes SysEx to device 17 (10 in the message) or to all. Resets (GM, GM2, GS, XG) also
///   choose how banks are selected, at first by `SamplerChannelSetup`. Master volume (GM, GS, XG)
///   is squared. Fine and coarse tuning are those of GM, GS master tune and key shift, and XG
///   master tune and transpose. Of GS and XG parts it executes level, pan, chorus and reverb send,
///   which are controllers 7, 10, 93 and 91 of the channel. It also executes key or note shift,
///   pitch offset or detune in hertz, and GS "use for rhythm part". Shifts add up to ±24 semitones.
///   GS messages with a wrong checksum are ignored, as hardware does.
/// - MIDI tuning: bulk dumps of keys and octaves, changes of notes, with or without a bank, and
///   octaves of channels with one or two bytes a note. Registered parameters 3 and 4 select program
///   and bank of a channel's tuning. Real-time messages (and a selection) retune sounding notes,
///   the others later notes. There is room for 128 tunings. They move pitches that follow the key,
///   and no percussion; pitches are whole cents. A glide begins at the pitch of the untuned key.
///   Messages for this device that are not executed are counted (`ignoredMessages`).
/// - Reverb and chorus are this program's own, with FluidSynth's parameters, because FluidSynth's
///   own allocate on the render thread. Both are off by default, and then cost nothing. `reverb.on`
///   and `chorus.on` are no events: like `polyphony` they make other synths take over, with an
///   output for each of 16 channels. An effect that is switched off rings out. The levels and
///   `reverb.width` ramp; the other parameters take the target of a ramp at once and reach it
///   within 20 ms.
/// - The send to an effect is, as in FluidSynth, the SoundFont's own amount and up to 20 % by
///   controller 91 (reverb) or 93 (chorus), before panning. (A SoundFont's own modulators of these
///   controllers are ignored.) The notes of a channel that share a synth share the newest one's
///   amount: those on one frame, or on frames a multiple of 64 apart. Panning counts as at the
///   note's beginning. A change reaches a note over one block of its synth.
///
/// AUv3: `AVAudioUnitSampler` as an audio unit.
public final class SamplerUnit: AudioUnit, MIDIChainUnit, @unchecked Sendable {
  /// The stages of the MIDI chain, in order. `setMIDIStages` exchanges them, also while playing.
  ///
  /// - Thread: [control]
  public var midiLayout: MIDIChainLayout { midi.layout }
  public var midiCounters: DeferredEventCounters { midi.counters }
  private let midi: MIDIChainHost
  /// The output busses. Their names follow the sound: "Ch 10: Standard Kit" for a bus of one
  /// channel; "Grand Piano", the live set's entry or the configured preset, for a bus of all.
  ///
  /// - Thread: [any]
  public let outputLayout: SamplerOutputLayout
  let bay = SynthPools()
  let reported: Mutex<ReportedSound>

  /// Makes a sampler without a SoundFont.
  ///
  /// - Parameters:
  ///   - midiStages: the kinds of the chain's stages, in the order in which MIDI passes them.
  ///   - outputs: the output busses.
  ///   - channels: the channels' setup before MIDI changes it.
  /// - Throws: `MIDIStagesError` for too many stages.
  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription = SamplerUnit.component.description,
    midiStages: [MIDIStageKind] = [], outputs: SamplerOutputLayout = .stereo,
    channels: SamplerChannelSetup = SamplerChannelSetup()
  ) throws {
    try MIDIChainHost.check(midiStages)
    midi = MIDIChainHost(midiStages)
    outputLayout = outputs
    reported = Mutex(ReportedSound(names: outputs.busNames))
    super.init(
      componentDescription: componentDescription,
      outputBusses: BusArray(
        .output,
        try outputs.busNames.map {
          try Bus(.output, name: $0, supportedChannelCounts: [2], maximumChannelCount: 2)
        }),
      parameterTree: try SamplerParameters.tree(midi.layout),
      parameterReserve: MIDIChainHost.parameterReserve)
    try bay.resize {
      $0.isSeparated = outputs != .stereo
      $0.channels = channels
    }.get()
    followSound()
  }

  public func setMIDIStages(_ kinds: [MIDIStageKind]) throws(MIDIStagesError) {
    try midi.setStages(kinds, of: self, tree: SamplerParameters.tree)
  }

  /// The component to register: `aumu/smpl/Aurc`, short name `sampler`. Its units have no MIDI
  /// chain.
  ///
  /// - Thread: [any]
  public static let component = component(midiStages: [])

  /// The component for units with a MIDI chain of these stages.
  ///
  /// - Thread: [any]
  public static func component(midiStages: [MIDIStageKind]) -> Component {
    component(midiStages: midiStages, outputs: .stereo)
  }

  /// The component for units with a MIDI chain of these stages, these outputs and these channels.
  ///
  /// - Thread: [any]
  public static func component(
    midiStages: [MIDIStageKind], outputs: SamplerOutputLayout,
    channels: SamplerChannelSetup = SamplerChannelSetup()
  ) -> Component {
    Component(
      description: ComponentDescription(type: .instrument, subtype: "smpl", manufacturer: "Aurc"),
      name: "Sampler", shortName: "sampler", unitType: SamplerUnit.self,
      tags: ["Sampler", "Synthesizer"]
    ) { description, _ in
      try SamplerUnit(
        componentDescription: description, midiStages: midiStages, outputs: outputs,
        channels: channels)
    }
  }

  /// Range of the sample rates at which it plays, in hertz.
  ///
  /// - Thread: [any]
  public static let sampleRates = PreparedPool.sampleRates

  public override var channelCapabilities: [ChannelCapability]? {
    [ChannelCapability(inputs: 0, outputs: 2)]
  }

  /// The longest release of the SoundFonts' volume envelopes plus the tail of the effects that are
  /// on, in seconds; 0 without a SoundFont.
  ///
  /// A sound ends this long after its note-off and the release of the pedals. (Controllers can make
  /// it longer if the SoundFont has modulators for it.) Observers are notified of a changed tail at
  /// once after settings and loads, and within about 20 ms after events and program changes.
  public override var tailTime: Double {
    bay.choice.map { $0.stack.longestReleaseSeconds + effectsTailSeconds } ?? 0
  }

  /// Count of SysEx messages for this device that were not executed, and of tunings beyond the 128
  /// stored.
  ///
  /// - Thread: [any]
  public var ignoredMessages: Int { bay.counters.ignoredMessages }

  /// Beginning of the first ignored message: up to seven bytes after the 0xF0.
  ///
  /// - Thread: [any]
  public var firstIgnoredMessage: [UInt8] {
    SystemExclusive.bytes(ofBeginning: bay.counters.firstIgnored)
  }

  /// Count of blocks of 64 frames that were skipped to keep up with floods of controllers.
  ///
  /// - Thread: [any]
  public var skippedBlocks: Int { bay.counters.skippedBlocks }

  /// Count of times that FluidSynth was short of voices, and ended some of its own choice at once.
  /// Causes are dozens of notes held by the sostenuto pedal, and notes that return in mono mode.
  ///
  /// - Thread: [any]
  public var voiceShortages: Int { bay.counters.shortages }

  /// Count of events that had to wait, because earlier events around the same frame exceeded the
  /// cost limit for 64 frames.
  ///
  /// - Thread: [any]
  public var deferredEvents: Int {
    bay.counters.deferred.deferredEvents + midi.counters.deferredEvents
  }

  /// Longest wait of a deferred event, in frames: before the MIDI chain or after it, not their sum.
  ///
  /// - Thread: [any]
  public var longestDelayFrames: Int {
    max(bay.counters.deferred.longestDelayFrames, midi.counters.longestDelayFrames)
  }

  /// Count of lost events. Note-ons are lost while 12,288 events wait, others while 16,384 wait;
  /// before the MIDI chain, half as many. After the loss of another event than a note-on, all sound
  /// ends once the waiting events are executed.
  ///
  /// - Thread: [any]
  public var lostEvents: Int { bay.counters.deferred.lostEvents + midi.counters.lostEvents }

  /// Count of notes that began up to 63 frames late, because no synth was free or because they
  /// share the synth of an earlier note (see the type).
  ///
  /// - Thread: [any]
  public var lateNotes: Int { bay.counters.lateNotes }

  /// The entries of the live set; without one, the sounds of the SoundFonts.
  public override var factoryPresets: [Preset] {
    guard let liveSet = bay.liveSet else { return sounds }
    return liveSet.entries.map { Preset(number: $0.number, name: $0.name) }
  }

  /// Selects an entry, or a sound, while the caller waits. Sounding notes continue.
  public override func apply(factoryPreset preset: Preset) throws(StateError) {
    if bay.liveSet == nil { return try apply(sound: preset) }
    do throws(LiveSetError) { try select(entry: preset.number) } catch {
      throw .invalidSetting("entry", reason: error.description)
    }
  }

  /// The SoundFonts' paths and bank offsets, bank and program, and their live set entry; nothing of
  /// it without a SoundFont. For a document also outputs and channels that are not the defaults.
  public override func settings(forDocument: Bool) -> StateDictionary {
    SoundFontSetting(bay.choice, entry: currentEntry?.number).dictionary.merging(
      outputSetting(forDocument: forDocument).merging(channelSetting(forDocument: forDocument)) {
        own, _ in own
      }
    ) { own, _ in own }
  }

  public override func checkSettings(_ settings: StateDictionary) throws(StateError) {
    _ = try SoundFontSetting(withoutOutputs(withoutChannels(settings).settings))
  }

  /// Loads the SoundFonts while the caller waits. Sounding notes continue.
  public override func applySettings(_ settings: StateDictionary) throws(StateError) {
    let (settings, channels) = try withoutChannels(settings)
    let setting = try SoundFontSetting(withoutOutputs(settings))
    try apply(channels)
    try apply(setting)
  }

  /// Prepares synths for another polyphony, count of synths, minimum note length, or effects.
  public override func setNonRealTimeParameter(
    _ parameter: Parameter, to value: Float
  ) throws(ParameterError) {
    let count = Int(value.rounded())
    do throws(SoundFontError) {
      switch Int(parameter.address) {
      case SamplerParameterIndex.synths: try bay.resize { $0.synths = count }.get()
      case SamplerParameterIndex.polyphony: try bay.resize { $0.polyphony = count }.get()
      case SamplerParameterIndex.minimumNoteLength:
        try bay.resize { $0.minimumNoteMilliseconds = count }.get()
      default: try switchEffect(parameter, isOn: value >= 0.5)
      }
    } catch {
      throw .refused(keyPath: parameter.keyPath, reason: error.description)
    }
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let sampleRate = outputBusses[0].format.sampleRate
    let isPlayable = Self.sampleRates.contains(sampleRate)
    // A session continues in silence, but a silent file is not written.
    guard isPlayable || !isRenderingOffline else {
      throw .failed(
        "the sampler renders at \(Int(PreparedPool.sampleRates.lowerBound)) to "
          + "\(Int(PreparedPool.sampleRates.upperBound)) Hz, not at \(sampleRate) Hz")
    }
    guard outputBusses.allSatisfy({ $0.format.sampleRate == sampleRate }) else {
      throw .failed("the sampler's output busses have different sample rates; give all the same")
    }
    let first: UnsafeMutablePointer<SynthPool>?
    let live: LiveTable
    do throws(SoundFontError) {
      (first, live) = try bay.attachKernel(
        sampleRate: isPlayable ? sampleRate : nil, isOffline: isRenderingOffline)
    } catch {
      throw .failed(error.description)
    }
    let player = midi.makePlayer(for: self)
    let scratch = SamplerScratch(maximumFrames: maximumFramesToRender)
    // Room for six full MIDI buffers.
    let deferred = DeferredEvents(capacity: 16_384, payload: 65_536, resets: .all)
    let mix = SamplerMix(maximumFrames: maximumFramesToRender)
    var kernel = SamplerKernel(
      mailbox: bay.mailbox, chain: player, values: parameterValues, channels: bay.channels,
      counters: bay.counters, scratch: scratch, deferred: deferred, sampleRate: sampleRate,
      live: live,
      liveStatus: bay.liveStatus, presets: bay.presets, current: first,
      fade: LinearRamp(value: 1, sampleRate: sampleRate),
      gain: LinearRamp(value: 0, sampleRate: sampleRate),
      audible: LinearRamp(
        value: shouldBypassEffect ? 0 : Double(bay.channels.device.pointee.volume),
        sampleRate: sampleRate),
      layout: outputLayout, mix: mix,
      effects: SamplerEffects(sampleRate: isPlayable ? sampleRate : 48_000))
    kernel.readParameters()
    kernel.start()
    return RenderResources(kernel, for: self, render: samplerRender, reset: samplerReset) {
      [bay, midi] in
      midi.release(player)
      scratch.deallocate()
      deferred.deallocate()
      mix.deallocate()
      live.deallocate()
      bay.detachKernel()
    }
  }
}
