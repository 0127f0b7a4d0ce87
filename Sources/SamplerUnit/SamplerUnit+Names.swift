// The names of the output busses, and the tail, which follow what plays.

import Foundation
import Synchronization
import UnitModel

/// What observers of a sampler know of it.
struct ReportedSound: Sendable {
  /// The names that the busses were given; hosts may have given others since.
  var names: [String]
  /// How often the kernel had said what it plays.
  var lookCount = 0
  /// In seconds.
  var tail = 0.0
  /// Whether some thread names the busses, and whether it has to do so once more.
  var isNaming = false
  var isOutdated = false
}

extension SamplerUnit {
  /// Has what follows the sound follow it: after loads, changed parameters, and what the kernel
  /// does.
  func followSound() {
    bay.state.withLock { $0.watcher = { [weak self] in self?.soundMayHaveChanged() } }
    watchParameters()
    _ = token(byAddingPropertyObserver: { [weak self] property in
      if property == .parameterTree { self?.watchParameters() }
    })
  }

  /// Watches those parameters of the tree that decide the tail.
  private func watchParameters() {
    _ = parameterTree.token(byAddingParameterObserver: { [weak self] address, _ in
      switch Int(address) {
      case SamplerParameterIndex.reverbOn, SamplerParameterIndex.reverbRoomSize,
        SamplerParameterIndex.chorusOn, SamplerParameterIndex.chorusDepth:
        self?.tellTail()
      default: break
      }
    })
    tellTail()
  }

  /// Looks whether the kernel has changed something.
  private func soundMayHaveChanged() {
    let count = bay.presets.lookCount
    let isNew = told.withLock { told in
      defer { told.lookCount = count }
      return told.lookCount != count
    }
    if isNew { nameBusses() }
    tellTail()
  }

  /// Tells observers once something else was loaded or selected.
  func soundDidChange() {
    nameBusses()
    tellTail()
  }

  /// Tells observers of a tail that is another one.
  func tellTail() {
    let tail = tailTime
    let isNew = told.withLock { told in
      defer { told.tail = tail }
      return told.tail != tail
    }
    if isNew { notify(.tailTime) }
  }

  /// Gives the busses the names of what plays. Observers run on this thread, outside any lock; of
  /// several threads that come at once, one does it for all.
  private func nameBusses() {
    let isBusy = told.withLock { told in
      told.isOutdated = told.isNaming
      defer { told.isNaming = true }
      return told.isNaming
    }
    if isBusy { return }
    repeat {
      let names = outputLayout.names(bay)
      for (index, name) in names.enumerated() {
        guard let name else { continue }
        let isNew = told.withLock { told in
          defer { told.names[index] = name }
          return told.names[index] != name
        }
        if isNew { outputBusses[index].name = name }
      }
    } while told.withLock { told in
      defer { told.isOutdated = false }
      told.isNaming = told.isOutdated
      return told.isOutdated
    }
  }
}

extension SamplerOutputLayout {
  /// The names of the busses for what plays; nil for one that keeps its name.
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

  /// SoundFonts pad names with spaces; nil where nothing is left.
  private static func name(of preset: String) -> String? {
    let name = preset.trimmingCharacters(in: .whitespacesAndNewlines)
    return name.isEmpty ? nil : name
  }
}
