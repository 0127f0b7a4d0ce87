// The stage that sends messages to other channels: to one each, all to one, or to several by key.

import UnitRender

/// Moves the messages of some channels to other channels.
///
/// - Map: each channel has another, several may have the same. Merge: all go to one.
/// - Zones: up to eight ranges of keys, each with a channel. Separate zones split the keyboard,
///   overlapping ones are layers. A fade of n keys at a zone's end lets velocities rise over its
///   first n keys, or fall over its last. Two zones that fade over the same keys are together as
///   loud as one of them. Messages other than notes go to the channel of every zone.
///
/// Note-offs and the pressure of held keys follow the note-on, whatever the settings are by then;
/// pedal releases follow the press. A message that ends the notes of a channel also goes to all
/// outputs with held notes of it. It ends all notes there, also those from other channels. At
/// outputs that the settings do not give, a mode change (124 to 127) becomes All Notes Off.
///
/// A full list of events has no room for copies. A channel that misses the end of a note or pedal
/// is sent nothing more until a later call. That call starts with all pedals up and All Notes Off
/// for it.
struct ChannelStage {
  static var parameterCount: Int { @_noLocks @_noAllocation get { ChannelParameter.count } }

  enum Mode: Int, BitwiseCopyable {
    case map, merge, zones
  }

  /// The channels whose messages are sent elsewhere; bit n is channel n + 1.
  private var channels: UInt16 = .max
  private var mode = Mode.map
  private var mergeChannel = 0
  private var map = InlineArray<16, Int>(repeating: 0)
  private var zones = InlineArray<8, ChannelZone>(repeating: ChannelZone())
  /// The outputs, as bits, of each channel's messages other than notes.
  private(set) var outputs = InlineArray<16, UInt16>(repeating: 0)
  /// Held notes; the tag of each is its outputs, as bits.
  let held: HeldNotes
  /// The number of held notes of each output.
  var heldCounts = InlineArray<16, Int>(repeating: 0)
  /// The outputs, as bits, that were sent the press of a pedal, for each channel and pedal.
  var pedals = InlineArray<96, UInt16>(repeating: 0)
  let pendingReleases: UnsafeMutablePointer<PendingReleases>

  /// - Thread: [control]
  init(_ setup: MIDIStageSetup) {
    held = .allocate()
    pendingReleases = setup.pendingReleases
    for channel in 0..<16 { map[channel] = channel }
    findOutputs()
  }

