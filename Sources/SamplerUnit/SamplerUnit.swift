// The SoundFont sampler as a unit.

import DSP
import FluidSynthPool
import Foundation
public import MIDIStages
public import MIDIStagesModel
import Synchronization
public import UnitModel
import UnitRender

/// Plays SoundFonts (SF2 and SF3) with FluidSynth.
///
/// - 16 MIDI channels; outputs as `SamplerOutputLayout` says, one stereo bus at first, at 16 to 96
///   kHz; at other rates, and without a SoundFont, it is silent.
/// - Parameters: `gain` (−60 to 24 dB, where −60 is silence and 0 is FluidSynth's own default;
///   ramps, and a step takes 20 ms), `pan` (controller 10 of all channels), `transpose` (−24 to 24
///   semitones) and `tuning` (A4, 400 to 480 Hz) of what sounds on all but percussion channels,
///   `polyphony` (not an event: FluidSynth allocates for it, so another synth takes over, as if the
///   SoundFont were reloaded), `interpolation` of notes to come, `synths` (1 to 64, not an event
///   either: how many share the SoundFont), `minimumNoteLength` (0 to 1000 ms, 10 at first, not an
///   event: a note-off that comes sooner waits, so that a note as short as a trigger's is heard),
///   `reverb.…` and `chorus.…`, and `midi.…`, the settings of its MIDI chain.
/// - A note begins on its frame, and its sound does not depend on where that lies: FluidSynth
///   begins notes at the bounds of its blocks of 64 frames, and each note gets a synth whose block
///   begins on its frame. Where all `synths` sound and none has such a block, the note waits for
///   the next, up to 63 frames. So may the notes of a channel in mono, legato or portamento mode,
///   which share one synth, and a key that is struck again while the sostenuto pedal holds it.
///   `lateNotes` counts them.
/// - Note-offs, controllers, bends, pressures and the end of what an exclusive class chokes or the
///   same key struck again ends take effect at the next bound of each synth's blocks, up to 63
///   frames late; gain on its frame.
/// - A voice that sounded at another pan before glides to its own within 64 frames. Otherwise equal
///   notes are equal bit for bit, the first ones too.
/// - What events cost in 64 frames has a bound, about a fifth of that time: beyond it, as after
///   some 30 note-ons, a dozen for which others have to go, or one reset with notes behind it, they
///   wait in their order for the next 64. `deferredEvents` and `longestDelayFrames` tell of it.
///   Values of a controller that wait replace each other, a reset what waits before it, and All
///   Sound Off the notes of its channel.
/// - Above `polyphony` the oldest note goes, first of those that are released, then of those that a
///   pedal holds.
/// - Several SoundFonts can lie on top of each other, each with a bank offset (`SoundFontEntry`): a
///   bank and program is that of the last one that has it.
/// - The configured bank and program hold on every channel, but that drum channels, 10 unless
///   `SamplerChannelSetup` says otherwise, play the font's percussion kit (bank 128) if it has one.
///   Program changes and bank selects choose others. Bank 128 as the configured one makes every
///   channel a percussion channel. What a channel message or a reset has set stays when another
///   SoundFont is loaded, except programs, which `load` sets on all channels.
/// - A live set (`setLiveSet`) is a list of numbered sounds, each with SoundFonts, bank, program
///   and parameters. Program changes on its channel select them, before the MIDI chain, and go no
///   further. An entry whose SoundFonts are in memory takes over on the frame of its program change
///   with its parameters, any other as soon as it is loaded; notes that are held ring out on the
///   old sound, which their note-offs and pedals still reach. Up to four old sounds ring; one more
///   fades the oldest out over 20 ms before the next takes over. Gain, pan and pitch of an entry
///   leave what rings on other SoundFonts as it is; entries with the same SoundFonts share them.
/// - Every channel message reaches FluidSynth, mode messages for their own channel alone: Omni Off
///   and On end its notes, Mono On and Poly On also choose how it plays. Mono On is for its own
///   channel whatever number of channels it gives. If these would reach beyond the 16th, it ends
///   the notes and chooses no mode.
/// - In mono and legato mode the newest held key sounds. At its note-off the key before it sounds
///   again if it is still held. One note-off ends a key however often it was struck, and a mode
///   message, All Notes Off, All Sound Off or a reset ends all held keys.
/// - The bend's range is at most 96 semitones, coarse tuning ±24, both together go up by 48 at
///   most, and NRPNs reach neither the generators of pitch nor those of the places of samples. In
///   mono and legato mode the portamento control (CC 84) is ignored. After a reset, also System
///   Reset, the configured programs and the parameters hold, and nothing that follows here.
/// - Of SysEx to device 17 (10 in the message) or to all, it carries out the resets (GM, GM2, GS,
///   XG), which also choose how banks are selected, at first as `SamplerChannelSetup` says; master
///   volume (by the square; GM, GS, XG), fine and coarse tuning (GM, GS master tune and key shift,
///   XG master tune and transpose); of GS and XG parts level, pan, chorus and reverb send, which
///   are controllers 7, 10, 93 and 91 of the channel, key or note shift and pitch offset or detune
///   in hertz, and GS "use for rhythm part". Shifts add up to ±24 semitones. GS messages with a
///   wrong checksum are ignored, as hardware does.
/// - MIDI tuning: bulk dumps of keys and octaves, changes of notes, with or without a bank, and
///   octaves of channels with one or two bytes a note; registered parameters 3 and 4 select program
///   and bank of the tuning of a channel. What comes in real time (and a selection) retunes what
///   sounds, the rest is for notes to come. There is room for 128 tunings. They move what follows
///   the key, and no percussion; pitches are whole cents. A glide begins where the untuned key
///   would. What is for this device and not carried out is counted (`ignoredMessages`).
/// - Reverb and chorus are this program's own, with FluidSynth's parameters: its own cannot be had
///   without allocations on the render thread. Both are off at first, and then cost nothing.
///   `reverb.on` and `chorus.on` are no events: like `polyphony` they have other synths take over,
///   whose 16 channels come out one by one; an effect that is switched off rings out. The levels
///   and `reverb.width` ramp; the other parameters take the target of a ramp at once and go there
///   within 20 ms.
/// - What is sent to an effect is, as in FluidSynth, the SoundFont's own amount and up to 20 % by
///   controller 91 (reverb) or 93 (chorus), before panning. (A SoundFont's own modulators of these
///   controllers are not heeded.) The notes of a channel that share a synth share the newest one's
///   amount: those on one frame, or on frames a multiple of 64 apart. Panning counts as it was when
///   the note began. A change reaches a note over one of its synth's blocks.
///
/// AUv3: `AVAudioUnitSampler` as an audio unit.
public final class SamplerUnit: AudioUnit, MIDIChainUnit, @unchecked Sendable {
  /// The stages of the MIDI chain, in order. They can be exchanged while it plays
  /// (`setMIDIStages`).
  ///
  /// - Thread: [control]
  public var midiLayout: MIDIChainLayout { midi.layout }
  public var midiCounters: DeferredEventCounters { midi.counters }
  private let midi: MIDIChainHost
  /// Which output busses there are. Their names follow what plays: "Ch 10: Standard Kit" for a
  /// channel of its own, "Grand Piano", the entry of the live set or the configured preset, for all
  /// together.
  ///
  /// - Thread: [any]
  public let outputLayout: SamplerOutputLayout
  let bay = SynthPools()
  let told: Mutex<ReportedSound>

