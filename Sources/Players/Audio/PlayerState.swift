// The state of a player.

import Realtime

/// Stopped, playing or paused.
struct PlayerState: BitwiseCopyable {
  private let number: Int

  @_noLocks @_noAllocation
  private init(number: Int) { self.number = number }

  /// The state for a value of the `state` parameter.
  @_noLocks @_noAllocation
  init(_ value: Float) { number = value >= 1.5 ? 2 : value >= 0.5 ? 1 : 0 }

  static var stopped: PlayerState { @_noLocks @_noAllocation get { PlayerState(number: 0) } }
  static var playing: PlayerState { @_noLocks @_noAllocation get { PlayerState(number: 1) } }
  static var paused: PlayerState { @_noLocks @_noAllocation get { PlayerState(number: 2) } }

  var isStopped: Bool { @_noLocks @_noAllocation get { number == 0 } }
  var isPlaying: Bool { @_noLocks @_noAllocation get { number == 1 } }
  var isPaused: Bool { @_noLocks @_noAllocation get { number == 2 } }

  /// The parameter's value.
  var value: Float { @_noLocks @_noAllocation get { Float(number) } }
}
