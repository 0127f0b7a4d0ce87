// The state of a player's render side.

import Realtime
import UnitRender

/// What is playing and what waits. It outlives a kernel, so that one that is made anew goes on.
struct PlaybackState: BitwiseCopyable {
  let line: PlayerExchange
  let values: ParameterValues
  /// In hertz.
  private(set) var sampleRate = 48_000.0
  private(set) var channelCount = 0
  /// What is played whenever the player is started with nothing scheduled; nil for silence.
  private(set) var content: EntryPointer?

  /// What waits, the one that is playing first.
  var queue = EntryQueue()
  /// The way to what has not been taken into the queue yet.
  var link: EntryLink
  /// Those of the queue that wait to interrupt, in its order.
  var firstInterrupter: EntryPointer?
  var lastInterrupter: EntryPointer?
  /// What the control side is to take back, as soon as there is room to say so.
  var finished = EntryQueue()
  /// Stops by the control side so far.
  var epoch: UInt64 = 0

  var state = PlayerState.stopped
  /// Frames since the start after a stop, without pauses.
  var time = 0
  /// The next frame of the present pass of the entry that is playing.
  var position = 0
  /// Of the frames that the entry which ended last shares with the next one, how many were played.
  var carried = 0

  var tail = FadingTail()
  /// Frames that are still to fade in, and of how many.
  var fadeInLeft = 0
  var fadeInFrames = 1
  /// Whether something has been played since a fade was made last.
  var hasPlayed = false

  /// - Parameter values: of the parameters, by their addresses.
  /// - Thread: [control]
  init(_ line: PlayerExchange, values: ParameterValues) {
    self.line = line
    self.values = values
    link = line.start
  }

  /// - Thread: [control]
  func deallocate() { tail.deallocate() }

  /// Gets ready for a kernel.
  ///
  /// - Parameter given: how many stops there have been, of which it may not have been told.
  /// - Thread: [control], while there is none.
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

  /// Has all that counts frames count them at another sample rate.
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

  /// Whether the content follows the host's transport.
  var followsTransport: Bool {
    @_noLocks @_noAllocation get { values[Self.transportIndex] >= 0.5 }
  }

  /// In milliseconds.
  static var longestFade: Float { @_noLocks @_noAllocation get { 50 } }

  /// How long fades are, in frames.
  var fadeFrames: Int {
    @_noLocks @_noAllocation get {
      Int(saturating: Double(values[Self.fadeIndex]) * 0.001 * sampleRate)
    }
  }

  /// Whether an entry is what is played whenever the player is started.
  @_noLocks @_noAllocation
  func isContent(_ entry: EntryPointer) -> Bool {
    guard let content else { return false }
    return entry == content
  }
}
