// What is scheduled, as the control side has it.

import MediaFiles
import Realtime

/// An entry with what it is made of and who wants to know of it.
final class ScheduledItem: @unchecked Sendable {
  let entry: EntryPointer
  let number: Int
  let time: PlayerTime?
  let stages: PlaybackStages
  let handler: PlaybackHandler?
  private let clip: AudioClip
  /// At the session's sample rate.
  private var played: AudioClip
  /// How many passes have been told of.
  var passes = 0

  /// - Parameters:
  ///   - played: the clip at the session's sample rate.
  ///   - rate: that one, in hertz.
  init(
    _ clip: AudioClip, played: AudioClip, number: Int, time: PlayerTime?, rate: Double,
    options: ScheduleOptions, epoch: UInt64, stages: PlaybackStages, handler: PlaybackHandler?
  ) {
    self.clip = clip
    self.played = played
    self.number = number
    self.time = time
    self.stages = stages
    self.handler = handler
    entry = .allocate(capacity: 1)
    entry.initialize(
      to: PlayedEntry(
        samples: played.samples, channelCount: played.channelCount, frameCount: played.frameCount,
        startTime: time?.frame(at: rate) ?? PlayedEntry.asSoonAsPossible,
        options: options.rawValue, epoch: epoch, link: EntryLink()))
  }

  deinit {
    entry.pointee.link.deallocate()
    entry.deallocate()
  }

  /// Has it played at another sample rate.
  /// - Thread: [control], while there is no kernel.
  func convert(to rate: Double) throws(AudioClipError) {
    played = try clip.converted(to: rate)
    entry.pointee.samples = played.samples
    entry.pointee.frameCount = played.frameCount
    if let time { entry.pointee.startTime = time.frame(at: rate) }
  }
}
