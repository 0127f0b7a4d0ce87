// Starting, pausing and stopping a player.

import Realtime
public import UnitModel

extension ScheduledPlayerUnit {
  /// Starts or resumes playback. A request without a time is also kept while nothing renders the
  /// player: before the start, while it is disconnected, or after its server has died. It takes
  /// effect when the player is rendered again.
  ///
  /// - Throws: `ScheduleError`.
  ///
  /// AUv3: `play(at:)`.
  /// - Thread: [control]; with a time, while render resources are allocated
  public func play(at time: EventTime = .immediate) throws(ScheduleError) {
    try set(.playing, at: time)
  }

  /// Pauses playback. Scheduled sounds stay. Without a time it may be called as `play` may.
  ///
  /// - Throws: `ScheduleError`.
  ///
  /// AUv3: `pause()`.
  /// - Thread: [control]; with a time, while render resources are allocated
  public func pause(at time: EventTime = .immediate) throws(ScheduleError) {
    try set(.paused, at: time)
  }

  private func set(_ state: PlayerState, at time: EventTime) throws(ScheduleError) {
    guard time == .immediate else {
      return try scheduleParameter(Self.stateAddress, value: state.value, at: time)
    }
    do throws(ParameterError) {
      try parameterTree.parameter(address: Self.stateAddress)?.setValue(state.value)
    } catch { throw .queueFull(acceptedBytes: 0) }
  }

  /// Stops playback and drops all sounds scheduled before this call. Later ones stay. Without a
  /// time it may be called as `play` may; the reports of the dropped sounds then follow with the
  /// next cycle.
  ///
  /// - Throws: `ScheduleError`, with nothing dropped.
  ///
  /// AUv3: `stop()`.
  /// - Thread: [control]; with a time, while render resources are allocated
  public func stop(at time: EventTime = .immediate) throws(ScheduleError) {
    try schedule.withLock { (schedule) throws(ScheduleError) in
      let epoch = schedule.epoch + 1
      do throws(ScheduleError) {
        try scheduleOwnEvent(
          address: ScheduledPlayerKernel.stopAddress + epoch, value: 0, at: time)
      } catch {
        guard error == .notAllocated, time == .immediate else { throw error }
        line.heldStop = epoch
      }
      if time == .immediate {
        parameterValues[PlaybackState.stateIndex] = PlayerState.stopped.value
      }
      schedule.epoch = epoch
      schedule.stitcher = nil
    }
  }

  /// Whether the player is playing, as of the last cycle.
  ///
  /// AUv3: `isPlaying`.
  /// - Thread: [any]
  public var isPlaying: Bool { PlayerState(parameterValues[PlaybackState.stateIndex]).isPlaying }

  /// Position of the player's timeline, as of the last cycle.
  ///
  /// AUv3: `playerTime(forNodeTime:)`.
  /// - Thread: [any]
  public var playerTime: PlayerTime { PlayerTime(sampleTime: line.time, sampleRate: rate) }
}
