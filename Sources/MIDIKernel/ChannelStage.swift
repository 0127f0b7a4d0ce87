// The stage that sends messages to other channels: to one each, all to one, or to several by key.

import UnitRender

/// Gives the messages of some channels other channels.
///
/// - Map: each channel has another, several may have the same. Merge: all go to one.
/// - Zones: up to eight ranges of keys, each with a channel. Zones that do not overlap split the keyboard, zones
///   that do are layers. A fade of n keys at a zone's end lets velocities rise over its first n keys, or
///   fall over its last; two zones that fade over the same keys are together as loud as each alone. What
///   is no note goes to the channel of every zone.
///
/// A note-off and the pressure of a held key go wherever the note-on went, whatever the settings are by then,
/// and so does the release of a pedal. What ends the notes of a channel goes also wherever notes of
/// that channel are held, and ends all notes there, those from other channels too; a mode change (124 to
/// 127) leaves an All Notes Off where it would not go by the settings.
///
/// A list of events that is full has no room for copies. A channel that misses the end of a note or of a pedal
/// then is sent nothing more until a later call, which starts with all pedals up and All Notes Off for it.
struct ChannelStage {
  static var zoneCount: Int { @_noLocks @_noAllocation get { 8 } }
  static var parametersOfZone: Int { @_noLocks @_noAllocation get { 5 } }
  static var firstZone: Int { @_noLocks @_noAllocation get { 34 } }

  enum Mode: Int, BitwiseCopyable {
    case map, merge, zones
  }

  /// Bit n: the messages of channel n + 1 are sent elsewhere.
  private var channels: UInt16 = .max
  private var mode = Mode.map
  private var mergeChannel = 0
  private var map = InlineArray<16, Int>(repeating: 0)
  private var zones = InlineArray<8, ChannelZone>(repeating: ChannelZone())
  /// The outputs, as bits, of each channel's messages that are no notes.
  private(set) var outputs = InlineArray<16, UInt16>(repeating: 0)
  /// Whether every message stays on its channel.
  private(set) var isNeutral = true
  /// The outputs of each held note are its tag, as bits.
  let held: HeldNotes
  /// How many held notes each output has.
  var heldCounts = InlineArray<16, Int>(repeating: 0)
  /// For each channel and pedal the outputs, as bits, that were sent its press.
  var pedals = InlineArray<96, UInt16>(repeating: 0)
  /// The outputs, as bits, that have missed the end of something.
  var broken: UInt16 = 0

  /// - Thread: [control]
  init(held: HeldNotes) {
    self.held = held
    for channel in 0..<16 { map[channel] = channel }
    findOutputs()
  }

  func deallocate() { held.deallocate() }

  /// Sets a parameter by its index in the stage: 0 to 15 the channels, 16 the mode, 17 the channel that all
  /// merge to, 18 to 33 the map, then the zones: channel, key range, fades at its ends.
  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch index {
    case 0...15: channels = channels.with(bit: index, value >= 0.5)
    case 16: mode = Mode(rawValue: wholeNumber(value, from: 0, through: 2)) ?? .map
    case 17: mergeChannel = wholeNumber(value, from: 1, through: 16) - 1
    case 18...33: map[index - 18] = wholeNumber(value, from: 1, through: 16) - 1
    default:
      let place = index - Self.firstZone
      if place < 0 || place >= Self.zoneCount * Self.parametersOfZone { return }
      zones[place / Self.parametersOfZone].setParameter(place % Self.parametersOfZone, to: value)
    }
    findOutputs()
  }

  /// Forgets what is held.
  @_noLocks @_noAllocation
  mutating func reset() {
    held.forgetAll()
    heldCounts = InlineArray(repeating: 0)
    pedals = InlineArray(repeating: 0)
    broken = 0
  }

  /// The pedals of a channel, as bits, whose press was sent anywhere.
  @_noLocks @_noAllocation
  func pressedPedals(_ channel: Int) -> UInt8 {
    var pressed: UInt8 = 0
    var pedal = 0
    while pedal < 6 {
      if pedals[channel * 6 + pedal] != 0 { pressed |= 1 << UInt8(truncatingIfNeeded: pedal) }
      pedal &+= 1
    }
    return pressed
  }

  var hasZones: Bool {
    @_noLocks @_noAllocation get {
      if case .zones = mode { return true }
      return false
    }
  }

  /// Finds where the settings send each channel's messages.
  @_noLocks @_noAllocation
  private mutating func findOutputs() {
    var common: UInt16 = 0
    switch mode {
    case .map: break
    case .merge: common = common.with(bit: mergeChannel, true)
    case .zones:
      var index = 0
      while index < Self.zoneCount {
        if zones[index].isOn { common = common.with(bit: zones[index].channel, true) }
        index &+= 1
      }
    }
    var isNeutral = true
    var channel = 0
    while channel < 16 {
      let own = UInt16(0).with(bit: channel, true)
      if !channels.has(bit: channel) {
        outputs[channel] = own
      } else if case .map = mode {
        outputs[channel] = UInt16(0).with(bit: map[channel], true)
      } else {
        outputs[channel] = common
      }
      if outputs[channel] != own { isNeutral = false }
      channel &+= 1
    }
    self.isNeutral = isNeutral
  }

  /// The velocity of a channel's note at an output that the settings send it to, 0 where they do not: the
  /// highest that a zone of that output gives it.
  @_noLocks @_noAllocation
  mutating func velocity(of velocity: Int, key: Int, channel: Int, at output: Int) -> Int {
    guard case .zones = mode, channels.has(bit: channel) else { return velocity }
    var highest = 0
    var index = 0
    while index < Self.zoneCount {
      let zone = zones[index]
      if zone.isOn && zone.channel == output {
        let inZone = zone.velocity(velocity, key: key)
        if inZone > highest { highest = inZone }
      }
      index &+= 1
    }
    return highest
  }
}

/// A range of keys with an output.
struct ChannelZone: BitwiseCopyable {
  /// 0 to 15.
  var channel = 0
  var isOn = false
  private var keys = PassRange()
  private var fadeLow = 0
  private var fadeHigh = 0

  /// - Thread: [control]
  init() {}

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch index {
    case 0:
      let number = wholeNumber(value, from: 0, through: 16)
      isOn = number > 0
      channel = isOn ? number - 1 : 0
    case 1: keys.set(low: wholeNumber(value, from: 0, through: 127))
    case 2: keys.set(high: wholeNumber(value, from: 0, through: 127))
    case 3: fadeLow = wholeNumber(value, from: 0, through: 127)
    case 4: fadeHigh = wholeNumber(value, from: 0, through: 127)
    default: break
    }
  }

  /// The velocity of a note in this zone, at least 1; 0 outside. Key n of a fade over m keys, counted from
  /// the zone's end, has n / (m + 1) of the power.
  ///
  /// A sampler's amplitude goes with the square of the velocity (SF2 2.04, 9.5.1: 40 · log), the power
  /// with its fourth power: so two zones that fade over the same keys add up to the power of one.
  @_noLocks @_noAllocation
  func velocity(_ velocity: Int, key: Int) -> Int {
    if key < keys.low || key > keys.high { return 0 }
    var part = 1.0
    let fromLow = key - keys.low + 1
    if fromLow <= fadeLow { part *= Double(fromLow) / Double(fadeLow + 1) }
    let fromHigh = keys.high - key + 1
    if fromHigh <= fadeHigh { part *= Double(fromHigh) / Double(fadeHigh + 1) }
    let faded = rounded(
      Double(velocity) * Vouched.squareRoot(Vouched.squareRoot(part)))
    return faded > 1 ? faded : 1
  }
}
