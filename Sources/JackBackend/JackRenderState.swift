// What the process callback finds behind its argument.

import CJack
import GraphRender
import Realtime

/// What the process callback counts.
enum JackCount {
  static var xruns: Int { @_noLocks @_noAllocation get { 0 } }
  static var skippedCycles: Int { @_noLocks @_noAllocation get { 1 } }
  static var midiOutputRefused: Int { @_noLocks @_noAllocation get { 2 } }
  static var midiInputRefused: Int { @_noLocks @_noAllocation get { 3 } }
  static var malformedMIDI: Int { @_noLocks @_noAllocation get { 4 } }
  static var cycles: Int { @_noLocks @_noAllocation get { 5 } }
  static var periodFrames: Int { @_noLocks @_noAllocation get { 6 } }
  static var silentCycles: Int { @_noLocks @_noAllocation get { 7 } }
  /// Not 0 while what has begun at the MIDI outputs is to be ended, and nothing else sent.
  static var isEnding: Int { @_noLocks @_noAllocation get { 8 } }
  /// The cycles in which that was done.
  static var endedCycles: Int { @_noLocks @_noAllocation get { 9 } }
  /// What the kernel calls the render thread.
  static var renderThread: Int { @_noLocks @_noAllocation get { 10 } }
  /// The first frame of the latest cycle.
  static var frame: Int { @_noLocks @_noAllocation get { 11 } }
  /// What makes a frame of the server's counter; behind the frame, for they are set together.
  static var frameOffset: Int { @_noLocks @_noAllocation get { 12 } }
  /// How often it was asked that what has begun at the MIDI outputs be ended, and what units send
  /// go on.
  static var endings: Int { @_noLocks @_noAllocation get { 13 } }
  /// How often a cycle began to render something else, and behind it the first frame of that.
  static var takenRenderings: Int { @_noLocks @_noAllocation get { 14 } }
  static var renderingFrame: Int { @_noLocks @_noAllocation get { 15 } }
  static var all: Int { @_noLocks @_noAllocation get { 16 } }
}

/// The render side of the JACK client. Allocated before activation, freed after deactivation.
struct JackRenderState {
  let client: OpaquePointer
  let counters: AtomicCounters
  let published: PublishedPointer
  /// What is rendered; nil before the first cycle.
  var rendering: UnsafeMutablePointer<JackRendering>?
  /// What is rendered from its frame on.
  var waiting: UnsafeMutablePointer<JackRendering>?
  /// Whether `rendering` is rendered for the first time.
  var isNewRendering = false
  var clock = FrameClock()
  /// Frames added to `clock` since the server's counter stepped back.
  var clockOffset: FrameTime = 0
  var expectedFrame: FrameTime?
  /// Of the last cycle, in frames.
  var period: UInt32 = 0
  /// Of a port's buffer at that period.
  var midiBounds = MIDIBufferBounds(bytes: 0)
  var transport = TransportReader()
  /// Of `JackCount.endings`, those that were seen, and the cycles in which the last one is still to
  /// be done.
  var lastEndings = 0
  var cyclesToEnd = 0
}
