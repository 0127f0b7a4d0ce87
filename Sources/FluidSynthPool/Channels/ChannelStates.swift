// The MIDI state of the 16 channels, for a synth that takes over.

/// The state of one MIDI channel, as set by messages.
package struct ChannelState: BitwiseCopyable {
  /// Values of the controllers that were sent; the others have the synth's own defaults.
  package var controllers = InlineArray<128, UInt8>(repeating: 0)
  package var isSet = InlineArray<128, Bool>(repeating: false)
  /// The pitch bend, 0 to 16383.
  package var bend: UInt16 = 8192
  package var pressure: UInt8 = 0
  /// The program chosen by MIDI, −1 while the configured one applies, and the bank it was chosen
  /// in, from controllers 0 and 32.
  package var program: Int16 = -1
  package var programBank: UInt8 = 0
  package var programBankFine: UInt8 = 0
  /// The value for the configured bank, used while no other was selected.
  package static var configuredBank: UInt8 { @_noLocks @_noAllocation get { 255 } }
  /// The channel's setting by GS "use for rhythm part"; −1 if it was not sent.
  package var rhythmPart: Int8 = -1
  /// The data of registered parameters 0 to 5, most significant byte first; −1 if none was sent.
  var registered = InlineArray<6, Int16>(repeating: -1)
  /// Whether data entry goes to a non-registered parameter.
  var isNonRegistered = false
  /// Whether Mono On has been sent.
  var isMono = false
  /// The part's transposition by SysEx, −24 to 24 semitones, and its upward transposition together
  /// with that of the whole device.
  package var keyShift: Int32 = 0
  package var rise: Int32 = 0
  package var keys = KeyTuning()

  /// Whether a note may take over from the one before: mono, legato or portamento mode.
  package var glides: Bool {
    @_noLocks @_noAllocation get { playsOneNote || controllers[65] >= 64 }
  }

  /// Whether the channel plays one note at a time: mono or legato mode.
  var playsOneNote: Bool {
    @_noLocks @_noAllocation get { isMono || controllers[68] >= 64 }
  }

  @_noLocks @_noAllocation
  init() {}

  /// Takes in a controller, including mode messages.
  @_noLocks @_noAllocation
  package mutating func setController(_ number: Int, _ value: UInt8) {
    switch number {
    case 121: resetControllers()
    case 126, 127: isMono = number == 126
    case 120...125: break
    default:
      controllers[number] = value
      isSet[number] = true
      if number == 98 || number == 99 { isNonRegistered = true }
      if number == 99 { controllers[98] = 0 }
      if number == 100 || number == 101 { isNonRegistered = false }
      if number == 6 && !isNonRegistered { setRegistered(value) }
    }
  }

  /// The data entry, limited so that the render thread keeps its time; −1 if it is to be ignored.
  ///
  /// FluidSynth advances through a sample's loop one turn at a time: a voice far above all hearing
  /// takes more time than it plays. So the bend's range ends at 96 semitones, and coarse tuning at
  /// ±24. Non-registered parameters reach neither the generators of pitch, nor those of sample
  /// positions, nor those of keys, which FluidSynth uses as an index.
  @_noLocks @_noAllocation
  package func bearableData(_ value: UInt8) -> Int {
    let value = Int(value)
    if isNonRegistered {
      switch selectsGenerator ? controllers[98] : 127 {
      case 0...7, 12, 45...47, 50...52, 56, 59: return -1
      default: return value
      }
    }
    if !isSet[100] || !isSet[101] || controllers[101] != 0 { return value }
    switch controllers[100] {
    case 0: return min(value, 96)
    case 2: return max(40, min(value, 88))
    default: return value
    }
  }

  /// Whether data entry goes to a generator.
  package var selectsGenerator: Bool {
    @_noLocks @_noAllocation get { isNonRegistered && isSet[99] && controllers[99] == 120 }
  }

  /// The bend for synths. Together with coarse tuning and the transposition by SysEx it raises the
  /// pitch by at most 48 semitones; the bend itself may always raise it by 2.
  package var bearableBend: Int32 {
    @_noLocks @_noAllocation get {
      let range = registered[0] >= 0 ? Int32(registered[0] >> 7) : 2
      let tuning = registered[2] >= 0 ? Int32(registered[2] >> 7) &- 64 : 0
      let room = max(48 &- max(tuning, 0) &- rise, 2)
      if range <= room { return Int32(bend) }
      return min(Int32(bend), 8192 &+ 8191 &* room / range)
    }
  }

  /// Whether data entry selects a program or bank of MIDI tuning. It must not reach FluidSynth,
  /// which would allocate memory for them.
  package var selectsTuning: Bool {
    @_noLocks @_noAllocation get {
      !isNonRegistered && isSet[100] && isSet[101] && controllers[101] == 0
        && (controllers[100] == 3 || controllers[100] == 4)
    }
  }

  /// Takes in a registered parameter. FluidSynth takes both bytes when the more significant one
  /// arrives.
  @_noLocks @_noAllocation
  private mutating func setRegistered(_ value: UInt8) {
    let number = Int(controllers[100])
    if isSet[100] && isSet[101] && controllers[101] == 0 && number < 6 {
      registered[number] = Int16(value) << 7 | Int16(controllers[38])
    }
  }

  /// Resets controllers as FluidSynth does at Reset All Controllers. Bank, volume, pan, effect
  /// depths and sound controllers stay, as do registered parameters, except for the tuning of
  /// generators.
  @_noLocks @_noAllocation
  private mutating func resetControllers() {
    bend = 8192
    pressure = 0
    isNonRegistered = false
    var number = 0
    while number < 120 {
      switch number {
      case 0, 7, 10, 32, 39, 42, 70...79, 91...95: break
      default:
        isSet[number] = false
        controllers[number] = 0
      }
      number &+= 1
    }
  }
}