  /// - Parameters:
  ///   - midiStages: the kinds of the chain's stages, which all MIDI passes in this order.
  ///   - outputs: which output busses there are.
  ///   - channels: what the channels are before MIDI says otherwise.
  /// - Thread: [control]
  public init(
    componentDescription: ComponentDescription = SamplerUnit.component.description,
    midiStages: [MIDIStageKind] = [], outputs: SamplerOutputLayout = .stereo,
    channels: SamplerChannelSetup = SamplerChannelSetup()
  ) throws {
    try MIDIChainHost.check(midiStages)
    midi = MIDIChainHost(midiStages)
    outputLayout = outputs
    told = Mutex(ReportedSound(names: outputs.busNames))
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

  /// The same component, for units with a MIDI chain of these stages.
  ///
  /// - Thread: [any]
  public static func component(midiStages: [MIDIStageKind]) -> Component {
    component(midiStages: midiStages, outputs: .stereo)
  }

  /// The same component, for units with a MIDI chain of these stages, these outputs and these
  /// channels.
  ///
  /// - Thread: [any]
  public static func component(
    midiStages: [MIDIStageKind], outputs: SamplerOutputLayout,
    channels: SamplerChannelSetup = SamplerChannelSetup()
  ) -> Component {
    Component(
      description: ComponentDescription(type: .instrument, subtype: "smpl", manufacturer: "Aurc"),
      name: "Sampler", shortName: "sampler", unitType: SamplerUnit.self
    ) { description, _ in
      try SamplerUnit(
        componentDescription: description, midiStages: midiStages, outputs: outputs,
        channels: channels)
    }
  }

  /// The sample rates at which it plays, in hertz.
  ///
  /// - Thread: [any]
  public static let sampleRates = PreparedPool.sampleRates

  public override var channelCapabilities: [ChannelCapability]? {
    [ChannelCapability(inputs: 0, outputs: 2)]
  }

  /// The longest release of the SoundFonts' volume envelopes and what the effects that are on add
  /// to it; 0 without a SoundFont.
  ///
  /// A sound ends this long after its note-off and the release of the pedals. (Controllers can make
  /// it longer where the SoundFont has modulators for it.) Observers are told of another tail: at
  /// once of what is set or loaded, within about 20 ms of what events and program changes do.
  public override var tailTime: Double {
    bay.choice.map { $0.stack.longestReleaseSeconds + effectsTailSeconds } ?? 0
  }

  /// How many SysEx messages were for this device and not carried out, and tunings beyond the 128
  /// that are stored.
  ///
  /// - Thread: [any]
  public var ignoredMessages: Int { bay.counters.ignoredMessages }

  /// How the first of these began: up to seven bytes behind the 0xF0.
  ///
  /// - Thread: [any]
  public var firstIgnoredMessage: [UInt8] {
    SystemExclusive.bytes(ofBeginning: bay.counters.firstIgnored)
  }

  /// How many blocks of 64 frames were skipped to keep up with floods of controllers.
  ///
  /// - Thread: [any]
  public var skippedBlocks: Int { bay.counters.skippedBlocks }

  /// How often FluidSynth was short of voices, and has ended some of its own choice, at once: with
  /// notes that the sostenuto pedal holds by the dozen, or that come back in mono mode.
  ///
  /// - Thread: [any]
  public var voiceShortages: Int { bay.counters.shortages }

  /// How many events had to wait, because those before them on about the same frame were more than
  /// can be carried out within a part of 64 frames.
  ///
  /// - Thread: [any]
  public var deferredEvents: Int {
    bay.counters.deferred.deferredEvents + midi.counters.deferredEvents
  }

  /// The longest that one of them has waited, in frames; one that waited before the MIDI chain and
  /// behind it, in one of the two.
  ///
  /// - Thread: [any]
  public var longestDelayFrames: Int {
    max(bay.counters.deferred.longestDelayFrames, midi.counters.longestDelayFrames)
  }

  /// How many events were lost because more than 12,288 were waiting, 6,144 before the MIDI chain.
  /// If one of them was no note-on, all sound ends once the others are carried out.
  ///
  /// - Thread: [any]
  public var lostEvents: Int { bay.counters.deferred.lostEvents + midi.counters.lostEvents }

  /// How many notes began up to 63 frames behind their frame, because no synth was free for it, or
  /// because they belong on the synth of an earlier note (see the type).
  ///
  /// - Thread: [any]
  public var lateNotes: Int { bay.counters.lateNotes }

  /// The entries of the live set.
  public override var factoryPresets: [Preset] {
    bay.liveSet?.entries.map { Preset(number: $0.number, name: $0.name) } ?? []
  }

  public override func apply(factoryPreset preset: Preset) throws(StateError) {
    do throws(LiveSetError) { try select(entry: preset.number) } catch {
      throw .invalidSetting("entry", reason: error.description)
    }
  }

  /// The SoundFonts' paths and bank offsets, bank and program, and the entry of the live set that
  /// they are of; empty without a SoundFont.
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

  /// Loads the SoundFonts while the caller waits; what sounds goes on sounding.
  public override func applySettings(_ settings: StateDictionary) throws(StateError) {
    let (settings, channels) = try withoutChannels(settings)
    let setting = try SoundFontSetting(withoutOutputs(settings))
    try apply(channels)
    try apply(setting)
  }

  /// Prepares synths for another polyphony, another number of synths, or for effects.
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
    // A session goes on in silence; a file is not written with nothing in it.
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
    // What six full MIDI buffers hold.
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
    let context = KernelContext.allocate(
      kernel, outputChannels: outputBusses.map { _ in 2 }, maximumFrames: maximumFramesToRender)
    let render = InternalRender(
      render: samplerRender, reset: samplerReset, context: context, handlesBypass: true)
    return RenderResources(render) { [bay, midi] in
      KernelContext.deallocate(context, of: SamplerKernel.self)
      midi.release(player)
      scratch.deallocate()
      deferred.deallocate()
      mix.deallocate()
      live.deallocate()
      bay.detachKernel()
    }
  }
}
