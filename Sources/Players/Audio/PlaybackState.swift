// The render state of a player.

import Realtime
import UnitRender

/// Render state of a player: the playing entry and the queue. It outlives the kernel, so that a new
/// kernel resumes playback.
struct PlaybackState: BitwiseCopyable {
  let line: PlayerExchange
  let values: ParameterValues
  /// Sample rate, in hertz.
  private(set) var sampleRate = 48_000.0
  private(set) var channelCount = 0
  /// Entry played when the player is started with nothing scheduled; nil for silence.
  private(set) var content: EntryPointer?

  /// The playing entry, then the waiting ones.
  var queue = EntryQueue()
  /// Link to the next entry to take into the queue.
  var link: EntryLink
  /// Queued entries that wait to interrupt, in the queue's order.
  var firstInterrupter: EntryPointer?
  var lastInterrupter: EntryPointer?
  /// Entries to hand back to the control side once the ring of notices has room.
  var finished = EntryQueue()
  /// Number of the last executed stop by the control side.
  var epoch: UInt64 = 0

  var state = PlayerState.stopped
  /// Frames since the start after a stop, without pauses.
  var time = 0
  /// The next frame of the playing entry's current pass.
  var position = 0
  /// Frames already played of those that the last entry shares with the next one.
  var carried = 0

  var tail = FadingTail()
  /// Remaining frames of the fade-in, and its length.
  var fadeInLeft = 0
  var fadeInFrames = 1
  /// Whether anything was played since the last fade-out.
  var hasPlayed = false

  /// - Parameter values: parameter values by address.
  /// - Thread: [control]
  init(_ line: PlayerExchange, values: ParameterValues) {
    self.line = line
    self.values = values
    link = line.start
  }

  /// - Thread: [control]
  func deallocate() { tail.deallocate() }

  /// Prepares for a kernel.
  ///
  /// - Parameter given: number of the last stop by the control side, which may still have to be
  ///   executed.
  /// - Thread: [control], while there is no kernel.
  mutating func prepare(sampleRate: Double, channelCount: Int, epoch given: UInt64) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    tail.deallocate()
    tail = FadingTail(
      channelCount: channelCount,
      capacity: Int((Double(Self.longestFade) / 1000 * sampleRate).rounded(.up)))
    let wanted = PlayerState(values[Self.stateIndex])
    if given > epoch { stop(at: line.renderedTo, epoch: given) }
    set(wanted, at: line.renderedTo)
    if position > 0 { fadeIn() }
  }

  /// Converts its frame counts to another sample rate.
  ///
  /// - Thread: [control], while there is no kernel.
  mutating func scale(by ratio: Double) {
    time = Int(saturating: (Double(time) * ratio).rounded())
    position = Int(saturating: (Double(position) * ratio).rounded(.down))
    if let first = queue.first { position = min(position, first.pointee.pass.frameCount &- 1) }
  }

  /// - Thread: [control], while there is no kernel.
  mutating func setContent(_ entry: EntryPointer?) {
    if let first = queue.first, isContent(first) { _ = queue.takeFirst() }
    content = entry
    if queue.first == nil { position = 0 }
  }

  static var stateIndex: Int { @_noLocks @_noAllocation get { 0 } }
  static var loopIndex: Int { @_noLocks @_noAllocation get { 1 } }
  static var fadeIndex: Int { @_noLocks @_noAllocation get { 2 } }
  static var positionIndex: Int { @_noLocks @_noAllocation get { 3 } }
  static var timeIndex: Int { @_noLocks @_noAllocation get { 4 } }
  static var transportIndex: Int { @_noLocks @_noAllocation get { 5 } }
  static var cueIndex: Int { @_noLocks @_noAllocation get { 6 } }

  /// Whether the content follows the host's transport.
  var followsTransport: Bool {
    @_noLocks @_noAllocation get { values[Self.transportIndex] >= 0.5 }
  }

  /// Longest fade, in milliseconds.
  static var longestFade: Float { @_noLocks @_noAllocation get { 50 } }

  /// Length of fades, in frames.
  var fadeFrames: Int {
    @_noLocks @_noAllocation get {
      Int(saturating: Double(values[Self.fadeIndex]) * 0.001 * sampleRate)
    }
  }

  /// Whether an entry is the content.
  @_noLocks @_noAllocation
  func isContent(_ entry: EntryPointer) -> Bool {
    guard let content else { return false }
    return entry == content
  }
}
