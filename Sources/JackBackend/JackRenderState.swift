// What the process callback finds behind its argument.

import CJack
import GraphRender
import Realtime
import UnitRender

/// A JACK MIDI input: its port, the unit that it plays, and the state of its byte stream.
struct JackMIDIInput {
  let port: OpaquePointer
  let unit: Int
  var parser: MIDIStreamParser
}

/// A JACK MIDI output and the unit that sends it.
struct JackMIDIOutput {
  let port: OpaquePointer
  let unit: Int
}

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
  static var all: Int { @_noLocks @_noAllocation get { 8 } }
}

/// The render side of the JACK client. Allocated before activation, freed after deactivation.
struct JackRenderState {
  let client: OpaquePointer
  let audioInputs: UnsafeMutablePointer<OpaquePointer>
  let audioInputCount: Int
  let audioOutputs: UnsafeMutablePointer<OpaquePointer>
  let audioOutputCount: Int
  let midiInputs: UnsafeMutablePointer<JackMIDIInput>
  let midiInputCount: Int
  let midiOutputs: UnsafeMutablePointer<JackMIDIOutput>
  let midiOutputCount: Int
  let counters: AtomicCounters
  let published: PublishedPointer
  var schedule: UnsafeMutableRawPointer?
  var clock = FrameClock()
  /// What `clock` is behind, because its counter went back.
  var clockOffset: FrameTime = 0
  var expectedFrame: FrameTime?
  /// Of the last cycle, in frames.
  var period: UInt32 = 0
  var transport = TransportReader()
}
