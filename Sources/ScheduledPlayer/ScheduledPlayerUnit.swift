// The player's control side.

import Foundation
import MediaFiles
import Synchronization
public import UnitModel
import UnitRender

/// Plays sounds, each from its frame on: what is scheduled, one after the other or at times of the
/// player's own timeline, or else its content, whenever it is started.
///
/// - Long files are read while they are played, some seconds ahead. What the disk does not bring in
///   time is silent, between fades, and counted; the timeline goes on.
/// - Sounds of other sample rates are converted when they are scheduled; pieces of up to 32,768
///   frames that are scheduled one after the other, without times or options, as one signal; what
///   loops as a sound without end, so that its passes have no seam and never drift. One channel is
///   heard on all of the player's; otherwise they have as many.
/// - It is started, paused and stopped on a frame, by `state` too. Its timeline begins with 0 at a
///   start after a stop and stands while it is paused; a stop drops what is scheduled.
/// - What is left early fades out in `fade`, beside what follows; what goes on fades in. What
///   begins and ends by itself is played as it is.
/// - Where its resources are allocated anew, for another server or sample rate, it goes on.
///
/// Parameters: `state` (stopped, playing, paused); `loop` plays the content over and over; `fade`,
/// 0 to 50 ms, default 5; `position` in what is playing and `time` of the timeline, in seconds,
/// read-only; `transport` has the content be where the host's transport is.
///
/// AUv3: `AVAudioPlayerNode`.
public final class ScheduledPlayerUnit: AudioUnit, Mixing, Presenting,
  @unchecked Sendable
{
  public static let component = component(channels: 2)

  /// How many channels one may have.
  static let channelCounts = 1...64

  /// The component whose units have so many channels.
  static func component(channels: Int) -> Component {
    Component(
      description: ComponentDescription(type: .generator, subtype: "plyr", manufacturer: "Aurc"),
      name: "Player", shortName: "player", unitType: ScheduledPlayerUnit.self
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

  /// How it is mixed.
  public let mixing = MixingProperties()

  let line: PlayerExchange
  let deck: UnsafeMutablePointer<PlaybackState>
  let schedule: Mutex<Schedule>
  private let presentation = Mutex(0.0)
  /// What was missed of streams that are not there any more.
  let formerlyMissed = Atomic(0)

  /// What the control side knows of what was scheduled.
  struct Schedule: Sendable {
    /// By the addresses of their entries.
    var items: [Int: ScheduledItem] = [:]
    /// Where the way to what comes next begins.
    var link: EntryLink
    var epoch: UInt64 = 0
    var nextNumber = 0
    /// The last of those that are finished, whose link may still be read.
    var last: ScheduledItem?
    /// What has been rendered and not yet been heard.
    var unheard: [(item: ScheduledItem, report: PlaybackReport)] = []
    var content: ScheduledItem?
    /// Where the content was read; nil for none, and one of a program's own.
    var contentFile: (url: URL, streams: Bool?)?
    /// What converts clips that follow each other, and the number of the last of them.
    var stitcher: (ClipStitcher, last: Int)?
    /// Of streams that are not there any more.
    var news: [UnitNotice] = []
  }

  /// - Parameter channels: 1 to 64; `setContent` changes them to its own.
  /// - Thread: [control]
  public init(
    channels: Int = 2,
    componentDescription: ComponentDescription = ScheduledPlayerUnit.component.description
  ) throws {
    let bus = try Bus(
      .output,
      format: AudioFormat(sampleRate: AudioFormat.standard.sampleRate, channelCount: channels),
      name: "Output")
    // Of a unit that cannot be made nobody gives memory back.
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
    ]
  }

  public override var virtualMIDICableCount: Int { 0 }

  /// The fade of what was left.
  public override var tailTime: Double {
    Double(parameterValues[PlaybackState.fadeIndex]) / 1000
  }

  /// Seconds from the player's output to what is heard, for reports of what has been `heard`. A
  /// host sets it.
  ///
  /// AUv3: `contextPresentationLatency`.
  /// - Thread: [any]
  public var contextPresentationLatency: Double {
    get { presentation.withLock { $0 } }
    set { presentation.withLock { $0 = newValue } }
  }

  /// In hertz; what is scheduled is converted to it.
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
