// How messages pass around a stage, and what the stage has let in still finds its way through it.

import Realtime
import UnitRender

extension MIDIChainLayout.Stage {
  /// The index of the bypass, the same in every kind of stage.
  package static var bypassIndex: Int { @_noLocks @_noAllocation get { 0xFF } }
}

/// The bypass of one stage.
///
/// While it is on, messages pass around the stage, but for the ends of what the stage has let in: note-offs,
/// pressures of held keys, releases of pedals, and what ends a channel's notes. When it is switched off again, the
/// ends of what has passed around still do. What has gone both ways ends both ways, around it second.
///
/// Of one key that is held both ways, the note that went around ends first.
struct StageBypass: BitwiseCopyable {
  enum Way: BitwiseCopyable {
    case through, around, both
  }

  /// Whether anything may have to pass around the stage.
  private(set) var isNeeded = false
  private let isStagesOwn: Bool
  private var isSwitchedOn = false
  private var unitIsBypassed = false
  /// How many notes of each channel and key have passed around and not ended.
  private let counts: UnsafeMutablePointer<UInt8>
  private var channelCounts = InlineArray<16, Int>(repeating: 0)
  /// The channels and keys that may have such notes.
  private var marks = PlaceSet()
  /// For each channel the pedals, as bits, that were pressed around the stage.
  private var pedals = InlineArray<16, UInt8>(repeating: 0)

  /// - Parameter isStagesOwn: whether the stage does itself what a bypass means, and all goes through it.
  /// - Thread: [control]
  init(isStagesOwn: Bool) {
    self.isStagesOwn = isStagesOwn
    counts = .allocate(capacity: HeldNotes.places)
    counts.initialize(repeating: 0, count: HeldNotes.places)
  }

  /// - Thread: [control], once nobody uses the memory any more.
  func deallocate() { counts.deallocate() }

  /// Whether the stage is bypassed, by itself or with all of the unit.
  var isOn: Bool { @_noLocks @_noAllocation get { isSwitchedOn || unitIsBypassed } }

  @_noLocks @_noAllocation
  mutating func set(_ isOn: Bool) {
    isSwitchedOn = isOn
    note()
  }

  @_noLocks @_noAllocation
  mutating func setUnit(isBypassed: Bool) {
    unitIsBypassed = isBypassed
    note()
  }

  /// Notes whether there is still something to do.
  @_noLocks @_noAllocation
  private mutating func note() {
    isNeeded = isOn && !isStagesOwn
    var channel = 0
    while channel < 16 {
      if channelCounts[channel] > 0 || pedals[channel] != 0 { isNeeded = true }
      channel &+= 1
    }
  }

  /// Forgets what has passed around.
  /// - Complexity: O(keys that have passed around since the last time)
  @_noLocks @_noAllocation
  mutating func reset() {
    var channel = 0
    while channel < 16 {
      forgetNotes(channel)
      pedals[channel] = 0
      channel &+= 1
    }
    note()
  }

  @_noLocks @_noAllocation
  private mutating func forgetNotes(_ channel: Int) {
    if channelCounts[channel] == 0 { return }
    channelCounts[channel] = 0
    let words = PlaceSet.words(ofChannel: channel)
    var place = marks.next(behind: -1, in: words)
    while place >= 0 {
      counts[place] = 0
      place = marks.next(behind: place, in: words)
    }
    marks.removeAll(in: words)
  }

  /// Where a message has to go, of which what it ends is noted.
  @_noLocks @_noAllocation
  mutating func way(
    of message: ShortMessage, _ kind: MessageKind, _ stage: MIDIStage
  ) -> Way {
    let channel = message.channel
    let place = message.place
    switch kind {
    case .noteOn:
      // More of them than are counted are the stage's business.
      if !isOn || counts[place] == .max { return .through }
      counts[place] &+= 1
      channelCounts[channel] &+= 1
      marks.insert(place)
      return .around
    case .noteOff:
      if counts[place] > 0 {
        counts[place] &-= 1
        channelCounts[channel] &-= 1
        if channelCounts[channel] == 0 { note() }
        return .around
      }
      // Also where the stage has not sent the note on: then it keeps its note-off too.
      return .through
    case .keyPressure:
      if counts[place] > 0 { return .around }
      return isOn && !stage.holdsNote(channel, message.number) ? .around : .through
    case .controller: return controllerWay(message, stage)
    case .systemReset:
      let passed = isNeeded
      let isHeld = stage.holdsAnything
      reset()
      return way(passed: passed, isHeld: isHeld)
    case .plainController, .programChange, .channelPressure, .pitchBend, .systemExclusive, .system,
      .other:
      return isOn ? .around : .through
    }
  }

  /// Takes notice of what has come out of the stage: it may end notes that have passed around.
  @_noLocks @_noAllocation
  mutating func cameThrough(_ event: UnsafeMutablePointer<RenderEvent>) {
    if !isNeeded { return }
    let message = event.pointee.message
    if message.endsNotes(MessageKind.of(event)), channelCounts[message.channel] > 0 {
      forgetNotes(message.channel)
      note()
    }
  }

  @_noLocks @_noAllocation
  private mutating func controllerWay(_ message: ShortMessage, _ stage: MIDIStage) -> Way {
    let channel = message.channel
    let number = message.number
    if ControllerNumber.isPedal(number) {
      let pedal = UInt8(1) << UInt8(truncatingIfNeeded: number - 64)
      if message.value >= 64 {
        if isOn { pedals[channel] |= pedal }
        return isOn ? .around : .through
      }
      let passed = pedals[channel] & pedal != 0
      pedals[channel] &= ~pedal
      if passed { note() }
      return way(passed: passed, isHeld: stage.pedals(channel) & pedal != 0)
    }
    if number == ControllerNumber.resetAllControllers {
      let passed = pedals[channel] != 0
      pedals[channel] = 0
      if passed { note() }
      return way(passed: passed, isHeld: stage.pedals(channel) != 0)
    }
    if ControllerNumber.endsNotes(number) {
      let passed = channelCounts[channel] > 0
      forgetNotes(channel)
      if passed { note() }
      return way(passed: passed, isHeld: stage.holdsNotes(channel))
    }
    return isOn ? .around : .through
  }

  /// - Parameters:
  ///   - passed: whether what ends has passed around.
  ///   - isHeld: whether the stage has let in what ends.
  @_noLocks @_noAllocation
  private func way(passed: Bool, isHeld: Bool) -> Way {
    if isOn { return isHeld ? .both : .around }
    return passed ? .both : .through
  }
}
