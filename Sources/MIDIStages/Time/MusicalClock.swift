// The musical time of a chain, or of the stages downstream of a clock stage.

import Realtime
import UnitRender

/// Makes musical time from JACK's transport, MIDI clock, MTC or an internal tempo.
///
/// Position and tempo are those of the first active source: a rolling transport with beats, running
/// MIDI clock, forward MTC, a rolling transport without beats. The latter two give seconds, which
/// the internal tempo converts to beats. If none is active, the position counts on from where it
/// was, without a song. The tempo is then that of a stopped transport that states one, of MIDI
/// clock's ticks, or the internal one.
///
/// A source may be chosen instead; then the others are ignored.
struct MusicalClock: BitwiseCopyable {
  enum Setting: Int, BitwiseCopyable {
    case automatic, transport, midiClock, timeCode, `internal`
  }

  enum Source: Int, BitwiseCopyable {
    case none, transport, transportFrames, midiClock, timeCode
  }

  /// The limits of a followed tempo, in beats a minute.
  private static var fastest: Double { @_noLocks @_noAllocation get { 1000 } }
  private static var slowest: Double { @_noLocks @_noAllocation get { 1 } }
  /// The time without a tick after which MIDI clock is lost, in seconds.
  static var clockPatience: Double { @_noLocks @_noAllocation get { 0.5 } }
  /// The time without a quarter frame after which MTC is lost, in seconds.
  static var timeCodePatience: Double { @_noLocks @_noAllocation get { 0.1 } }

  let lines: BeatSegments
  private var setting = Setting.automatic
  /// The internal tempo, in beats a minute.
  private var tempo = 120.0
  /// The time code of beat 0, in seconds.
  private var offsetSeconds = 0.0
  private var transport = TransportFollower()
  private var clock = ClockFollower()
  private var timeCode = TimeCodeFollower()
  private var source = Source.none
  private var line = BeatSegment()
  private var sampleRate = 48000.0
  private(set) var now: FrameTime = 0

  /// - Parameter epoch: the epoch of the first segment, different for each clock of a chain.
  /// - Thread: [control]
  init(lines: BeatSegments, epoch: UInt32) {
    self.lines = lines
    line.epoch = epoch
  }

  /// - Thread: [control], after the last use of the clock.
  func deallocate() { lines.deallocate() }

  /// The tempo, in beats a minute.
  var currentTempo: Double {
    @_noLocks @_noAllocation get { line.beatsPerFrame * 60 * sampleRate }
  }

  /// The position at the end of the processed frames, in beats.
  var currentPosition: Double { @_noLocks @_noAllocation get { line.beat(at: now) } }

  @_noLocks @_noAllocation
  mutating func reset() {
    transport.reset()
    clock.reset()
    timeCode.reset()
    source = .none
    line.epoch &+= 1
    line.isPositioned = false
  }

  /// Begins a call; the transport may have jumped.
  @_noLocks @_noAllocation
  mutating func begin(_ call: MIDIChainCall) {
    sampleRate = call.sampleRate
    now = call.start
    transport.begin(call)
    line.from = now
    lines.restart(with: line)
    update(hasJumped: transport.hasJumped && transport.isRolling, by: .transport)
  }

  /// Advances time to `frame`. A source may turn out to be lost before that.
  @_noLocks @_noAllocation
  mutating func advance(to frame: FrameTime) {
    // After a lost source another one is active, which may be lost too.
    var turns = 0
    while turns < 4, lossOfSource() < frame {
      let lost = lossOfSource()
      if lost > now { now = lost }
      update(hasJumped: false, by: .none)
      turns &+= 1
    }
    if frame > now { now = frame }
  }

  /// The frame at which the source is lost unless it sends something before.
  @_noLocks @_noAllocation
  private func lossOfSource() -> FrameTime {
    switch source {
    case .midiClock where setting == .automatic: return clock.latest &+ clockFrames
    case .timeCode: return timeCode.latest &+ timeCodeFrames
    case .none where setting == .automatic && clock.isPresent(at: now, within: clockFrames):
      return clock.latest &+ clockFrames
    default: return .max
    }
  }

  private var clockFrames: FrameTime {
    @_noLocks @_noAllocation get { FrameTime(Int(saturating: Self.clockPatience * sampleRate)) }
  }

  private var timeCodeFrames: FrameTime {
    @_noLocks @_noAllocation get { FrameTime(Int(saturating: Self.timeCodePatience * sampleRate)) }
  }

  /// Takes in a message. - Returns: whether it is a clock's.
  @_noLocks @_noAllocation
  mutating func take(_ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList) -> Bool {
    let bytes = event.pointee.bytes
    switch MessageKind.of(event) {
    case .systemExclusive:
      let isTimeCode = timeCode.fullMessage(
        list.systemExclusiveBytes(of: event), count: Int(event.pointee.length))
      if isTimeCode { update(hasJumped: false, by: .none) }
      return isTimeCode
    case .system: break
    case .systemReset, .noteOff, .noteOn, .keyPressure, .controller, .plainController,
      .programChange, .channelPressure, .pitchBend, .other:
      return false
    }
    switch bytes.0 {
    case 0xF1:
      timeCode.quarterFrame(bytes.1, at: now, longest: timeCodeFrames)
      update(hasJumped: timeCode.hasJumped, by: .timeCode)
    case 0xF2: clock.setSongPosition(Int(bytes.2) << 7 | Int(bytes.1))
    case 0xF8:
      clock.tick(at: now, longest: clockFrames)
      update(hasJumped: clock.hasJumped, by: .midiClock)
    case 0xFA: clock.start()
    case 0xFB: clock.continue()
    case 0xFC:
      clock.stop()
      update(hasJumped: false, by: .none)
    default: return false
    }
    return true
  }

