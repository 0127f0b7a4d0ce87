// Units that play one of several entries.

/// An entry of a unit: a sound, a scene or the like, with values of parameters.
public protocol SelectableEntry: Sendable {
  /// The number by which it is selected, also by a program change.
  var number: Int { get }
  var name: String { get }
  /// The values that it sets, by key path.
  var parameters: [String: Float] { get }
}

/// An entry that took over because a MIDI program change had selected it.
public struct PlayedEntry: Sendable, Hashable {
  /// Its number.
  public let number: Int
  /// The frame on which it took over: that of the program change, or a later one where it had to
  /// wait, as for its SoundFonts.
  public let frame: Int64

  /// - Thread: [any]
  public init(number: Int, frame: Int64) {
    self.number = number
    self.frame = frame
  }
}

/// A unit that has a list of entries and plays one of them, which `auricle ctl entry` selects. Its
/// factory presets are its entries.
public protocol EntrySelecting: AudioUnit {
  associatedtype Entry: SelectableEntry

  /// Numbers and names are unique.
  ///
  /// - Thread: [control]
  var entries: [Entry] { get }

  /// The one that plays; nil when something else is set up since.
  ///
  /// - Thread: [control]
  var currentEntry: Entry? { get }

  /// Selects an entry: it takes over on the frame of `time` or as soon as it is ready, and at once
  /// while no render resources are allocated.
  ///
  /// - Thread: [control]
  func selectEntry(_ number: Int, at time: EventTime) throws

  /// The entries that program changes have selected and that took over since the last call, in the
  /// order in which they did; the last ones where there were more than the unit can tell. What
  /// `selectEntry`, a preset or a state has selected is not among them.
  ///
  /// A session asks again and again, for its journal. The default is none.
  ///
  /// - Thread: [control], one at a time.
  func takePlayedEntries() -> [PlayedEntry]

  /// The entry that settings of the unit's state select, nil for none.
  ///
  /// - Thread: [any]
  static func entryNumber(in settings: StateDictionary) -> Int?
}

extension EntrySelecting {
  public func takePlayedEntries() -> [PlayedEntry] { [] }
}
