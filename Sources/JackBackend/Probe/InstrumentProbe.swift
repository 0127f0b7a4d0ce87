// Two JACK clients that play and record an instrument.

import CJack
import Glibc
import Realtime

/// Plays MIDI into another client and records its audio, frame by frame.
///
/// One client sends and another records: if a client's output reached its own input, JACK would
/// have to delay one of them by a period.
///
/// - Thread: [control], one at a time
public final class InstrumentProbe {
  private let sender: JackClient
  private let recorder: JackClient
  private let counters: AtomicCounters
  private let messages: UnsafeMutableBufferPointer<ProbeMessage>
  private let sentFrames: UnsafeMutableBufferPointer<Int>
  private let samples: UnsafeMutableBufferPointer<Float>
  private let messageCount: Int
  private let frameCount: Int
  private var states: [UnsafeMutablePointer<ProbeState>] = []

  /// Opens both clients and connects them.
  /// - Parameters:
  ///   - midi: the full name of the instrument's MIDI input port.
  ///   - audio: the full name of its audio output port.
  ///   - server: the server's name, nil for the default.
  ///   - plan: returns the messages to send, sorted by frame, and the number of frames to record.
  ///     Its arguments are the server's sample rate in hertz and period in frames.
  /// - Throws: `JackError`, including `portMissing` for a missing port.
  public init(
    midi: String, audio: String, server: String? = nil,
    plan: (_ sampleRate: Int, _ period: Int) -> (messages: [ProbeMessage], frames: Int)
  ) throws(JackError) {
    sender = try JackClient(name: "auricle-probe", server: server)
    recorder = try JackClient(name: "auricle-probe-ear", server: server)
    let (planned, frames) = plan(sender.sampleRate, sender.period)
    messages = .allocate(capacity: max(planned.count, 1))
    _ = messages.initialize(from: planned)
    sentFrames = .allocate(capacity: max(planned.count, 1))
    sentFrames.initialize(repeating: -1)
    samples = .allocate(capacity: max(frames, 1))
    samples.initialize(repeating: .nan)
    messageCount = planned.count
    frameCount = frames
    counters = AtomicCounters(count: ProbeState.counterCount)
    try Self.check(midi, JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, "MIDI input", sender)
    try Self.check(audio, JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, "audio output", sender)
    let sending = try makeState(sender, "midi_out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput)
    let recording = try makeState(recorder, "audio_in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput)
    jack_set_process_callback(sender.handle, probeSend, sending)
    jack_set_process_callback(recorder.handle, probeRecord, recording)
    for client in [sender, recorder] {
      guard jack_activate(client.handle) == 0 else { throw .activationFailed }
    }
    try sender.connect("\(sender.name):midi_out", to: midi)
    try recorder.connect(audio, to: "\(recorder.name):audio_in")
  }

  deinit {
    for client in [sender, recorder] { jack_deactivate(client.handle) }
    sender.close()
    recorder.close()
    for state in states { state.deallocate() }
    messages.deallocate()
    sentFrames.deallocate()
    samples.deallocate()
    counters.deallocate()
  }

  /// Starts playing half a second from now, so that both clients are running.
  public func start() {
    counters[ProbeState.originFrame] =
      Int(jack_frame_time(sender.handle)) + sender.sampleRate / 2
    counters[ProbeState.isStarted] = 1
  }

  /// The recorded share, 0 to 1.
  public var progress: Double {
    max(0, min(1, Double(counters[ProbeState.recordedFrames]) / Double(max(frameCount, 1))))
  }

  /// Waits a tenth of a second, or longer while no cycle runs.
  /// - Returns: false if none ran within `seconds`.
  public func waitForCycle(seconds: Int = 5) -> Bool {
    let before = counters[ProbeState.recordedFrames]
    for _ in 0..<seconds * 10 {
      usleep(100_000)
      if counters[ProbeState.recordedFrames] != before { return true }
    }
    return false
  }

  /// Silences the instrument and returns the recording. The probe cannot be used afterwards.
  public func finish() -> ProbeRecording {
    counters[ProbeState.isEnding] = 1
    var patience = 100
    while counters[ProbeState.silencedChannels] < 16 && patience > 0 {
      usleep(10_000)
      patience -= 1
    }
    for client in [sender, recorder] { jack_deactivate(client.handle) }
    let count = max(0, min(frameCount, counters[ProbeState.recordedFrames]))
    return ProbeRecording(
      sampleRate: sender.sampleRate, period: counters[ProbeState.periodFrames],
      samples: Array(samples[..<count]),
      sentFrames: sentFrames[..<messageCount].map { $0 < 0 ? nil : $0 })
  }

  private func makeState(
    _ client: JackClient, _ portName: String, _ type: String, _ flags: JackPortFlags
  ) throws(JackError) -> UnsafeMutablePointer<ProbeState> {
    guard let port = jack_port_register(client.handle, portName, type, UInt(flags.rawValue), 0)
    else { throw .portRefused(portName) }
    let state = UnsafeMutablePointer<ProbeState>.allocate(capacity: 1)
    state.initialize(
      to: ProbeState(
        client: client.handle, port: port, counters: counters, messages: messages.baseAddress!,
        sentFrames: sentFrames.baseAddress!, messageCount: messageCount,
        samples: samples.baseAddress!, sampleCount: frameCount))
    states.append(state)
    return state
  }

  private static func check(
    _ name: String, _ type: String, _ flags: JackPortFlags, _ kind: String, _ client: JackClient
  ) throws(JackError) {
    let available = client.portNames(type: type, flags: flags)
    guard available.contains(name) else {
      throw .portMissing(name, kind: kind, available: available)
    }
  }
}