  /// - Parameter number: the raw value of a `Setting`; automatic for others.
  @_noLocks @_noAllocation
  mutating func setSource(_ number: Int) {
    setting = Setting(rawValue: number) ?? .automatic
    settingsChanged()
  }

  /// - Parameter tempo: in beats a minute.
  @_noLocks @_noAllocation
  mutating func setTempo(_ tempo: Double) {
    self.tempo = tempo
    settingsChanged()
  }

  /// - Parameter seconds: the time code of beat 0.
  @_noLocks @_noAllocation
  mutating func setOffset(_ seconds: Double) {
    offsetSeconds = seconds
    settingsChanged()
  }

  /// Applies changed settings. For MTC and for a transport without beats a new tempo changes the
  /// position, which counts as a jump.
  @_noLocks @_noAllocation
  private mutating func settingsChanged() {
    update(hasJumped: source == .timeCode || source == .transportFrames, by: source)
  }

  /// Starts a new segment at `now`, if it differs from the current one.
  /// - Parameters:
  ///   - hasJumped: whether the updated source is at another position than it would have reached.
  ///   - updated: the source with an update; either transport source means both.
  @_noLocks @_noAllocation
  private mutating func update(hasJumped: Bool, by updated: Source) {
    let new = presentSource
    let isOther = new != source
    source = new
    let isTransports = updated == .transport || updated == .transportFrames
    switch new {
    case .none:
      lay(at: now, beat: line.beat(at: now), tempo: freeTempo, isPositioned: false, false)
    case .transport:
      if !isTransports && !isOther { return }
      lay(
        at: transport.anchor, beat: transport.beat, tempo: transport.tempo, isPositioned: true,
        isOther || hasJumped)
    case .transportFrames:
      if !isTransports && !isOther { return }
      lay(
        at: transport.anchor, beat: transport.transportFrame * tempo / (60 * sampleRate),
        tempo: tempo, isPositioned: true, isOther || hasJumped)
    case .midiClock:
      if updated != .midiClock && !isOther { return }
      lay(
        at: clock.latest, beat: clock.beat, tempo: clockTempo, isPositioned: true,
        isOther || hasJumped)
    case .timeCode:
      if updated != .timeCode && !isOther { return }
      let seconds = timeCode.seconds(sampleRate: sampleRate) - offsetSeconds
      lay(
        at: timeCode.latest, beat: seconds * tempo / 60,
        tempo: tempo * timeCode.speed(sampleRate: sampleRate), isPositioned: true,
        isOther || hasJumped)
    }
  }

  @_noLocks @_noAllocation
  private mutating func lay(
    at anchor: FrameTime, beat: Double, tempo: Double, isPositioned: Bool, _ hasJumped: Bool
  ) {
    var new = line
    let held = tempo < Self.slowest ? Self.slowest : tempo > Self.fastest ? Self.fastest : tempo
    new.beatsPerFrame = held / (60 * sampleRate)
    let isWaiting = source == .none && waits
    if !isPositioned && !line.isPositioned && new.beatsPerFrame == line.beatsPerFrame
      && isWaiting == line.isWaiting
    {
      return
    }
    new.isWaiting = isWaiting
    new.from = now
    new.anchor = anchor
    new.beat = beat
    new.elapsed = line.elapsed(at: now) - Double(now &- anchor) * new.beatsPerFrame
    new.isPositioned = isPositioned
    if hasJumped || isPositioned != line.isPositioned { new.epoch = line.epoch &+ 1 }
    let isSame =
      new.anchor == line.anchor && new.beat == line.beat && new.epoch == line.epoch
      && new.beatsPerFrame == line.beatsPerFrame && new.isWaiting == line.isWaiting
    if isSame { return }
    line = new
    lines.append(new)
  }

  /// Whether the transport is about to roll, if the setting uses it.
  private var waits: Bool {
    @_noLocks @_noAllocation get {
      switch setting {
      case .automatic, .transport: return transport.isStarting
      case .midiClock, .timeCode, .internal: return false
      }
    }
  }

  private var presentSource: Source {
    @_noLocks @_noAllocation get {
      let hasTimeCode =
        timeCode.isLocked && timeCode.direction > 0
        && timeCode.isPresent(at: now, within: timeCodeFrames)
      switch setting {
      case .automatic:
        if transport.isRolling && transport.hasBeats { return .transport }
        if clock.isRunning && clock.isPresent(at: now, within: clockFrames) { return .midiClock }
        if hasTimeCode { return .timeCode }
        return transport.isRolling ? .transportFrames : .none
      case .transport:
        if !transport.isRolling { return .none }
        return transport.hasBeats ? .transport : .transportFrames
      case .midiClock: return clock.isRunning ? .midiClock : .none
      case .timeCode: return hasTimeCode ? .timeCode : .none
      case .internal: return .none
      }
    }
  }

  /// The tempo while no source gives a position.
  private var freeTempo: Double {
    @_noLocks @_noAllocation get {
      switch setting {
      case .automatic:
        if transport.tempo > 0 { return transport.tempo }
        return clock.isPresent(at: now, within: clockFrames) ? clockTempo : tempo
      case .transport: return transport.tempo > 0 ? transport.tempo : tempo
      case .midiClock: return clockTempo
      case .timeCode, .internal: return tempo
      }
    }
  }

  /// MIDI clock's tempo; the internal one while it is unknown.
  private var clockTempo: Double {
    @_noLocks @_noAllocation get {
      let frames = clock.framesPerBeat
      return frames > 0 ? 60 * sampleRate / frames : tempo
    }
  }
}
