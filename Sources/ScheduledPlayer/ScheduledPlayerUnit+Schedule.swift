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
      clip, named: "the clip", at: time, options: options, reporting: stages, handler)
  }

  /// Schedules a file, or a part of it, which is read whole.
  ///
  /// - Parameters:
  ///   - startingFrame: of the file, which is played first.
  ///   - frames: how many of its frames are played; nil to its end.
  /// - Throws: `PlaybackError`, with nothing scheduled.
  ///
  /// AUv3: `scheduleFile(_:at:completionHandler:)` and
  /// `scheduleSegment(_:startingFrame:frameCount:at:completionHandler:)`.
  /// - Thread: [control]
  public func schedule(
    contentsOf url: URL, from startingFrame: Int = 0, frames: Int? = nil,
    at time: PlayerTime? = nil, options: ScheduleOptions = [],
    reporting stages: PlaybackStages = .consumed, _ handler: PlaybackHandler? = nil
  ) throws(PlaybackError) {
    let clip = try Self.clip(contentsOf: url, from: startingFrame, frames: frames)
    try schedule(
      clip, named: url.relativePath, at: time, options: options, reporting: stages, handler)
  }

  /// Gives the player what it plays whenever it is started with nothing scheduled, and as many
  /// channels; nil for silence.
  ///
  /// - Throws: `PlaybackError`, with the former content kept.
  /// - Thread: [control], while no resources are allocated
  public func setContent(_ clip: AudioClip?, name: String = "the clip") throws(PlaybackError) {
    guard !renderResourcesAllocated else { throw .isPlaying }
    var item: ScheduledItem?
    if let clip {
      do {
        try outputBusses[0].setFormat(
          AudioFormat(sampleRate: rate, channelCount: clip.channelCount))
      } catch { throw .tooManyChannels(name: name, clip.channelCount) }
      item = ScheduledItem(
        clip, played: try fitting(clip, name), number: -1, time: nil, rate: rate, options: [],
        epoch: 0, stages: [], handler: nil)
    }
    schedule.withLock { schedule in
      deck.pointee.setContent(item?.entry)
      schedule.content = item
    }
  }

  /// Reads a part of a file.
  static func clip(
    contentsOf url: URL, from startingFrame: Int, frames: Int?
  ) throws(PlaybackError) -> AudioClip {
    let name = url.relativePath
    guard startingFrame >= 0 else { throw .segment(name: name, startingFrame: startingFrame) }
    let reader: AudioFileReader
    do throws(AudioFileError) {
      reader = try AudioFileReader(contentsOf: url)
      if startingFrame > 0 { try reader.seek(toFrame: startingFrame) }
    } catch { throw .clip(.audio(error)) }
    do throws(AudioClipError) {
      return try AudioClip(
        reader, name: name, frames: frames, maximumBytes: AudioClip.maximumBytes)
    } catch {
      if case .empty = error, startingFrame > 0 {
        throw .segment(name: name, startingFrame: startingFrame)
      }
      throw .clip(error)
    }
  }

  private func schedule(
    _ clip: AudioClip, named name: String, at time: PlayerTime?, options: ScheduleOptions,
    reporting stages: PlaybackStages, _ handler: PlaybackHandler?
  ) throws(PlaybackError) {
    let played = try fitting(clip, name)
    let rate = rate
    schedule.withLock { schedule in
      let item = ScheduledItem(
        clip, played: played, number: schedule.nextNumber, time: time, rate: rate,
        options: options, epoch: schedule.epoch, stages: stages, handler: handler)
      schedule.nextNumber += 1
      schedule.items[Int(bitPattern: item.entry)] = item
      schedule.link.entry = item.entry
      schedule.link = item.entry.pointee.link
    }
    PlaybackDesk.shared.attend(to: self)
  }

  /// The clip as the player plays it.
  private func fitting(_ clip: AudioClip, _ name: String) throws(PlaybackError) -> AudioClip {
    let channels = outputBusses[0].format.channelCount
    guard clip.channelCount == 1 || clip.channelCount == channels else {
      throw .channels(name: name, clip.channelCount, player: channels)
    }
    do throws(AudioClipError) { return try clip.converted(to: rate, name: name) } catch {
      throw .clip(error)
    }
  }
}
