// The render side of mappings.

import MIDIStages
import Realtime
import UnitRender

/// Turns controller messages into parameter events for other units, each on its own frame.
///
/// The rate is limited: 32 parameters in 64 frames, and 256 at once after a pause. Further messages
/// wait in order for the next block boundary. A waiting value of a controller is replaced by its
/// next one, except encoder steps. A trigger is executed as a whole, whatever it costs; later
/// messages wait the longer.
struct ControlKernel: RenderKernel, ~Copyable {
  private static var frameBits: FrameTime { @_noLocks @_noAllocation get { 6 } }
  private static var creditPerBlock: Int { @_noLocks @_noAllocation get { 32 } }
  private static var mostCredit: Int { @_noLocks @_noAllocation get { 256 } }

  let mailbox: PublishedPointer
  var table: UnsafeMutablePointer<ControlTable>
  let memory: ControlMemory
  let counters: DeferredEventCounters
  let reports: ControlReports
  let moves: ControlMoves
  private let ear: MIDIListener
  private let waiting = DeferredEvents(capacity: 8_192, payload: 0, resets: .systemReset)
  /// The state of data entry, by channel.
  private var entries = InlineArray<16, ControllerHalves>(repeating: ControllerHalves())
  /// The values of 32 controller pairs, by channel.
  private let pairs: UnsafeMutablePointer<ControllerHalves>
  /// The selected bank, by channel.
  var banks = InlineArray<16, Int>(repeating: 0)
  /// The number of times the control side has requested all feedback again, and the number
  /// answered.
  let feedbackRequests: AtomicCounters
  var answeredRequests = 0
  /// The epoch of feedback: values sent in another epoch count as not sent.
  var epoch = 0
  /// The index of the mapping to examine next.
  var nextFeedback = 0
  /// The frame up to which feedback messages were granted, and the number left.
  var feedbackFrame = FrameTime.min
  var feedbackCredit = 0
  /// The number of the call.
  var call = 0
  /// The number of the current block of 64 frames, and the mappings that may still move in it.
  private var block = FrameTime.min
  private var credit = ControlKernel.mostCredit

  /// - Thread: [control]
  init(
    _ table: UnsafeMutablePointer<ControlTable>, mailbox: PublishedPointer, memory: ControlMemory,
    counters: DeferredEventCounters, ear: MIDIListener, reports: ControlReports,
    moves: ControlMoves, feedbackRequests: AtomicCounters, epoch: Int
  ) {
    self.table = table
    self.mailbox = mailbox
    self.memory = memory
    self.counters = counters
    self.ear = ear
    self.reports = reports
    self.moves = moves
    self.feedbackRequests = feedbackRequests
    self.epoch = epoch
    answeredRequests = feedbackRequests[0]
    pairs = .allocate(capacity: 512)
    pairs.initialize(repeating: ControllerHalves(), count: 512)
    ResponseCurve.bind()
  }

  deinit {
    waiting.deallocate()
    pairs.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    self.call &+= 1
    if let new = mailbox.take(retiring: table) {
      table = new.assumingMemoryBound(to: ControlTable.self)
    }
    feedBack(call)
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard case .midi? = event.pointee.eventKind, let output = call.midiOutput else { return }
    let message = ShortMessage(of: event)
    if !message.isWhole(length: event.pointee.length) { return }
    ear.hear(message)
    if !concerns(message) { return }
    advance(to: event.pointee.frame)
    if waiting.isEmpty && credit > 0 {
      credit &-= take(message, at: event.pointee.frame, output)
      return
    }
    counters.countDeferred()
    if !waiting.tryAppend(event.pointee, bytes: nil, isStep: isStep(message)) {
      counters.countLost()
    }
  }

