// The tuning of keys: MIDI tunings, and settings by SysEx for the whole device.

/// Settings by messages for the whole device.
package struct DeviceState: BitwiseCopyable {
  /// A linear gain, 0 to 1.
  package var volume: Float = 1
  /// The fine tuning in cents.
  package var fineTuning: Float = 0
  /// The coarse tuning in semitones.
  package var coarseTuning: Int32 = 0

  @_noLocks @_noAllocation
  init() {}
}

/// The tunings received by MIDI tuning messages, each with its bank and program. The value is a
/// handle: copies name the same memory.
package struct StoredTunings: @unchecked Sendable, BitwiseCopyable {
  static var capacity: Int { @_noLocks @_noAllocation get { 128 } }

  /// The cents of each key above key 0 in equal temperament, tuning by tuning.
  private let cents: UnsafeMutablePointer<Float>
  private let numbers: UnsafeMutablePointer<UInt16>
  private let counter: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  init() {
    cents = .allocate(capacity: 128 * Self.capacity)
    cents.initialize(repeating: 0, count: 128 * Self.capacity)
    numbers = .allocate(capacity: Self.capacity)
    numbers.initialize(repeating: 0, count: Self.capacity)
    counter = .allocate(capacity: 1)
    counter.initialize(to: 0)
  }

  /// - Thread: [control], after the last use of the tunings.
  func deallocate() {
    cents.deallocate()
    numbers.deallocate()
    counter.deallocate()
  }

  @_noLocks @_noAllocation
  func removeAll() { counter.pointee = 0 }

  /// The index of a tuning, which is equal temperament until it is sent; −1 if there is no room for
  /// it.
  @_noLocks @_noAllocation
  package func index(bank: UInt8, program: UInt8) -> Int {
    let number = UInt16(bank) &<< 7 | UInt16(program)
    let count = counter.pointee
    var index = 0
    while index < count {
      if numbers[index] == number { return index }
      index &+= 1
    }
    if count >= Self.capacity { return -1 }
    numbers[count] = number
    var key = 0
    while key < 128 {
      cents[count &* 128 &+ key] = Float(key) * 100
      key &+= 1
    }
    counter.pointee = count &+ 1
    return count
  }

  @_noLocks @_noAllocation
  func pitch(_ index: Int, _ key: Int) -> Float { cents[index &* 128 &+ key] }

  @_noLocks @_noAllocation
  package func setPitch(_ index: Int, _ key: Int, _ value: Float) {
    cents[index &* 128 &+ key] = value
  }
}

/// The tuning of one channel's keys.
package struct KeyTuning: BitwiseCopyable {
  /// The index of the selected stored tuning; −1 for none.
  package var tuningIndex: Int32 = -1
  /// The bank for the next tuning to be selected.
  package var bank: UInt8 = 0
  /// Whether the offsets of the octave apply.
  package var hasOctave = false
  /// The offset of each key of an octave, C first, in cents.
  package var octave = InlineArray<12, Float>(repeating: 0)
  /// The offset of each key's frequency, in hertz.
  package var detuneHertz: Float = 0

  @_noLocks @_noAllocation
  package init() {}

  /// The nearest whole number of cents. FluidSynth accepts no fractions, and cuts them off.
  @_noLocks @_noAllocation
  package static func wholeCents(_ cents: Float) -> Float {
    // Numbers of this size have no room for a fraction.
    let large: Float = 12_582_912
    return cents + large - large
  }

  /// Whether keys have other pitches than in equal temperament.
  package var isUnequal: Bool {
    @_noLocks @_noAllocation get { tuningIndex >= 0 || hasOctave || detuneHertz != 0 }
  }

  /// The offset of a key's pitch, in cents.
  ///
  /// Before it is detuned in hertz, the key's pitch ends a semitone above the highest key. So no
  /// SoundFont's pitch exceeds the bound set when it was loaded.
  /// - Parameter transposition: the channel's own offset, in cents.
  @_noLocks @_noAllocation
  func offset(ofKey key: Int, in tunings: StoredTunings, transposition: Float) -> Float {
    let equal = Float(key) * 100
    var pitch = equal
    if tuningIndex >= 0 {
      pitch = tunings.pitch(Int(tuningIndex), key & 127)
    } else if hasOctave {
      pitch += octave[Int(UInt(bitPattern: key) % 12)]
    }
    pitch = max(0, min(pitch, 12_800))
    if detuneHertz == 0 { return pitch - equal }
    let hertz = 440 * Vouched.powerOfTwo((Double(pitch + transposition) - 6_900) / 1_200)
    let detuned = max(hertz + Double(detuneHertz), hertz / 2)
    return pitch - equal + Float(1_200 * Vouched.binaryLogarithm(detuned / hertz))
  }
}