  func deallocate() { held.deallocate() }

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch ChannelParameter(rawValue: index) {
    case .mode: mode = Mode(rawValue: wholeNumber(value, from: 0, through: 2)) ?? .map
    case .merge: mergeChannel = wholeNumber(value, from: 1, through: 16) - 1
    case .channels, .map, .zones, nil:
      channels.setSwitch(index, to: value)
      setMap(index &- ChannelParameter.map.rawValue, to: value)
      setZone(index &- ChannelParameter.zones.rawValue, to: value)
    }
    findOutputs()
  }

  @_noLocks @_noAllocation
  private mutating func setMap(_ channel: Int, to value: Float) {
    if channel < 0 || channel >= 16 { return }
    map[channel] = wholeNumber(value, from: 1, through: 16) - 1
  }

  @_noLocks @_noAllocation
  private mutating func setZone(_ index: Int, to value: Float) {
    let count = ChannelZoneParameter.count
    if index < 0 || index >= ChannelParameter.zoneCount &* count { return }
    zones[index / count].setParameter(index % count, to: value)
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    held.forgetAll()
    heldCounts = InlineArray(repeating: 0)
    pedals = InlineArray(repeating: 0)
    pendingReleases.pointee.forgetAll()
  }

  /// The outputs, as bits, that have missed the end of a note or pedal.
  var broken: UInt16 { @_noLocks @_noAllocation get { pendingReleases.pointee.channels } }

  var heldNotes: HeldNotes? { @_noLocks @_noAllocation get { held } }

  /// The pedals whose press was sent to any output.
  @_noLocks @_noAllocation
  mutating func pedals(_ channel: Int) -> UInt8 {
    var pressed: UInt8 = 0
    var pedal = 0
    while pedal < 6 {
      if pedals[channel * 6 + pedal] != 0 { pressed |= 1 << UInt8(truncatingIfNeeded: pedal) }
      pedal &+= 1
    }
    return pressed
  }

  /// The largest number of outputs of a channel.
  @_noLocks @_noAllocation
  mutating func copies(ofNote isNote: Bool) -> Int {
    var (most, channel) = (1, 0)
    while channel < 16 {
      most = max(most, outputs[channel].nonzeroBitCount)
      channel &+= 1
    }
    return most
  }

  var hasZones: Bool {
    @_noLocks @_noAllocation get {
      if case .zones = mode { return true }
      return false
    }
  }

  /// Finds the outputs of each channel's messages by the settings.
  @_noLocks @_noAllocation
  private mutating func findOutputs() {
    var common: UInt16 = 0
    switch mode {
    case .map: break
    case .merge: common = common.with(bit: mergeChannel, true)
    case .zones:
      var index = 0
      while index < ChannelParameter.zoneCount {
        if zones[index].isOn { common = common.with(bit: zones[index].channel, true) }
        index &+= 1
      }
    }
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
      channel &+= 1
    }
  }

  /// The velocity of a channel's note at an output: the highest of the output's zones; 0 if the
  /// settings do not send the note there.
  @_noLocks @_noAllocation
  mutating func velocity(of velocity: Int, key: Int, channel: Int, at output: Int) -> Int {
    guard case .zones = mode, channels.has(bit: channel) else { return velocity }
    var highest = 0
    var index = 0
    while index < ChannelParameter.zoneCount {
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
  /// The output channel, 0 to 15.
  var channel = 0
  var isOn = false
  private var keys = PassRange()
  private var fadeLow = 0
  private var fadeHigh = 0

  /// - Thread: [control]
  init() {}

  @_noLocks @_noAllocation
  mutating func setParameter(_ index: Int, to value: Float) {
    switch ChannelZoneParameter(rawValue: index) {
    case .channel:
      let number = wholeNumber(value, from: 0, through: 16)
      isOn = number > 0
      channel = isOn ? number - 1 : 0
    case .keyLow: keys.set(low: wholeNumber(value, from: 0, through: 127))
    case .keyHigh: keys.set(high: wholeNumber(value, from: 0, through: 127))
    case .fadeLow: fadeLow = wholeNumber(value, from: 0, through: 127)
    case .fadeHigh: fadeHigh = wholeNumber(value, from: 0, through: 127)
    case nil: break
    }
  }

  /// The velocity of a note in this zone, at least 1; 0 outside. Key n of a fade over m keys,
  /// counted from the zone's end, has n / (m + 1) of the power.
  ///
  /// A sampler's amplitude is proportional to the square of the velocity (SF2 2.04, 9.5.1: 40 ·
  /// log), its power to the fourth power. So two zones that fade over the same keys add up to the
  /// power of one.
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

/// The stage's parameters. Raw values are parts of their addresses and never change.
package enum ChannelParameter: Int {
  /// The first of 16 switches, one per channel.
  case channels = 0
  case mode = 16
  case merge
  /// The first of 16 outputs, one per channel.
  case map = 18
  /// The first of the zones: `ChannelZoneParameter` for each.
  case zones = 34

  package static var zoneCount: Int { @_noLocks @_noAllocation get { 8 } }

  static var count: Int {
    @_noLocks @_noAllocation get { zones.rawValue &+ zoneCount &* ChannelZoneParameter.count }
  }
}

/// A parameter of a zone, counted from the zone's first.
package enum ChannelZoneParameter: Int {
  case channel = 0
  case keyLow, keyHigh, fadeLow, fadeHigh

  package static var count: Int { @_noLocks @_noAllocation get { fadeHigh.rawValue &+ 1 } }
}
