// State of the process callback.

import CJack
import GraphRender
import Realtime

/// Indices of the process callback's counters.
enum JackCount {
  static var xruns: Int { @_noLocks @_noAllocation get { 0 } }
  static var skippedCycles: Int { @_noLocks @_noAllocation get { 1 } }
  static var midiOutputRefused: Int { @_noLocks @_noAllocation get { 2 } }
  static var midiInputRefused: Int { @_noLocks @_noAllocation get { 3 } }
  static var malformedMIDI: Int { @_noLocks @_noAllocation get { 4 } }
  static var cycles: Int { @_noLocks @_noAllocation get { 5 } }
  static var periodFrames: Int { @_noLocks @_noAllocation get { 6 } }
  /// Time of the session's frame 0, in nanoseconds of JACK's monotonic clock, according to the
  /// latest cycle; next to `periodFrames`, because they are set together.
  static var hostTimeOfFrameZero: Int { @_noLocks @_noAllocation get { 7 } }
  /// Not 0 while held notes of the MIDI outputs are to be released, and nothing else is sent.
  static var isEnding: Int { @_noLocks @_noAllocation get { 8 } }
  /// The number of cycles in which they were released.
  static var endedCycles: Int { @_noLocks @_noAllocation get { 9 } }
  /// The kernel's identifier of the render thread.
  static var renderThread: Int { @_noLocks @_noAllocation get { 10 } }
  /// The first frame of the latest cycle.
  static var frame: Int { @_noLocks @_noAllocation get { 11 } }
  /// The difference between the session's frame and the server's counter; next to `frame`, because
  /// they are set together.
  static var frameOffset: Int { @_noLocks @_noAllocation get { 12 } }
  /// The number of requests to release the held notes of the MIDI outputs and continue sending.
  static var endings: Int { @_noLocks @_noAllocation get { 13 } }
  /// The number of renderings taken, and the first frame of the last one.
  static var takenRenderings: Int { @_noLocks @_noAllocation get { 14 } }
  static var renderingFrame: Int { @_noLocks @_noAllocation get { 15 } }
  static var silentCycles: Int { @_noLocks @_noAllocation get { 16 } }
  static var all: Int { @_noLocks @_noAllocation get { 17 } }
}

/// The render side of the JACK client. Allocated before activation, freed after deactivation.
struct JackRenderState {
  let client: OpaquePointer
  /// The server's rate at the activation, in Hz.
  let sampleRate: Int
  let counters: AtomicCounters
  let published: PublishedPointer
  /// The current rendering; nil before the first cycle.
  var rendering: UnsafeMutablePointer<JackRendering>?
  /// The rendering that starts at its `startFrame`.
  var waiting: UnsafeMutablePointer<JackRendering>?
  /// Whether `rendering` is rendered for the first time.
  var isNewRendering = false
  var clock = CycleClock()
  /// The last cycle's period, in frames.
  var period: UInt32 = 0
  /// The bounds of a MIDI port's buffer at that period.
  var midiBounds = MIDIBufferBounds(bytes: 0)
  var transport = TransportReader()
  /// The value of `JackCount.endings` last seen, and the remaining cycles in which to release
  /// notes.
  var lastEndings = 0
  var cyclesToEnd = 0
}
