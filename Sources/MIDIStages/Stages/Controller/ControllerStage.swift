// The stage that turns one controller, pressure or bend into another.

import Realtime
import UnitRender

/// Maps a control of some channels to the messages of another, or to a parameter.
///
/// - Sources: a controller (0 to 119), channel pressure, key pressure, pitch bend, a pair of
///   controllers (0 to 31 with 32 to 63, 14 bits), a non-registered parameter (NRPN, by data entry,
///   increment and decrement). Targets: all but key pressure, and parameters of the unit or of
///   downstream stages.
/// - All values count from 0 to 127, those with 14 bits also in between; bends are divided so that
///   their middle stays the middle. A parameter's range, or the given part of it, counts as 0 to
///   127; if a view shows it logarithmically, equal steps are equal ratios. It is set on the
///   event's frame, or ramps from there.
/// - The first half of a pair or an NRPN takes effect as soon as it arrives, and resets the second
///   half.
/// - An NRPN is selected, set, and the sender's own selection restored, all at once. Selections by
///   the sender pass.
/// - The input range is mapped to 0…1, and limited to it; the curve bends that; the output range
///   scales it. A reversed range reverses the control.
/// - The source passes as well if it is kept; its message is then first.
///
/// The release of a pedal (controllers 64 to 69) passes if its press did, also if it is the source.
/// A pedal pressed by the source of a mapping is released when the mapping ends: with another
/// source or target, or its channel switched off. If the list of events has no room for that, the
/// release follows in a later call.
struct ControllerStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { ControllerParameter.count } }
  static var kinds: UInt16 {
    @_noLocks @_noAllocation get { ~(MessageKind.noteOn.bit | MessageKind.noteOff.bit) }
  }
  static var changesKinds: Bool { @_noLocks @_noAllocation get { true } }

  enum Source: Int, BitwiseCopyable {
    case off, controller, channelPressure, keyPressure, bend, controllerPair, nonRegistered
  }

  enum Target: Int, BitwiseCopyable {
    case controller, channelPressure, bend, controllerPair, nonRegistered, parameter
  }

  /// The mapped channels; bit n is channel n + 1.
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
  let stageIndex: Int
  let targets: MIDITargets
  let sampleRate: Double
  var halves = InlineArray<16, ControllerHalves>(repeating: ControllerHalves())
  /// Results for whole values with the current settings; −1 for those not computed yet.
  var results = InlineArray<128, Double>(repeating: -1)
  var hasResults = false
  /// The pedals of each channel, as bits, that were passed as pressed.
  var passed = InlineArray<16, UInt8>(repeating: 0)
  /// The pedals of each channel, as bits, that the mapping has pressed.
  var pressed = InlineArray<16, UInt8>(repeating: 0)
  let pendingReleases: UnsafeMutablePointer<PendingReleases>

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) {
    stageIndex = setup.stageIndex
    targets = setup.targets
    sampleRate = setup.sampleRate
    pendingReleases = setup.pendingReleases
    ResponseCurve.bind()
  }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    if hasResults {
      results = InlineArray(repeating: -1)
      hasResults = false
    }
    switch ControllerParameter(rawValue: index) {
    case .source, .sourceController, .sourceNRPN, .target, .targetController:
      setMapping(index, to: value)
    case .inputLow: input.low = wholeNumber(value, from: 0, through: 127)
    case .inputHigh: input.high = wholeNumber(value, from: 0, through: 127)
    case .outputLow: output.low = wholeNumber(value, from: 0, through: 127)
    case .outputHigh: output.high = wholeNumber(value, from: 0, through: 127)
    case .curve: curve = .numbered(wholeNumber(value, from: 0, through: 2))
    case .shape: shape = number(value, from: 0.1, through: 10)
    case .keep: keepsSource = value >= 0.5
    case .targetNRPN: targetNRPN = wholeNumber(value, from: 0, through: 16383)
    case .parameter:
      parameter = targets.target(
        wholeNumber(value, from: -1, through: 0xFF_FFFF), behind: stageIndex)
    case .ramp: rampMilliseconds = number(value, from: 0, through: 10_000)
    case .partLow: part.low = number(value, from: 0, through: 1)
    case .partHigh: part.high = number(value, from: 0, through: 1)
    case .channels, nil:
      channels.setSwitch(index, to: value)
      if index < 16 && value < 0.5 { addReleases(of: index) }
    }
  }

  /// Sets the source or the target of the mapping. A different one ends this mapping and begins
  /// another.
  @_noLocks @_noAllocation
  private mutating func setMapping(_ index: Int, to value: Float) {
    let number = wholeNumber(value, from: 0, through: 119)
    switch ControllerParameter(rawValue: index) {
    case .source:
      let new = Source(rawValue: wholeNumber(value, from: 0, through: 6)) ?? .off
      if new.rawValue != source.rawValue { addAllReleases() }
      source = new
    case .sourceController:
      if number != sourceNumber { addAllReleases() }
      sourceNumber = number
    case .sourceNRPN:
      let new = wholeNumber(value, from: 0, through: 16383)
      if new != sourceNRPN { addAllReleases() }
      sourceNRPN = new
    case .target:
      let new = Target(rawValue: wholeNumber(value, from: 0, through: 5)) ?? .controller
      if new.rawValue != target.rawValue { addAllReleases() }
      target = new
    case .targetController:
      if number != targetNumber { addAllReleases() }
      targetNumber = number
    default: break
    }
  }

  /// Forgets the pedals that are down, and the values received in halves.
  @_noLocks @_noAllocation
  mutating func reset() {
    var channel = 0
    while channel < 16 {
      forget(channel)
      halves[channel] = ControllerHalves()
      channel &+= 1
    }
  }
}

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum ControllerParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case source = 16
  case sourceController, target, targetController
  case inputLow, inputHigh, outputLow, outputHigh, curve, shape, keep
  case sourceNRPN, targetNRPN
  /// The number of the target parameter: see `MIDIChainTarget.number`.
  case parameter
  case ramp, partLow, partHigh

  static var count: Int { @_noLocks @_noAllocation get { partHigh.rawValue &+ 1 } }
}
