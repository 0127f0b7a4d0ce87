// The process callbacks of a probe's two clients.

import CJack
import CRealtime
import Realtime

/// State shared by the sender, the recorder and the control side. Allocated before activation,
/// freed after deactivation.
struct ProbeState {
  /// Indices of the counters.
  static var isStarted: Int { @_noLocks @_noAllocation get { 0 } }
  static var originFrame: Int { @_noLocks @_noAllocation get { 1 } }
  static var recordedFrames: Int { @_noLocks @_noAllocation get { 2 } }
  static var periodFrames: Int { @_noLocks @_noAllocation get { 3 } }
  static var isEnding: Int { @_noLocks @_noAllocation get { 4 } }
  static var silencedChannels: Int { @_noLocks @_noAllocation get { 5 } }
  static var counterCount: Int { @_noLocks @_noAllocation get { 6 } }

  let client: OpaquePointer
  let port: OpaquePointer
  let counters: AtomicCounters
  /// The messages to send, sorted by frame.
  let messages: UnsafeMutablePointer<ProbeMessage>
  /// The frame at which each message was sent, −1 if not sent.
  let sentFrames: UnsafeMutablePointer<Int>
  let messageCount: Int
  let samples: UnsafeMutablePointer<Float>
  let sampleCount: Int
  var nextMessage = 0

  /// Returns the current cycle's first frame since the probe's start; nil before it. JACK's counter
  /// has 32 bits; the difference is right for half their range, 12 hours at 48 kHz.
  @_noLocks @_noAllocation
  func elapsed() -> Int? {
    if counters[Self.isStarted] == 0 { return nil }
    let origin = UInt32(truncatingIfNeeded: counters[Self.originFrame])
    return Int(Int32(bitPattern: Vouched.lastFrameTime(client) &- origin))
  }
}

/// Sends the messages that are due.
/// - Thread: [render]
@_noLocks @_noAllocation
func probeSend(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  guard let argument else { return 0 }
  realtimeContextEnter()
  let state = argument.assumingMemoryBound(to: ProbeState.self)
  if let buffer = Vouched.midiBuffer(state.pointee.port, frames) {
    Vouched.clearMIDI(buffer)
    if state.pointee.counters[ProbeState.isEnding] != 0 {
      silenceAll(state, buffer)
    } else if let start = state.pointee.elapsed() {
      sendDue(state, buffer, start, Int(frames))
    }
  }
  realtimeContextExit()
  return 0
}

@_noLocks @_noAllocation
private func sendDue(
  _ state: UnsafeMutablePointer<ProbeState>, _ buffer: UnsafeMutableRawPointer, _ start: Int,
  _ frames: Int
) {
  while state.pointee.nextMessage < state.pointee.messageCount {
    let index = state.pointee.nextMessage
    let message = state.pointee.messages[index]
    if message.frame >= start + frames { return }
    // Messages of a skipped cycle are sent now, and this frame is recorded.
    let offset = max(0, message.frame - start)
    if write(message.status, message.data1, message.data2, at: offset, to: buffer) {
      state.pointee.sentFrames[index] = start + offset
    }
    state.pointee.nextMessage += 1
  }
}

/// Silences all channels, once.
@_noLocks @_noAllocation
private func silenceAll(
  _ state: UnsafeMutablePointer<ProbeState>, _ buffer: UnsafeMutableRawPointer
) {
  while state.pointee.counters[ProbeState.silencedChannels] < 16 {
    let channel = UInt8(
      truncatingIfNeeded: state.pointee.counters[ProbeState.silencedChannels])
    if !write(0xB0 | channel, 123, 0, at: 0, to: buffer) { return }
    if !write(0xB0 | channel, 120, 0, at: 0, to: buffer) { return }
    state.pointee.counters.add(1, to: ProbeState.silencedChannels)
  }
}

@_noLocks @_noAllocation
private func write(
  _ status: UInt8, _ data1: UInt8, _ data2: UInt8, at offset: Int,
  to buffer: UnsafeMutableRawPointer
) -> Bool {
  guard let bytes = Vouched.reserveMIDI(buffer, UInt32(truncatingIfNeeded: offset), 3) else {
    return false
  }
  bytes[0] = status
  bytes[1] = data1
  bytes[2] = data2
  return true
}

/// Records the instrument's output, each sample at its frame.
/// - Thread: [render]
@_noLocks @_noAllocation
func probeRecord(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  guard let argument else { return 0 }
  realtimeContextEnter()
  let state = argument.assumingMemoryBound(to: ProbeState.self)
  if let start = state.pointee.elapsed(),
    let samples = Vouched.audioBuffer(state.pointee.port, frames)
  {
    var index = 0
    while index < Int(frames) {
      let frame = start + index
      if frame >= 0 && frame < state.pointee.sampleCount {
        state.pointee.samples[frame] = samples[index]
      }
      index += 1
    }
    state.pointee.counters[ProbeState.periodFrames] = Int(frames)
    state.pointee.counters[ProbeState.recordedFrames] = start + Int(frames)
  }
  realtimeContextExit()
  return 0
}
