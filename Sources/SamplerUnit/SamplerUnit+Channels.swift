// What the channels are, on the control side and in the unit's state.

import UnitModel

extension SamplerUnit {
  private static let drumChannelsKey = "drumChannels"
  private static let bankSelectKey = "bankSelect"

  /// What the channels are before MIDI says otherwise.
  ///
  /// - Thread: [control]
  public var channelSetup: SamplerChannelSetup { bay.state.withLock { $0.size.channels } }

  /// The channels as part of a document, where they are not as they are at first. A preset fits
  /// units with any.
  func channelSetting(forDocument: Bool) -> StateDictionary {
    let (setup, standard) = (channelSetup, SamplerChannelSetup())
    var settings: StateDictionary = [:]
    if !forDocument { return settings }
    if setup.drumChannels != standard.drumChannels {
      settings[Self.drumChannelsKey] = .array(setup.drumChannels.sorted().map { .integer($0) })
    }
    if setup.bankSelect != standard.bankSelect {
      settings[Self.bankSelectKey] = .string(setup.bankSelect.rawValue)
    }
    return settings
  }

  /// The settings without what the channels are, and that.
  func withoutChannels(
    _ settings: StateDictionary
  ) throws(StateError) -> (settings: StateDictionary, SamplerChannelSetup) {
    var (settings, setup) = (settings, channelSetup)
    if let value = settings.removeValue(forKey: Self.drumChannelsKey) {
      setup.drumChannels = try Self.channels(value)
    }
    if let value = settings.removeValue(forKey: Self.bankSelectKey) {
      guard case .string(let word) = value, let bankSelect = BankSelect(rawValue: word) else {
        let words = BankSelect.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        throw .invalidSetting(Self.bankSelectKey, reason: "give one of \(words)")
      }
      setup.bankSelect = bankSelect
    }
    return (settings, setup)
  }

  private static func channels(_ value: PropertyListValue) throws(StateError) -> Set<Int> {
    let error = StateError.invalidSetting(
      drumChannelsKey, reason: "give a list of channels, 1 to 16")
    guard case .array(let values) = value else { throw error }
    var channels: Set<Int> = []
    for value in values {
      guard case .integer(let channel) = value, (1...16).contains(channel) else { throw error }
      channels.insert(channel)
    }
    return channels
  }

  /// Has synths made whose channels are these. What sounds goes on sounding.
  func apply(_ setup: SamplerChannelSetup) throws(StateError) {
    do throws(SoundFontError) { try bay.resize { $0.channels = setup }.get() } catch {
      throw .invalidSetting(Self.drumChannelsKey, reason: error.description)
    }
  }
}