/// The states of the 16 channels.
///
/// The value is a handle: copies name the same memory. It outlives the kernels of a unit, so that a
/// change of the period or the sample rate loses nothing.
package struct ChannelStates: @unchecked Sendable, BitwiseCopyable {
  private let states: UnsafeMutablePointer<ChannelState>
  /// The SysEx that chose the standard (GM, GM2, GS, XG) of bank selects; `count` is 0 for none.
  package let standard = StandardMessage()
  package let device: UnsafeMutablePointer<DeviceState>
  package let tunings = StoredTunings()

  /// - Thread: [control]
  package init() {
    states = .allocate(capacity: 16)
    states.initialize(repeating: ChannelState(), count: 16)
    device = .allocate(capacity: 1)
    device.initialize(to: DeviceState())
  }

  /// - Thread: [control], after the last use of the states.
  package func deallocate() {
    states.deallocate()
    standard.deallocate()
    device.deallocate()
    tunings.deallocate()
  }

  package subscript(channel: Int) -> UnsafeMutablePointer<ChannelState> {
    @_noLocks @_noAllocation get { states + (channel & 15) }
  }

  /// Returns to the configured bank and program on all channels.
  @_noLocks @_noAllocation
  package func forgetPrograms() {
    var channel = 0
    while channel < 16 {
      states[channel].program = -1
      states[channel].rhythmPart = -1
      states[channel].isSet[0] = false
      states[channel].isSet[32] = false
      states[channel].controllers[0] = 0
      states[channel].controllers[32] = 0
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  package func resetAll() {
    device.pointee = DeviceState()
    tunings.removeAll()
    var channel = 0
    while channel < 16 {
      states[channel] = ChannelState()
      channel &+= 1
    }
  }
}

/// A short SysEx, without 0xF0 and 0xF7. The value is a handle: copies name the same memory.
package struct StandardMessage: @unchecked Sendable, BitwiseCopyable {
  let bytes: UnsafeMutablePointer<UInt8>
  private let counter: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  init() {
    bytes = .allocate(capacity: 16)
    bytes.initialize(repeating: 0, count: 16)
    counter = .allocate(capacity: 1)
    counter.initialize(to: 0)
  }

  /// - Thread: [control], after the last use of the message.
  func deallocate() {
    bytes.deallocate()
    counter.deallocate()
  }

  var count: Int { @_noLocks @_noAllocation get { counter.pointee } }

  /// Whether parts can be chosen for percussion as in GS: after a GS reset, and until any other
  /// reset if GS is configured.
  @_noLocks @_noAllocation
  package func isGS(atFirst: Bool) -> Bool {
    count == 0 ? atFirst : count == 9 && bytes[0] == 0x41 && bytes[7] == 0
  }

  /// Takes a message over if it has at most 16 bytes, as those that choose a standard do.
  @_noLocks @_noAllocation
  package func take(_ message: UnsafePointer<UInt8>, count: Int) {
    if count > 16 { return }
    counter.pointee = count
    var index = 0
    while index < count {
      bytes[index] = message[index]
      index &+= 1
    }
  }
}
