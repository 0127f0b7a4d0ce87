// The names of the output busses, and the tail, which follow the sound.

import Foundation
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
        self?.tellTail()
      default: break
      }
    })
    tellTail()
  }

  /// Updates names and tail if the kernel has changed the sound.
  private func soundMayHaveChanged() {
    let count = bay.presets.lookCount
    let isNew = told.withLock { told in
      defer { told.lookCount = count }
      return told.lookCount != count
    }
    if isNew { nameBusses() }
    tellTail()
  }

  /// Notifies observers after a load or a selection.
  func soundDidChange() {
    nameBusses()
    tellTail()
  }

  /// Notifies observers if the tail has changed.
  func tellTail() {
    let tail = tailTime
    let isNew = told.withLock { told in
      defer { told.tail = tail }
      return told.tail != tail
    }
    if isNew { notify(.tailTime) }
  }

  /// Names the busses after the sound. Observers run on this thread, outside any lock. If several
  /// threads call at once, one of them does it for all.
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
    let name = preset.trimmingCharacters(in: .whitespacesAndNewlines)
    return name.isEmpty ? nil : name
  }
}
