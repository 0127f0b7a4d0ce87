// The live set's interface for hosts.

public import Configuration
import MIDIStages
import SoundFontFiles
public import UnitModel

extension SamplerUnit {
  /// Sets the list of sounds that program changes select, and selects its first entry.
  ///
  /// Loads every SoundFont once now, so that errors show. With `preloads` they stay in memory. An
  /// entry sets its own parameters. It sets parameters that only other entries have to their values
  /// at this call, so that it always sounds the same.
  ///
  /// - Parameters:
  ///   - set: an empty one ends the live set; the loaded sound stays.
  ///   - progress: called as files are read, also those loaded on selection.
  /// - Throws: `LiveSetError`, with nothing changed.
  /// - Thread: [control], while no render resources are allocated.
  public func setLiveSet(
    _ set: LiveSet, progress: LoadingProgress? = nil
  ) async throws(LiveSetError) {
    try check(set)
    let settings = try liveSettings(set)
    bay.state.withLock {
      $0.eventHandler = { [weak self] event in
        // Another entry may have taken over since.
        guard case .began(let number, let name, _) = event, let self,
          bay.currentEntry == number
        else { return }
        presetDidChange(to: Preset(number: number, name: name))
        soundDidChange()
      }
    }
    try await bay.setLiveSet(set, settings: settings, progress: progress).get()
    if let first = set.entries.first {
      apply(settings[first.number] ?? [])
      presetDidChange(to: Preset(number: first.number, name: first.name))
    }
    soundDidChange()
  }

  /// The live set; nil for none.
  ///
  /// - Thread: [control]
  public var liveSet: LiveSet? { bay.liveSet }

  /// The playing entry; nil if another sound was loaded since.
  ///
  /// - Thread: [control]
  public var currentEntry: LiveSetEntry? {
    let number = bay.currentEntry
    return bay.liveSet?.entries.first { $0.number == number }
  }

  /// Selects an entry, as a program change does.
  ///
  /// It takes over on the frame of `time`, or as soon as its SoundFonts are loaded if they are not
  /// in memory. Sounding notes ring out on the old sound. `takeLiveSetEvents` reports the result.
  /// While no render resources are allocated, the caller waits for its SoundFonts to be loaded.
  ///
  /// - Throws: `LiveSetError` for a number that no entry has, or SoundFonts that cannot be loaded.
  ///
  /// AUv3: `currentPreset`, set to a factory preset.
  /// - Thread: [control]
  public func select(entry number: Int, at time: EventTime = .immediate) throws(LiveSetError) {
    let entries = bay.liveSet?.entries ?? []
    guard let entry = entries.first(where: { $0.number == number }) else {
      throw .unknownNumber(number, known: entries.map(\.number))
    }
    let isDone: Bool
    do throws(SoundFontError) { isDone = try bay.selectWithoutKernel(number) } catch {
      throw .soundFont(number: number, error)
    }
    if isDone {
      apply(bay.state.withLock { $0.live?.settings[number] } ?? [])
      presetDidChange(to: Preset(number: entry.number, name: entry.name))
      soundDidChange()
      return
    }
    do throws(ScheduleError) {
      try scheduleOwnEvent(address: LiveTable.address, value: Float(number), at: time)
    } catch { throw .notSent(error) }
  }

  /// Selects an entry by its name.
  ///
  /// - Throws: `LiveSetError` for a name that no entry has, or SoundFonts that cannot be loaded.
  /// - Thread: [control]
  public func select(
    entryNamed name: String, at time: EventTime = .immediate
  ) throws(LiveSetError) {
    let entries = bay.liveSet?.entries ?? []
    guard let entry = entries.first(where: { $0.name == name }) else {
      throw .unknownName(name, known: entries.map(\.name))
    }
    try select(entry: entry.number, at: time)
  }

  /// Returns the events of selected entries since the last call, at most the last 256. They arrive
  /// within about 20 ms.
  ///
  /// - Thread: [control]
  public func takeLiveSetEvents() -> [LiveSetEvent] { bay.takeEvents() }

  /// Count of selections of a number without an entry, by program changes and other events. They
  /// change nothing.
  ///
  /// - Thread: [any]
  public var unknownEntrySelections: Int { bay.liveStatus.unknownCount }

  private func check(_ set: LiveSet) throws(LiveSetError) {
    var numbers: Set<Int> = []
    var names: Set<String> = []
    for entry in set.entries {
      guard LiveSet.numbers.contains(entry.number) else { throw .numberOutOfRange(entry.number) }
      guard numbers.insert(entry.number).inserted else { throw .numberTwice(entry.number) }
      guard names.insert(entry.name).inserted else { throw .nameTwice(entry.name) }
    }
    if let channel = set.channel, !(1...16).contains(channel) {
      throw .channelOutOfRange(channel)
    }
  }

  /// Returns the settings of every entry, in the order of the parameters.
  private func liveSettings(_ set: LiveSet) throws(LiveSetError) -> [Int: [LiveSetting]] {
    for entry in set.entries {
      for (keyPath, value) in entry.parameters.sorted(by: { $0.key < $1.key }) {
        do throws(StateError) { try check(keyPath, value) } catch {
          throw .parameter(number: entry.number, error)
        }
      }
    }
    let named = Set(set.entries.flatMap(\.parameters.keys))
    let parameters = parameterTree.allParameters.filter { named.contains($0.keyPath) }
    return Dictionary(
      uniqueKeysWithValues: set.entries.map { entry in
        (
          entry.number,
          parameters.map {
            LiveSetting(address: $0.address, value: entry.parameters[$0.keyPath] ?? $0.value)
          }
        )
      })
  }

  private func check(_ keyPath: String, _ value: Float) throws(StateError) {
    guard let parameter = parameterTree.parameter(keyPath: keyPath) else {
      throw .unknownParameter(keyPath, known: parameterTree.allParameters.map(\.keyPath))
    }
    guard parameter.flags.contains(.writable), !parameter.flags.contains(.nonRealTime) else {
      throw .invalidSetting(keyPath, reason: "it is not a parameter that changes while playing")
    }
    guard parameter.range.contains(value) else {
      throw .valueOutOfRange(keyPath, value: Double(value), range: parameter.range)
    }
  }

  /// Sets parameters while there is no kernel.
  private func apply(_ settings: [LiveSetting]) {
    for setting in settings {
      parameterTree.parameter(address: setting.address)?.value = setting.value
    }
  }
}
