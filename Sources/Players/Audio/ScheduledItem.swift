// Scheduled entries on the control side.

import MediaFiles
import Realtime

/// An entry with its source and its handler.
final class ScheduledItem: @unchecked Sendable {
  let entry: EntryPointer
  let number: Int
  let time: PlayerTime?
  let stages: PlaybackStages
  let handler: PlaybackHandler?
  private let source: SoundSource
  private let use: SoundUse
  /// The source at the session's sample rate.
  private(set) var sound: PlayableSound
  /// Count of reported passes.
  var passes = 0

  /// - Parameters:
  ///   - sound: the source at the session's sample rate, for `use`.
  ///   - rate: the session's sample rate, in hertz.
  init(
    _ source: SoundSource, _ sound: PlayableSound, for use: SoundUse, number: Int,
    time: PlayerTime?, rate: Double,
    options: ScheduleOptions, epoch: UInt64, stages: PlaybackStages, handler: PlaybackHandler?,
    lead: Int? = nil, overlap: Int = 0
  ) {
    self.source = source
    self.sound = sound
    self.use = use
    self.number = number
    self.time = time
    self.stages = stages
    self.handler = handler
    entry = .allocate(capacity: 1)
    entry.initialize(
      to: QueuedEntry(
        once: sound.once, looped: sound.looped, lead: lead, overlap: overlap,
        startTime: time?.frame(at: rate) ?? QueuedEntry.asSoonAsPossible,
        options: options.rawValue, epoch: epoch))
  }

  deinit {
    entry.pointee.link.deallocate()
    entry.deallocate()
  }

  /// The clips it keeps in memory.
  var clips: [AudioClip] { [source.clip].compactMap(\.self) + sound.clips }

  /// Converts it to another sample rate.
  /// - Thread: [control], while there is no kernel.
  func convert(to rate: Double) throws(AudioClipError) {
    sound = try source.sound(atRate: rate, for: use)
    entry.pointee.replace(once: sound.once, looped: sound.looped)
    (entry.pointee.lead, entry.pointee.overlap) = (nil, 0)
    if let time { entry.pointee.startTime = time.frame(at: rate) }
  }
}
