// MIDI clock: ticks, start, stop, continue and song position.

import Realtime

/// Follows MIDI clock, 24 ticks a beat.
///
/// Start, Continue and a new song position take effect with the tick that follows, as MIDI defines.
/// Ticks also count while the song is stopped: they give the tempo.
struct ClockFollower: BitwiseCopyable {
  static var ticksPerBeat: Double { @_noLocks @_noAllocation get { 24 } }
  private static var ticksPerSongUnit: Int { @_noLocks @_noAllocation get { 6 } }

  private var ticks = TickEstimator()
  private var hasTick = false
  /// Whether the song runs.
  private(set) var isRunning = false
  /// Whether `following` is the song position of the next tick, instead of the one after
  /// `songTick`.
  private var isWaiting = false
  private var following = 0
  /// The song position of the latest tick, in ticks.
  private(set) var songTick = 0
  /// Whether the latest tick does not continue from the one before.
  private(set) var hasJumped = false

  /// - Thread: [control]
  init() {}

  /// The frame of the latest tick.
  var latest: FrameTime { @_noLocks @_noAllocation get { ticks.latest } }

  /// Frames per beat; 0 while unknown.
  var framesPerBeat: Double {
    @_noLocks @_noAllocation get { ticks.interval * Self.ticksPerBeat }
  }

  /// The position, in beats, at the frame of the latest tick.
  var beat: Double {
    @_noLocks @_noAllocation get {
      let beats = Double(songTick) / Self.ticksPerBeat
      // The first tick of a run is a step's own frame; later ones are where the estimated line has
      // them.
      if hasJumped || ticks.interval <= 0 { return beats }
      return beats + ticks.lateness / framesPerBeat
    }
  }

  /// Whether ticks are arriving: the last one is less than `frames` old.
  @_noLocks @_noAllocation
  func isPresent(at frame: FrameTime, within frames: FrameTime) -> Bool {
    hasTick && frame &- ticks.latest < frames
  }

  /// - Parameter longest: a tick this many frames or more after the one before restarts the
  ///   estimate.
  @_noLocks @_noAllocation
  mutating func tick(at frame: FrameTime, longest: FrameTime) {
    hasJumped = false
    if !isPresent(at: frame, within: longest) {
      ticks.reset()
      hasJumped = true
    }
    hasTick = true
    let count = ticks.add(frame)
    if isWaiting {
      isWaiting = false
      isRunning = true
      songTick = following
      hasJumped = true
    } else if isRunning {
      songTick += count
    }
  }

  @_noLocks @_noAllocation
  mutating func start() {
    following = 0
    isWaiting = true
  }

  @_noLocks @_noAllocation
  mutating func `continue`() {
    if isRunning { return }
    isWaiting = true
  }

  @_noLocks @_noAllocation
  mutating func stop() {
    if isRunning && !isWaiting { following = songTick + 1 }
    isRunning = false
    isWaiting = false
  }

  /// - Parameter position: in sixteenths.
  @_noLocks @_noAllocation
  mutating func setSongPosition(_ position: Int) {
    following = position * Self.ticksPerSongUnit
    if isRunning { isWaiting = true }
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    ticks.reset()
    hasTick = false
    isRunning = false
    isWaiting = false
    following = 0
    songTick = 0
    hasJumped = false
  }
}
