// Channel messages that are still to be sent to synths without sound.

/// A message for one channel, with the arguments of FluidSynth's calls.
package struct ChannelMessage: BitwiseCopyable {
  package enum Kind: BitwiseCopyable {
    case controller
    case keyPressure
    case channelPressure
    case pitchBend
    case program
    /// The synth's configured program; without data.
    case configured
    /// GS "use for rhythm part"; 0 for notes, 1 and 2 for percussion.
    case rhythmPart
  }

  let kind: Kind
  let channel: Int32
  let first: Int32
  let second: Int32

  @_noLocks @_noAllocation
  package init(kind: Kind, channel: Int32, first: Int32, second: Int32) {
    self.kind = kind
    self.channel = channel
    self.first = first
    self.second = second
  }

  /// Whether it may change sounding voices.
  var changesVoices: Bool {
    @_noLocks @_noAllocation get {
      switch kind {
      case .program, .configured, .rhythmPart: return false
      default: return true
      }
    }
  }

  /// Whether it is Reset All Controllers.
  var isReset: Bool { @_noLocks @_noAllocation get { kind == .controller && first == 121 } }

  /// Whether FluidSynth looks for voices to end, as it does for pedals and modes.
  var endsVoices: Bool {
    @_noLocks @_noAllocation get {
      if kind != .controller { return false }
      return first == 64 || first == 66 || first == 120 || first >= 123
    }
  }

  /// Whether it is All Sound Off.
  var isSoundOff: Bool { @_noLocks @_noAllocation get { kind == .controller && first == 120 } }

  /// Whether a later message of this kind can replace it, and its order among others does not
  /// matter.
  fileprivate var isPlain: Bool {
    @_noLocks @_noAllocation get {
      if !changesVoices { return false }
      if kind != .controller { return true }
      switch first {
      case 0, 6, 32, 38, 84, 96...101, 120...127: return false
      default: return true
      }
    }
  }

  @_noLocks @_noAllocation
  fileprivate func replaces(_ other: ChannelMessage) -> Bool {
    if kind != other.kind || channel != other.channel { return false }
    return kind == .channelPressure || kind == .pitchBend || first == other.first
  }
}

/// The last messages, numbered on from 0. The value is a handle: copies name the same memory.
struct ChannelMessages: @unchecked Sendable, BitwiseCopyable {
  /// The number of messages kept: as many as a song begins with on all channels. Sending that many
  /// takes no longer than resetting a synth.
  static var capacity: Int { @_noLocks @_noAllocation get { 256 } }
  /// The number of missed messages above which a synth catches up before it is needed.
  static var bearableCount: Int { @_noLocks @_noAllocation get { 32 } }

  private let messages: UnsafeMutablePointer<ChannelMessage>
  private let counter: UnsafeMutablePointer<Int>

  /// - Thread: [worker]
  init() {
    messages = .allocate(capacity: Self.capacity)
    messages.initialize(
      repeating: ChannelMessage(kind: .program, channel: 0, first: 0, second: 0),
      count: Self.capacity)
    counter = .allocate(capacity: 1)
    counter.initialize(to: 0)
  }

  /// - Thread: [control], after the last use of the messages.
  func deallocate() {
    messages.deallocate()
    counter.deallocate()
  }

  /// The number of the next message.
  var count: Int { @_noLocks @_noAllocation get { counter.pointee } }

  /// The message of a number before `count`, while it is kept.
  subscript(number: Int) -> ChannelMessage {
    @_noLocks @_noAllocation get { messages[number % Self.capacity] }
  }

  /// Adds a message: replaces an earlier one that it makes void, or else appends it.
  ///
  /// - Returns: its number.
  @_noLocks @_noAllocation
  func add(_ message: ChannelMessage) -> Int {
    if message.isPlain {
      var number = count - 1
      while number >= 0 && number >= count - 32 && self[number].isPlain {
        if message.replaces(self[number]) {
          messages[number % Self.capacity] = message
          return number
        }
        number -= 1
      }
    }
    messages[count % Self.capacity] = message
    counter.pointee += 1
    return count - 1
  }
}
