// The names of the output busses, and the tail, which follow the sound.

import Platform
import Synchronization
import UnitModel

/// The sound as last reported to observers.
struct ReportedSound: Sendable {
  /// The names given to the busses; hosts may have renamed them since.
  var names: [String]
  /// The kernel's `lookCount` at the last report.
  var lookCount = 0
  /// The tail, in seconds.
  var tail = 0.0
  /// Whether a thread is naming the busses, and whether it has to repeat that.
  var isNaming = false
  var isOutdated = false
}

extension SamplerUnit {
  /// Makes bus names and tail follow loads, changed parameters and the kernel.
  func followSound() {
    bay.state.withLock { $0.watcher = { [weak self] in self?.soundMayHaveChanged() } }
    watchParameters()
    _ = token(byAddingPropertyObserver: { [weak self] property in
      if property == .parameterTree { self?.watchParameters() }
    })
  }

  /// Watches the parameters that determine the tail.
  private func watchParameters() {
    _ = parameterTree.token(byAddingParameterObserver: { [weak self] address, _ in
      switch Int(address) {
      case SamplerParameterIndex.reverbOn, SamplerParameterIndex.reverbRoomSize,
        SamplerParameterIndex.chorusOn, SamplerParameterIndex.chorusDepth:
        self?.notifyTail()
      default: break
      }
    })
    notifyTail()
  }

  /// Updates names and tail if the kernel has changed the sound.
  private func soundMayHaveChanged() {
    let count = bay.presets.lookCount
    let isNew = reported.withLock { reported in
      defer { reported.lookCount = count }
      return reported.lookCount != count
    }
    if isNew { nameBusses() }
    notifyTail()
  }

  /// Notifies observers after a load or a selection.
  func soundDidChange() {
    nameBusses()
    notifyTail()
  }

  /// Notifies observers if the tail has changed.
  func notifyTail() {
    let tail = tailTime
    let isNew = reported.withLock { reported in
      defer { reported.tail = tail }
      return reported.tail != tail
    }
    if isNew { notify(.tailTime) }
  }

  /// Names the busses after the sound. Observers run on this thread, outside any lock. If several
  /// threads call at once, one of them does it for all.
  private func nameBusses() {
    let isBusy = reported.withLock { reported in
      reported.isOutdated = reported.isNaming
      defer { reported.isNaming = true }
      return reported.isNaming
    }
    if isBusy { return }
    repeat {
      let names = outputLayout.names(bay)
      for (index, name) in names.enumerated() {
        guard let name else { continue }
        let isNew = reported.withLock { reported in
          defer { reported.names[index] = name }
          return reported.names[index] != name
        }
        if isNew { outputBusses[index].name = name }
      }
    } while reported.withLock { reported in
      defer { reported.isOutdated = false }
      reported.isNaming = reported.isOutdated
      return reported.isOutdated
    }
  }
}

extension SamplerOutputLayout {
  /// Bus names for the sound; nil to keep a bus's name.
  fileprivate func names(_ bay: SynthPools) -> [String?] {
    switch self {
    case .stereo: [Self.name(of: bay.soundName) ?? busNames[0]]
    case .dryAndEffects:
      [Self.name(of: bay.soundName).map { "Dry: \($0)" } ?? busNames[0], busNames[1], busNames[2]]
    case .channels:
      zip(1..., bay.presetNames).map { channel, name in
        guard let name else { return nil }
        return Self.name(of: name).map { "Ch \(channel): \($0)" } ?? busNames[channel - 1]
      } + [busNames[16]]
    }
  }

  /// The name without the spaces that SoundFonts pad it with; nil if empty.
  private static func name(of preset: String) -> String? {
    let name = preset.trimmed
    return name.isEmpty ? nil : name
  }
}