  /// Executes deferred messages, at each block boundary.
  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    if waiting.isEmpty { return }
    guard let output = slice.call.midiOutput else { return }
    let end = slice.frame &+ FrameTime(slice.frameCount)
    var bound = (slice.frame &+ 63) & ~63
    while bound < end && !waiting.isEmpty {
      advance(to: bound)
      release(at: bound, output)
      bound &+= 64
    }
  }

  @_noLocks @_noAllocation
  private mutating func release(at frame: FrameTime, _ output: RenderEventList) {
    while !waiting.isEmpty {
      if waiting.isFirstVoid {
        waiting.removeFirst()
        continue
      }
      if credit <= 0 { return }
      counters.noteDelay(Int(truncatingIfNeeded: frame &- waiting.first.pointee.frame))
      credit &-= take(ShortMessage(of: waiting.first), at: frame, output)
      waiting.removeFirst()
    }
  }

  @_noLocks @_noAllocation
  private mutating func advance(to frame: FrameTime) {
    let number = frame >> Self.frameBits
    if number == block { return }
    let passed = number &- block
    // A jump, also one back to another server's count, counts as a pause.
    let blocks = passed < 0 || passed > 64 ? 64 : Int(passed)
    credit = min(credit &+ blocks &* Self.creditPerBlock, Self.mostCredit)
    block = number
  }

  /// Drops deferred messages and incomplete values.
  @_noLocks @_noAllocation
  mutating func reset() {
    waiting.removeAll()
    forgetHalves()
  }

  // MARK: Messages

  /// Whether a message may have an effect, now or by preparing a later one.
  @_noLocks @_noAllocation
  private func concerns(_ message: ShortMessage) -> Bool {
    let table = table.pointee
    let number = message.number
    switch message.status & 0xF0 {
    case 0x80, 0x90: return table.isMapped(ControlSource.firstNote &+ number)
    case 0xB0:
      if number == 121 { return true }
      if number >= 120 { return false }
      return table.isMapped(number)
        || (number < 64 && table.isMapped(ControlSource.firstPair &+ number & 31))
        || (table.nonRegisteredCount > 0 && Self.isDataEntry(number))
        || (table.hasBanks && (number == 0 || number == 32))
    case 0xC0: return table.isMapped(ControlSource.firstProgram &+ number)
    case 0xD0: return table.isMapped(ControlSource.pressure)
    case 0xE0: return table.isMapped(ControlSource.bend)
    default: return message.status == 0xFF
    }
  }

  /// Whether it comes from an encoder: each of its messages counts.
  @_noLocks @_noAllocation
  private func isStep(_ message: ShortMessage) -> Bool {
    message.status & 0xF0 == 0xB0 && table.pointee.isEncoder(message.number)
  }

  @_noLocks @_noAllocation
  private static func isDataEntry(_ number: Int) -> Bool {
    number == 6 || number == 38 || (number >= 96 && number <= 101)
  }

  /// Executes a message.
  /// - Returns: its cost.
  @_noLocks @_noAllocation
  private mutating func take(
    _ message: ShortMessage, at frame: FrameTime, _ output: RenderEventList
  ) -> Int {
    let number = message.number
    let seven = Double(message.value) / 127
    switch message.status & 0xF0 {
    case 0x80: return move(ControlSource.firstNote &+ number, 0, message, at: frame, output)
    case 0x90: return move(ControlSource.firstNote &+ number, seven, message, at: frame, output)
    case 0xB0:
      if number == 121 {
        forgetHalves(of: message.channel)
        return 0
      }
      takeBank(message)
      return move(number, seven, message, at: frame, output)
        &+ takePair(message, at: frame, output) &+ takeDataEntry(message, at: frame, output)
    case 0xC0: return move(ControlSource.firstProgram &+ number, 1, message, at: frame, output)
    case 0xD0:
      return move(ControlSource.pressure, Double(number) / 127, message, at: frame, output)
    case 0xE0:
      // The middle maps to the middle, though there is one step less above it.
      let bend = Double(message.bend &- 8192)
      let level = 0.5 + (bend < 0 ? bend / 16384 : bend / 16382)
      return move(ControlSource.bend, level, message, at: frame, output)
    default:
      forgetHalves()
      return 0
    }
  }

  @_noLocks @_noAllocation
  private mutating func takePair(
    _ message: ShortMessage, at frame: FrameTime, _ output: RenderEventList
  ) -> Int {
    let coarse = message.number & 31
    if message.number >= 64 || !table.pointee.isMapped(ControlSource.firstPair &+ coarse) {
      return 0
    }
    let pair = pairs + (message.channel &<< 5 | coarse)
    _ = pair.pointee.takePair(coarse, message.number, message.value)
    return move(
      ControlSource.firstPair &+ coarse, Double(pair.pointee.value) / 16383, message, at: frame,
      output)
  }

  @_noLocks @_noAllocation
  private mutating func takeDataEntry(
    _ message: ShortMessage, at frame: FrameTime, _ output: RenderEventList
  ) -> Int {
    if table.pointee.nonRegisteredCount == 0 { return 0 }
    let channel = message.channel
    if message.number >= 98 && message.number <= 101 {
      entries[channel].select(message.number, message.value)
      entries[channel].value = 0
      return 0
    }
    let source = table.pointee.source(ofNonRegistered: entries[channel].selection)
    if source < 0 || !entries[channel].enter(message.number, message.value) { return 0 }
    return move(source, Double(entries[channel].value) / 16383, message, at: frame, output)
  }

  @_noLocks @_noAllocation
  private mutating func forgetHalves() {
    var channel = 0
    while channel < 16 {
      banks[channel] = 0
      forgetHalves(of: channel)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func forgetHalves(of channel: Int) {
    entries[channel] = ControllerHalves()
    var pair = 0
    while pair < 32 {
      pairs[channel &<< 5 | pair] = ControllerHalves()
      pair &+= 1
    }
  }
}

@_noLocks @_noAllocation
func controlRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ControlKernel.self, context, call)
}

@_noLocks @_noAllocation
func controlReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ControlKernel.self, context)
}
