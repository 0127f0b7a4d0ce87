// The live set on the render thread.

import FluidSynthPool
import Realtime
import UnitRender

/// The value of a parameter in an entry.
struct LiveSetting: BitwiseCopyable {
  let address: UInt64
  let value: Float
}

/// An entry: its stack of SoundFonts in the live set, and its program and settings.
struct LiveEntry: BitwiseCopyable {
  /// Index of the stack; −1 for a number without an entry.
  var stack = -1
  var configured = ConfiguredProgram()
  /// Index of its first setting among all settings.
  var firstSetting = 0
  var settingCount = 0

  @_noLocks @_noAllocation
  init() {}
}

/// The entries of a live set, with a pool for each stack that was prepared ahead.
///
/// The value is a handle: copies refer to the same memory. The pools belong to the object for which
/// the table was made.
struct LiveTable: @unchecked Sendable, BitwiseCopyable {
  /// The address of the event that selects the entry of its value. No parameter has it.
  static var address: UInt64 { @_noLocks @_noAllocation get { 0x4C53_0000_0000 } }
  /// Marks, in place of a cable, an entry's parameter events and selections repeated after a wait.
  /// In place of a byte, it marks selections by program changes.
  static var mark: UInt8 { @_noLocks @_noAllocation get { 0xE7 } }
  static var numberCount: Int { @_noLocks @_noAllocation get { 128 } }

  let isEmpty: Bool
  /// The channel whose program changes select entries, 0 to 15; −1 for all.
  private let channel: Int
  private let entries: UnsafeMutablePointer<LiveEntry>
  private let settings: UnsafeMutablePointer<LiveSetting>
  private let pools: UnsafeMutablePointer<UnsafeMutablePointer<SynthPool>?>

  /// - Thread: [control]
  init(
    channel: Int, entries: [Int: LiveEntry], settings: [LiveSetting],
    pools: [UnsafeMutablePointer<SynthPool>?]
  ) {
    isEmpty = entries.isEmpty
    self.channel = channel
    self.entries = .allocate(capacity: Self.numberCount)
    self.entries.initialize(repeating: LiveEntry(), count: Self.numberCount)
    for (number, entry) in entries { self.entries[number] = entry }
    self.settings = .allocate(capacity: max(settings.count, 1))
    for (index, setting) in settings.enumerated() {
      (self.settings + index).initialize(to: setting)
    }
    self.pools = .allocate(capacity: max(pools.count, 1))
    for (index, pool) in pools.enumerated() { (self.pools + index).initialize(to: pool) }
  }

  /// - Thread: [control], once nothing uses the table any more.
  func deallocate() {
    entries.deallocate()
    settings.deallocate()
    pools.deallocate()
  }

  /// - Parameter number: 0 to 127.
  subscript(number: Int) -> LiveEntry { @_noLocks @_noAllocation get { entries[number] } }

  @_noLocks @_noAllocation
  func setting(_ index: Int) -> LiveSetting { settings[index] }

  /// The pool that was prepared ahead for a stack; nil for none.
  @_noLocks @_noAllocation
  func pool(_ stack: Int) -> UnsafeMutablePointer<SynthPool>? { stack < 0 ? nil : pools[stack] }

  @_noLocks @_noAllocation
  func setPool(_ stack: Int, _ pool: UnsafeMutablePointer<SynthPool>) { pools[stack] = pool }

  /// Returns the event that selects an entry.
  ///
  /// - Parameters:
  ///   - hasWaited: whether the entry was not at hand when it was selected.
  ///   - isPlayed: whether a program change selected it.
  @_noLocks @_noAllocation
  static func selection(
    of number: Int, at frame: FrameTime, hasWaited: Bool, isPlayed: Bool
  ) -> RenderEvent {
    var event = RenderEvent.parameter(address: address, value: Float(number), at: frame)
    if hasWaited { event.cable = mark }
    // Parameter events have no bytes.
    if isPlayed { event.bytes.0 = mark }
    return event
  }

  /// Whether a selection of an entry is repeated after a wait.
  @_noLocks @_noAllocation
  static func hasWaited(_ event: RenderEvent) -> Bool { event.isParameter && event.cable == mark }

  /// Whether a selection of an entry is a program change, or was made from one.
  @_noLocks @_noAllocation
  static func isPlayed(_ event: RenderEvent) -> Bool { !event.isParameter || event.bytes.0 == mark }

  /// The entry that an event selects; −1 if it selects none.
  @_noLocks @_noAllocation
  func number(_ event: UnsafeMutablePointer<RenderEvent>) -> Int {
    switch event.pointee.eventKind {
    case .midi?:
      let (status, first, _, _) = event.pointee.bytes
      if status & 0xF0 != 0xC0 || first > 127 { return -1 }
      return channel < 0 || channel == Int(status & 0x0F) ? Int(first) : -1
    case .parameter?:
      if event.pointee.address != Self.address { return -1 }
      let value = event.pointee.value
      return value >= 0 && value < 128 ? Int(value) : -1
    default: return -1
    }
  }
}
