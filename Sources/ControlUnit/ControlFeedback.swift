// Feedback messages to controls.

import Configuration
import Realtime
import UnitRender

/// The message that sends a parameter's value to its control.
struct ControlFeedback: BitwiseCopyable {
  enum Kind: BitwiseCopyable {
    /// No feedback.
    case none
    case controller, controllerPair, nonRegistered, pressure, bend, note
  }

  let kind: Kind
  /// The number of the controller, non-registered parameter or key.
  let number: Int
  /// The channel, 0 to 15.
  let channel: UInt8
  /// Whether it has two states only: one end or the other.
  let isSwitch: Bool

  /// - Thread: [control]
  init(_ settings: ControlMapping.Settings, isWanted: Bool) {
    channel = UInt8((settings.channel ?? 1) - 1)
    isSwitch = settings.mode == .toggle
    let message: (Kind, Int) =
      switch settings.source {
      case .controller(let number): (.controller, number)
      case .controllerPair(let number): (.controllerPair, number)
      case .nonRegistered(let number): (.nonRegistered, number)
      case .pressure: (.pressure, 0)
      case .bend: (.bend, 0)
      case .note(let key): (.note, key)
      case .program: (.none, 0)
      }
    let isSent = isWanted && settings.parameter != nil && settings.feedsBack
    (kind, number) = isSent ? message : (.none, 0)
  }

  /// The number of messages per feedback.
  var cost: Int {
    @_noLocks @_noAllocation get {
      switch kind {
      case .none: return 0
      case .controller, .pressure, .bend, .note: return 1
      case .controllerPair: return 2
      case .nonRegistered: return 4
      }
    }
  }

  /// Returns the level in the control's messages, 7 or 14 bits, for a position 0…1.
  @_noLocks @_noAllocation
  func level(_ position: Double) -> Int {
    if isSwitch { return position > 0.5 ? greatest : 0 }
    if case .bend = kind {
      // The middle maps to the middle, though there is one step less above it.
      let part = position - 0.5
      return held(8192 + part * (part < 0 ? 16384 : 16382))
    }
    return held(position * Double(greatest))
  }

  /// Returns the nearest whole number within the messages' range.
  @_noLocks @_noAllocation
  private func held(_ value: Double) -> Int {
    let whole = Int(saturating: value + 0.5)
    return whole < 0 ? 0 : whole > greatest ? greatest : whole
  }

  private var greatest: Int {
    @_noLocks @_noAllocation get {
      switch kind {
      case .controllerPair, .nonRegistered, .bend: return 16383
      case .none, .controller, .pressure, .note: return 127
      }
    }
  }

  /// Sends a level.
  @_noLocks @_noAllocation
  func send(_ level: Int, at frame: FrameTime, _ output: RenderEventList) {
    let (high, low) = (level >> 7, level & 127)
    switch kind {
    case .none: return
    case .controller: controller(number, level, at: frame, output)
    case .controllerPair:
      controller(number, high, at: frame, output)
      controller(number &+ 32, low, at: frame, output)
    case .nonRegistered:
      controller(99, number >> 7, at: frame, output)
      controller(98, number & 127, at: frame, output)
      controller(6, high, at: frame, output)
      controller(38, low, at: frame, output)
    case .pressure:
      let event = RenderEvent.midi(0xD0 | channel, byte(level), 0, length: 2, at: frame)
      _ = output.insert(event)
    case .bend: _ = output.insert(.midi(0xE0 | channel, byte(low), byte(high), at: frame))
    case .note: _ = output.insert(.midi(0x90 | channel, byte(number), byte(level), at: frame))
    }
  }

  @_noLocks @_noAllocation
  private func controller(
    _ number: Int, _ value: Int, at frame: FrameTime, _ output: RenderEventList
  ) {
    // A full list counts the events it refuses.
    _ = output.insert(.midi(0xB0 | channel, byte(number), byte(value), at: frame))
  }

  @_noLocks @_noAllocation
  private func byte(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) & 0x7F }
}
