// The player's control side.

import FoundationEssentials
import MediaFiles
import Synchronization
public import UnitModel
import UnitRender

/// Plays scheduled sounds, in order or at times of the player's own timeline. If nothing is
/// scheduled, a start plays its content.
///
/// - Long files are read during playback, some seconds ahead. Frames that the disk delivers late
///   are silent, between fades, and counted; the timeline advances.
/// - Sounds of other sample rates are converted when they are scheduled. Consecutive pieces of up
///   to 32,768 frames, without times or options, are converted as one signal. Loops are converted
///   as an endless sound, so that passes have no seam and never drift.
/// - A mono sound plays on all of the player's channels; other sounds have the player's channel
///   count.
/// - Starts, pauses and stops are exact to the frame, also by `state`. The timeline begins with 0
///   at a start after a stop and halts while paused. A stop drops scheduled sounds.
/// - A sound that is left early fades out in `fade` while the next one plays; a resumed one fades
///   in. Otherwise sounds are not faded.
/// - If its resources are allocated again, for another server or sample rate, playback resumes.
///
/// Parameters: `state` (stopped, playing, paused); `loop` repeats the content; `fade`, 0 to 50 ms,
/// default 5; `position` in the playing sound and `time` of the timeline, in seconds, read-only;
/// `transport` aligns the content with the host's transport; `cue`, in seconds, is where a start
/// after a stop begins with the content, and where the content goes on when it is set.
///
/// AUv3: `AVAudioPlayerNode`.
public final class ScheduledPlayerUnit: AudioUnit, Mixing, Presenting,
  @unchecked Sendable
{
  public static let component = component(channels: 2)

  /// Range of the channel count.
  static let channelCounts = 1...64

  /// Returns the component whose units have this channel count.
  static func component(channels: Int) -> Component {
    Component(
      description: ComponentDescription(type: .generator, subtype: "plyr", manufacturer: "Aurc"),
      name: "Player", shortName: "player", unitType: ScheduledPlayerUnit.self, tags: ["Player"]
    ) { description, _ in
      try ScheduledPlayerUnit(channels: channels, componentDescription: description)
    }
  }

  public static let stateAddress: ParameterAddress = 0
  public static let loopAddress: ParameterAddress = 1
  public static let fadeAddress: ParameterAddress = 2
  public static let positionAddress: ParameterAddress = 3
  public static let timeAddress: ParameterAddress = 4
  public static let transportAddress: ParameterAddress = 5
  public static let cueAddress: ParameterAddress = 6

  /// The player's mixing properties.
  public let mixing = MixingProperties()

  let line: PlayerExchange
  let deck: UnsafeMutablePointer<PlaybackState>
  let schedule: Mutex<Schedule>
  private let presentation = Mutex(0.0)
  let keptWaveform = Mutex<KeptWaveform?>(nil)
  /// Missed frames of removed streams.
  let formerlyMissed = Atomic(0)

  /// The control side's record of scheduled sounds.
  struct Schedule: Sendable {
    /// Items by the addresses of their entries.
    var items: [Int: ScheduledItem] = [:]
    /// The link that the next entry is written to.
    var link: EntryLink
    var epoch: UInt64 = 0
    var nextNumber = 0
    /// The last finished item, whose link may still be read.
    var last: ScheduledItem?
    /// Rendered items that have not been heard yet.
    var unheard: [(item: ScheduledItem, report: PlaybackReport)] = []
    var content: ScheduledItem?
    /// The content's file; nil without content, or if the content is a program's clip.
    var contentFile: (url: URL, streams: Bool?)?
    /// The converter of consecutive clips, and the number of its last clip.
    var stitcher: (ClipStitcher, last: Int)?
    /// Notices of removed streams.
    var news: [UnitNotice] = []
  }

  /// Makes a stopped player without content.
  ///
  /// - Parameter channels: 1 to 1024, in configurations 1 to 64; `setContent` changes it to the
  ///   content's channel count.
  /// - Throws: `BusError` for another number of channels.
  /// - Thread: [control]
  public init(
    channels: Int = 2,
    componentDescription: ComponentDescription = ScheduledPlayerUnit.component.description
  ) throws {
    let bus = try Bus(
      .output,
      format: AudioFormat(sampleRate: AudioFormat.standard.sampleRate, channelCount: channels),
      name: "Output")
    // Allocated after the bus: if the bus throws, no deinit frees memory.
    line = PlayerExchange()
    deck = .allocate(capacity: 1)
    schedule = Mutex(Schedule(link: line.start))
    try super.init(
      componentDescription: componentDescription, outputBusses: BusArray(.output, [bus]),
      parameterTree: ParameterTree(children: Self.parameters))
    deck.initialize(to: PlaybackState(line, values: parameterValues))
  }

  deinit {
    deliverTheRest()
    deck.pointee.deallocate()
    deck.deallocate()
    line.deallocate()
  }

  private static var parameters: [Parameter] {
    func reading(_ identifier: String, _ name: String, _ address: ParameterAddress) -> Parameter {
      Parameter(
        identifier: identifier, name: name, address: address, range: 0...1_000_000, unit: .seconds,
        flags: [.readable])
    }
    return [
      Parameter(
        identifier: "state", name: "State", address: stateAddress, range: 0...2, unit: .indexed,
        valueStrings: ["Stopped", "Playing", "Paused"]),
      Parameter(
        identifier: "loop", name: "Loop", address: loopAddress, range: 0...1, unit: .boolean),
      Parameter(
        identifier: "fade", name: "Fade", address: fadeAddress,
        range: 0...PlaybackState.longestFade,
        defaultValue: 5, unit: .milliseconds),
      reading("position", "Position", positionAddress),
      reading("time", "Time", timeAddress),
      Parameter(
        identifier: "transport", name: "Follow Transport", address: transportAddress, range: 0...1,
        unit: .boolean),
      Parameter(
        identifier: "cue", name: "Cue", address: cueAddress, range: 0...PlaybackState.longestCue,
        unit: .seconds),
    ]
  }

  public override var virtualMIDICableCount: Int { 0 }

  /// Length of the fade-out of sounds left early, in seconds.
  public override var tailTime: Double {
    Double(parameterValues[PlaybackState.fadeIndex]) / 1000
  }

  /// Delay from the player's output until it is heard, in seconds, for `heard` reports. A host sets
  /// it.
  ///
  /// AUv3: `contextPresentationLatency`.
  /// - Thread: [any]
  public var contextPresentationLatency: Double {
    get { presentation.withLock { $0 } }
    set { presentation.withLock { $0 = newValue } }
  }

  /// The session's sample rate, in hertz; scheduled sounds are converted to it.
  var rate: Double { outputBusses[0].format.sampleRate }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let rate = rate
    do throws(AudioClipError) { try convertAll(to: rate) } catch {
      throw .failed(error.description)
    }
    deck.pointee.prepare(
      sampleRate: rate, channelCount: outputBusses[0].format.channelCount,
      epoch: schedule.withLock(\.epoch))
    return RenderResources(
      ScheduledPlayerKernel(deck), for: self, render: scheduledPlayerRender,
      reset: scheduledPlayerReset)
  }

  private func convertAll(to rate: Double) throws(AudioClipError) {
    let ratio = rate / deck.pointee.sampleRate
    if ratio == 1 { return }
    try schedule.withLock { (schedule) throws(AudioClipError) in
      for item in schedule.items.values { try item.convert(to: rate) }
      try schedule.content?.convert(to: rate)
      schedule.stitcher = nil
    }
    deck.pointee.scale(by: ratio)
  }
}
