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
  private let source: SoundSource
  private let use: SoundUse
  /// At the session's sample rate.
  private(set) var sound: PlayableSound
  /// How many passes have been told of.
  var passes = 0

  /// - Parameters:
  ///   - sound: the source at the session's sample rate, for `use`.
  ///   - rate: that one, in hertz.
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
      to: PlayedEntry(
        once: sound.once, looped: sound.looped, lead: lead, overlap: overlap,
        startTime: time?.frame(at: rate) ?? PlayedEntry.asSoonAsPossible,
        options: options.rawValue, epoch: epoch))
  }

  deinit {
    entry.pointee.link.deallocate()
    entry.deallocate()
  }

  /// The sounds that it has in memory.
  var clips: [AudioClip] { [source.clip].compactMap(\.self) + sound.clips }

  /// Has it played at another sample rate.
  /// - Thread: [control], while there is no kernel.
  func convert(to rate: Double) throws(AudioClipError) {
    sound = try source.sound(atRate: rate, for: use)
    entry.pointee.replace(once: sound.once, looped: sound.looped)
    (entry.pointee.lead, entry.pointee.overlap) = (nil, 0)
    if let time { entry.pointee.startTime = time.frame(at: rate) }
  }
}
