// Units that play one of several entries.

/// An entry of a unit, such as a sound or a scene, with values of parameters.
public protocol SelectableEntry: Sendable {
  /// The number that selects it, also by a program change.
  var number: Int { get }
  var name: String { get }
  /// The values that it sets, by key path.
  var parameters: [String: Float] { get }
}

/// An entry that took over after a MIDI program change had selected it.
public struct PlayedEntry: Sendable, Hashable {
  /// The entry's number.
  public let number: Int
  /// The frame on which it took over: that of the program change, or a later one if it had to wait,
  /// such as for its SoundFonts.
  public let frame: Int64

  /// - Thread: [any]
  public init(number: Int, frame: Int64) {
    self.number = number
    self.frame = frame
  }
}

/// A unit with a list of entries that plays one of them. `auricle ctl entry` selects it. The unit's
/// factory presets are its entries.
public protocol EntrySelecting: AudioUnit {
  associatedtype Entry: SelectableEntry

  /// The entries, with unique numbers and names.
  ///
  /// - Thread: [control]
  var entries: [Entry] { get }

  /// The playing entry; nil if something else has been set up since.
  ///
  /// - Thread: [control]
  var currentEntry: Entry? { get }

  /// Selects an entry. It takes over on the frame of `time`, or later once it is ready; at once
  /// while no render resources are allocated.
  ///
  /// - Throws: the unit's own error for a number that no entry has, an entry that cannot be loaded,
  ///   or a full event queue. The playing entry then stays.
  /// - Thread: [control]
  func selectEntry(_ number: Int, at time: EventTime) throws

  /// Returns the entries selected by program changes that took over since the last call, in order.
  /// If there were more than the unit can keep, only the last ones. Entries selected by
  /// `selectEntry`, a preset or a state are not included.
  ///
  /// A session calls this repeatedly, for its journal. The default is none.
  ///
  /// - Thread: [control], one at a time.
  func takePlayedEntries() -> [PlayedEntry]

  /// Returns the entry that settings of the unit's state select; nil if none.
  ///
  /// - Thread: [any]
  static func entryNumber(in settings: StateDictionary) -> Int?
}

extension EntrySelecting {
  public func takePlayedEntries() -> [PlayedEntry] { [] }
}
