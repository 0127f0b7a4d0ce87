// The stage that turns one controller, pressure or bend into another.

import Realtime
import UnitRender

/// Turns what moves one control of some channels into the messages of another, or moves a parameter.
///
/// - Sources: a controller (0 to 119), channel pressure, key pressure, pitch bend, a pair of controllers (0 to 31
///   with 32 to 63, 14 bits), a non-registered parameter (NRPN, by data entry, increment and decrement).
///   Targets: all but key pressure, and parameters of the unit or of stages behind this one.
/// - All count from 0 to 127, those with 14 bits in between; bends are so divided that their middle stays it. A
///   parameter's range, or the part of it that is given, counts as 0 to 127; where a view shows it
///   logarithmically, equal steps are equal ratios. It is set on the event's frame, or ramps from there.
/// - A pair's or an NRPN's first half counts as soon as it arrives, and resets its second half.
/// - An NRPN is selected, set, and the sender's own selection restored, in one go. Selections by the sender pass.
/// - The input range becomes 0…1, held to it; the curve bends that; the output range lays it out. A range
///   turned round turns the control round.
/// - The source goes on as well if it is kept; its message then comes first.
///
/// The release of a pedal (controllers 64 to 69) passes if its press did, also where it is the source. A pedal
/// that was pressed by the source of a mapping is released when the mapping ends: with another source or target,
/// or its channel switched off. Where the list of events has no room for that, it follows in a later call.
struct ControllerStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { 33 } }

  enum Source: Int, BitwiseCopyable {
    case off, controller, channelPressure, keyPressure, bend, controllerPair, nonRegistered
  }

  enum Target: Int, BitwiseCopyable {
    case controller, channelPressure, bend, controllerPair, nonRegistered, parameter
  }

  /// What a channel's sender has said in halves.
  struct Halves: BitwiseCopyable {
    /// The source's value so far, 14 bits.
    var value = 0
    /// The sender's selection for data entry; 127 and 127 is none.
    var selected = (high: UInt8(127), low: UInt8(127), isRegistered: true)

    @_noLocks @_noAllocation
    init() {}
  }

  /// Bit n: channel n + 1 is mapped.
  var channels: UInt16 = .max
  var source = Source.off
  var sourceNumber = 1
  var target = Target.controller
  var targetNumber = 11
  var input = (low: 0, high: 127)
  var output = (low: 0, high: 127)
  var curve = ResponseCurve.linear
  var shape = 3.0
  var keepsSource = false
  var sourceNRPN = 0
  var targetNRPN = 0
  var parameter: UnsafeMutablePointer<MIDITarget>?
  var rampMilliseconds = 0.0
  var part = (low: 0.0, high: 1.0)
  let place: Int
  let targets: MIDITargets
  let sampleRate: Double
  var halves = InlineArray<16, Halves>(repeating: Halves())
  /// What has been worked out for whole values by the settings as they are, −1 where nothing has.
  var results = InlineArray<128, Double>(repeating: -1)
  var hasResults = false
  /// For each channel the pedals, as bits, that were passed as pressed.
  var passed = InlineArray<16, UInt8>(repeating: 0)
  /// For each channel the pedals, as bits, that the mapping has pressed.
  var pressed = InlineArray<16, UInt8>(repeating: 0)
  /// For each channel the pedals, as bits, that are still to be released.
  var owed = InlineArray<16, UInt8>(repeating: 0)
  var owes = false

  /// - Parameter place: the stage's place in its chain.
  /// - Thread: [control]
  init(at place: Int, _ targets: MIDITargets, sampleRate: Double) {
    self.place = place
    self.targets = targets
    self.sampleRate = sampleRate
    ResponseCurve.bind()
  }

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 and 17 the source and its number, 18
  /// and 19 the target and its number, 20 to 23 the input and output ranges, 24 and 25 the curve and its
  /// shape, 26 whether the source is kept, 27 and 28 the NRPNs of source and target, 29 to 32 the target's
  /// parameter (see `MIDIChainTarget.number`), its ramp in milliseconds, and the part of its range.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    if hasResults {
      results = InlineArray(repeating: -1)
      hasResults = false
    }
    switch index {
    case 0...15:
      channels = channels.with(bit: index, value >= 0.5)
      if value < 0.5 { owe(index) }
    case 16:
      let new = Source(rawValue: wholeNumber(value, from: 0, through: 6)) ?? .off
      if new.rawValue != source.rawValue { oweAll() }
      source = new
    case 17:
      let new = wholeNumber(value, from: 0, through: 119)
      if new != sourceNumber { oweAll() }
      sourceNumber = new
    case 18:
      let new = Target(rawValue: wholeNumber(value, from: 0, through: 5)) ?? .controller
      if new.rawValue != target.rawValue { oweAll() }
      target = new
    case 19:
      let new = wholeNumber(value, from: 0, through: 119)
      if new != targetNumber { oweAll() }
      targetNumber = new
    case 20: input.low = wholeNumber(value, from: 0, through: 127)
    case 21: input.high = wholeNumber(value, from: 0, through: 127)
    case 22: output.low = wholeNumber(value, from: 0, through: 127)
    case 23: output.high = wholeNumber(value, from: 0, through: 127)
    case 24: curve = .numbered(wholeNumber(value, from: 0, through: 2))
    case 25: shape = number(value, from: 0.1, through: 10)
    case 26: keepsSource = value >= 0.5
    default: setTarget(index, to: value)
    }
  }

  @_noLocks @_noAllocation
  mutating func setTarget(_ index: Int, to value: Float) {
    switch index {
    case 27:
      let new = wholeNumber(value, from: 0, through: 16383)
      if new != sourceNRPN { oweAll() }
      sourceNRPN = new
    case 28: targetNRPN = wholeNumber(value, from: 0, through: 16383)
    case 29:
      parameter = targets.target(
        wholeNumber(value, from: -1, through: 0xFF_FFFF), behind: place)
    case 30: rampMilliseconds = number(value, from: 0, through: 10_000)
    case 31: part.low = number(value, from: 0, through: 1)
    case 32: part.high = number(value, from: 0, through: 1)
    default: break
    }
  }

  /// Forgets which pedals are down, and what was said in halves.
  @_noLocks @_noAllocation
  mutating func reset() {
    var channel = 0
    while channel < 16 {
      forget(channel)
      halves[channel] = Halves()
      channel &+= 1
    }
    owes = false
  }
}
