// Scheduling of a player's sounds.

public import FoundationEssentials
public import MediaFiles
import Platform
import UnitModel

extension ScheduledPlayerUnit {
  /// Delivers the reports of all players. Its pause is short enough to schedule the next sound in
  /// time, long enough to cost nothing.
  private static let worker = SharedWorker<ScheduledPlayerUnit>("players", pause: 5000) {
    $0.deliver() ? .idle : .done
  }

  /// Schedules a sound; any number can wait.
  ///
  /// - Parameters:
  ///   - clip: has one channel, or the player's channel count.
  ///   - time: start on the player's timeline, later if earlier sounds have not ended; nil for as
  ///     soon as possible.
  ///   - stages: the stages to report to `handler`.
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
  ///   - startingFrame: the first frame of the file to play.
  ///   - frames: the frame count; nil to the file's end.
  ///   - streams: whether to read the file during playback instead of whole; nil streams it if its
  ///     samples take more than 16 MB. A pipe, or a file without a length in its header, is always
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

  /// Sets the sound that plays when the player is started with nothing scheduled, and takes its
  /// channel count; nil for silence.
  ///
  /// - Throws: `PlaybackError`, with the former content kept.
  /// - Thread: [control], while no resources are allocated
  public func setContent(_ clip: AudioClip?, name: String = "the clip") throws(PlaybackError) {
    try setContent(clip.map { SoundSource.clip($0, name: name) })
  }

  /// Sets a file as the content.
  ///
  /// - Parameter streams: as for scheduled files.
  /// - Throws: `PlaybackError`, with the former content kept.
  /// - Thread: [control], while no resources are allocated
  public func setContent(
    contentsOf url: URL, streams: Bool? = nil
  ) throws(PlaybackError) {
    try setContent(SoundFile(url).source(streams: streams), of: (url, streams))
  }

  private func setContent(
    _ source: SoundSource?, of file: (url: URL, streams: Bool?)? = nil
  ) throws(PlaybackError) {
    guard !renderResourcesAllocated else { throw .isPlaying }
    var item: ScheduledItem?
    if let source {
      do {
        try outputBusses[0].setFormat(
          AudioFormat(sampleRate: rate, channelCount: source.channelCount))
      } catch { throw .tooManyChannels(name: source.name, source.channelCount) }
      item = ScheduledItem(
        source, try fitting(source, for: .either), for: .either, number: -1, time: nil, rate: rate,
        options: [], epoch: 0,
        stages: [], handler: nil)
    }
    schedule.withLock { schedule in
      deck.pointee.setContent(item?.entry)
      (schedule.content, schedule.contentFile) = (item, file)
    }
  }

  private func schedule(
    _ source: SoundSource, at time: PlayerTime?, options: ScheduleOptions,
    reporting stages: PlaybackStages, _ handler: PlaybackHandler?
  ) throws(PlaybackError) {
    let rate = rate
    let use = options.contains(.loops) ? SoundUse.loops : .once
    let isPart = time == nil && options.isEmpty && source.maySitInARow(atRate: rate)
    let sound = try isPart ? nil : fitting(source, for: use)
    if isPart { try check(source) }
    try schedule.withLock { (schedule) throws(PlaybackError) in
      let part = isPart ? try stitch(source, rate, &schedule) : nil
      // A clip that cannot be stitched is converted separately.
      let played: PlayableSound
      if let part {
        played = PlayableSound(.clip(part.clip))
      } else if let sound {
        played = sound
      } else {
        played = try fitting(source, for: use)
      }
      let item = ScheduledItem(
        source, played, for: use, number: schedule.nextNumber, time: time, rate: rate,
        options: options, epoch: schedule.epoch, stages: stages, handler: handler, lead: part?.lead,
        overlap: part?.overlap ?? 0)
      schedule.nextNumber += 1
      schedule.items[Int(bitPattern: item.entry)] = item
      schedule.link.entry = item.entry
      schedule.link = item.entry.pointee.link
    }
    Self.worker.add(self)
  }

  /// Converts a clip, as the continuation of the previous one if it fits.
  ///
  /// - Returns: nil if `ClipStitcher` does not support its sample rate.
  private func stitch(
    _ source: SoundSource, _ rate: Double, _ schedule: inout Schedule
  ) throws(PlaybackError) -> ClipStitcher.Part? {
    guard case .clip(let clip, _, _) = source else { return nil }
    var stitcher: ClipStitcher
    if let (former, last) = schedule.stitcher, last == schedule.nextNumber - 1,
      former.fits(clip, to: rate)
    {
      stitcher = former
    } else {
      let channels = clip.channelCount
      guard let new = ClipStitcher(from: clip.sampleRate, to: rate, channelCount: channels) else {
        return nil
      }
      stitcher = new
    }
    schedule.stitcher = nil
    do throws(AudioClipError) {
      let part = try stitcher.add(clip)
      schedule.stitcher = (stitcher, schedule.nextNumber)
      return part
    } catch { throw .clip(error) }
  }

  private func check(_ source: SoundSource) throws(PlaybackError) {
    let channels = outputBusses[0].format.channelCount
    guard source.channelCount == 1 || source.channelCount == channels else {
      throw .channels(name: source.name, source.channelCount, player: channels)
    }
  }

  /// Returns the source, converted for the player.
  private func fitting(
    _ source: SoundSource, for use: SoundUse
  ) throws(PlaybackError) -> PlayableSound {
    try check(source)
    do throws(AudioClipError) { return try source.sound(atRate: rate, for: use) } catch {
      throw .clip(error)
    }
  }
}
