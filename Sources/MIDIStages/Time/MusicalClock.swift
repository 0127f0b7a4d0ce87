// The musical time of a chain, or of the stages behind a clock stage.

import Realtime
import UnitRender

/// Makes musical time of JACK's transport, MIDI clock, MTC or a tempo of its own.
///
/// What comes first of these gives position and tempo: a transport that rolls and states beats,
/// MIDI clock that runs, MTC that runs forwards, a transport that rolls without beats. The latter
/// two give seconds, which the internal tempo makes beats. When none does, the position counts on
/// from where it was, without a place in a song, at the tempo of a stopped transport that states
/// one, of MIDI clock's ticks, or the internal one.
///
/// A source may be chosen instead; then the others are not looked at.
struct MusicalClock: BitwiseCopyable {
  enum Setting: Int, BitwiseCopyable {
    case automatic, transport, midiClock, timeCode, `internal`
  }

  enum Source: Int, BitwiseCopyable {
    case none, transport, transportFrames, midiClock, timeCode
  }

  /// In beats a minute: what a follower may find.
  private static var fastest: Double { @_noLocks @_noAllocation get { 1000 } }
  private static var slowest: Double { @_noLocks @_noAllocation get { 1 } }
  /// Ticks of MIDI clock that stay away for longer are a clock that is lost, in seconds.
  static var clockPatience: Double { @_noLocks @_noAllocation get { 0.5 } }
  /// Likewise quarter frames of MTC.
  static var timeCodePatience: Double { @_noLocks @_noAllocation get { 0.1 } }

  let lines: BeatSegments
  private var setting = Setting.automatic
  /// In beats a minute.
  private var tempo = 120.0
  /// The time code that is beat 0, in seconds.
  private var offsetSeconds = 0.0
  private var transport = TransportFollower()
  private var clock = ClockFollower()
  private var timeCode = TimeCodeFollower()
  private var source = Source.none
  private var line = BeatSegment()
  private var sampleRate = 48000.0
  private(set) var now: FrameTime = 0

  /// - Parameter epoch: that of the first line, another for each clock of a chain.
  /// - Thread: [control]
  init(lines: BeatSegments, epoch: UInt32) {
    self.lines = lines
    line.epoch = epoch
  }

  /// - Thread: [control], once nobody uses the clock any more.
  func deallocate() { lines.deallocate() }

  /// In beats a minute.
  var currentTempo: Double {
    @_noLocks @_noAllocation get { line.beatsPerFrame * 60 * sampleRate }
  }

  /// In beats, at the end of what has been processed.
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

  /// A call begins: the transport may have jumped.
  @_noLocks @_noAllocation
  mutating func begin(_ call: MIDIChainCall) {
    sampleRate = call.sampleRate
    now = call.start
    transport.begin(call)
    line.from = now
    lines.restart(with: line)
    update(hasJumped: transport.hasJumped && transport.isRolling, by: .transport)
  }

  /// Lets time pass to `frame`: a source may turn out to be lost before.
  @_noLocks @_noAllocation
  mutating func advance(to frame: FrameTime) {
    // A lost source leaves another, which may be lost too.
    var turns = 0
    while turns < 4, lossOfSource() < frame {
      let lost = lossOfSource()
      if lost > now { now = lost }
      update(hasJumped: false, by: .none)
      turns &+= 1
    }
    if frame > now { now = frame }
  }

  /// The frame at which the source is lost unless something comes of it.
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

  /// - Parameter number: the raw value of a `Setting`, automatic for others.
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

  /// - Parameter seconds: the time code that is beat 0.
  @_noLocks @_noAllocation
  mutating func setOffset(_ seconds: Double) {
    offsetSeconds = seconds
    settingsChanged()
  }

  /// Where the tempo makes beats of seconds, another one is another position.
  @_noLocks @_noAllocation
  private mutating func settingsChanged() {
    update(hasJumped: source == .timeCode || source == .transportFrames, by: source)
  }

  /// Lays the line anew from `now` on, if it is another.
  /// - Parameters:
  ///   - hasJumped: whether the source with news stands elsewhere than it would have come to.
  ///   - updated: the source with news; either one of the transport stands for both.
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

  /// Whether a transport that counts is about to roll.
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

  /// The tempo where nothing gives a position.
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

  /// MIDI clock's tempo, the internal one while it is not known.
  private var clockTempo: Double {
    @_noLocks @_noAllocation get {
      let frames = clock.framesPerBeat
      return frames > 0 ? 60 * sampleRate / frames : tempo
    }
  }
}
