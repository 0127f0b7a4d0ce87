// What a player is to play.

public import Foundation
public import MediaFiles
import UnitModel

extension ScheduledPlayerUnit {
  /// Schedules a sound; any number may wait.
  ///
  /// - Parameters:
  ///   - clip: of one channel or as many as the player's.
  ///   - time: when it begins, if what was scheduled before has ended then; nil for as soon as
  ///     possible.
  ///   - stages: what `handler` is told.
  /// - Throws: `PlaybackError`, with nothing scheduled.
  ///
  /// AUv3: `scheduleBuffer(_:at:options:completionCallbackType:completionHandler:)`.
  /// - Thread: [control]
  public func schedule(
    _ clip: AudioClip, at time: PlayerTime? = nil, options: ScheduleOptions = [],
    reporting stages: PlaybackStages = .consumed, _ handler: PlaybackHandler? = nil
  ) throws(PlaybackError) {
    try schedule(
      .clip(clip, name: "the clip"), at: time, options: options, reporting: stages, handler)
  }

  /// Schedules a file, or a part of it.
  ///
  /// - Parameters:
  ///   - startingFrame: of the file, which is played first.
  ///   - frames: how many of its frames are played; nil to its end.
  ///   - streams: whether it is read while it is played, and not whole; nil has it streamed where
  ///     its samples would take more than 16 MB. A file that does not say how long it is is always
  ///     read whole.
  /// - Throws: `PlaybackError`, with nothing scheduled.
  ///
  /// AUv3: `scheduleFile(_:at:completionHandler:)` and
  /// `scheduleSegment(_:startingFrame:frameCount:at:completionHandler:)`.
  /// - Thread: [control]
  public func schedule(
    contentsOf url: URL, from startingFrame: Int = 0, frames: Int? = nil, streams: Bool? = nil,
    at time: PlayerTime? = nil, options: ScheduleOptions = [],
    reporting stages: PlaybackStages = .consumed, _ handler: PlaybackHandler? = nil
  ) throws(PlaybackError) {
    let file = SoundFile(url, from: startingFrame, frames: frames)
    try schedule(
      file.source(streams: streams), at: time, options: options, reporting: stages, handler)
  }

  /// Gives the player what it plays whenever it is started with nothing scheduled, and as many
  /// channels; nil for silence.
  ///
  /// - Throws: `PlaybackError`, with the former content kept.
  /// - Thread: [control], while no resources are allocated
  public func setContent(_ clip: AudioClip?, name: String = "the clip") throws(PlaybackError) {
    try setContent(clip.map { SoundSource.clip($0, name: name) })
  }

  /// Likewise with a file.
  ///
  /// - Parameter streams: as for what is scheduled.
  public func setContent(
    contentsOf url: URL, streams: Bool? = nil
  ) throws(PlaybackError) {
    try setContent(SoundFile(url).source(streams: streams))
  }

  private func setContent(_ source: SoundSource?) throws(PlaybackError) {
    guard !renderResourcesAllocated else { throw .isPlaying }
    var item: ScheduledItem?
    if let source {
      do {
        try outputBusses[0].setFormat(
          AudioFormat(sampleRate: rate, channelCount: source.channelCount))
      } catch { throw .tooManyChannels(name: source.name, source.channelCount) }
      item = ScheduledItem(
        source, try fitting(source), number: -1, time: nil, rate: rate, options: [], epoch: 0,
        stages: [], handler: nil)
    }
    schedule.withLock { schedule in
      deck.pointee.setContent(item?.entry)
      schedule.content = item
    }
  }

  private func schedule(
    _ source: SoundSource, at time: PlayerTime?, options: ScheduleOptions,
    reporting stages: PlaybackStages, _ handler: PlaybackHandler?
  ) throws(PlaybackError) {
    let sound = try fitting(source)
    let rate = rate
    schedule.withLock { schedule in
      let item = ScheduledItem(
        source, sound, number: schedule.nextNumber, time: time, rate: rate, options: options,
        epoch: schedule.epoch, stages: stages, handler: handler)
      schedule.nextNumber += 1
      schedule.items[Int(bitPattern: item.entry)] = item
      schedule.link.entry = item.entry
      schedule.link = item.entry.pointee.link
    }
    PlaybackDesk.shared.attend(to: self)
  }

  /// The source as the player plays it.
  private func fitting(_ source: SoundSource) throws(PlaybackError) -> PlayableSound {
    let channels = outputBusses[0].format.channelCount
    guard source.channelCount == 1 || source.channelCount == channels else {
      throw .channels(name: source.name, source.channelCount, player: channels)
    }
    do throws(AudioClipError) { return try source.sound(atRate: rate) } catch {
      throw .clip(error)
    }
  }
}
