// Initial channels on the control side and in the unit's state.

import PropertyLists
import SoundFontFiles
import UnitModel

extension SamplerUnit {
  private static let drumChannelsKey = "drumChannels"
  private static let bankSelectKey = "bankSelect"

  /// The channels' setup before MIDI changes it.
  ///
  /// - Thread: [control]
  public var channelSetup: SamplerChannelSetup { bay.state.withLock { $0.size.channels } }

  /// The channel setup as settings of a document, without defaults. A preset has none, so that it
  /// fits units with any setup.
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

  /// Returns the settings without the channel setup, and the channel setup.
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

  /// Makes synths with this channel setup. Sounding notes continue.
  func apply(_ setup: SamplerChannelSetup) throws(StateError) {
    do throws(SoundFontError) { try bay.resize { $0.channels = setup }.get() } catch {
      throw .invalidSetting(Self.drumChannelsKey, reason: error.description)
    }
  }
}
