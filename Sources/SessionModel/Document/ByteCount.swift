// Memory use of units and configurations that undo keeps.

import Configuration
import PropertyLists
import Synchronization
import UnitModel

/// The sum of bytes used by kept units that are not in the session.
package final class KeptBytes: Sendable {
  private let sum = Atomic(0)

  package init() {}

  package var count: Int { sum.load(ordering: .relaxed) }

  package func add(_ bytes: Int) { sum.add(bytes, ordering: .relaxed) }
}

extension PropertyListValue {
  /// The estimated size in bytes, with all parts.
  package var byteCount: Int {
    switch self {
    case .boolean, .integer, .real, .date: 16
    case .string(let text): 16 + text.utf8.count
    case .data(let data): 16 + data.count
    case .array(let values): values.reduce(16) { $0 + $1.byteCount }
    case .dictionary(let values):
      values.reduce(16) { $0 + 16 + $1.key.utf8.count + $1.value.byteCount }
    }
  }
}

extension UnitConfiguration {
  /// The estimated size in bytes, with all settings.
  package var byteCount: Int {
    MemoryLayout<UnitConfiguration>.stride + id.value.utf8.count + component.value.utf8.count
      + parameters.byteCount
      + midiStages.reduce(0) {
        $0 + MemoryLayout<Located<MIDIStageConfiguration>>.stride + $1.value.settings.byteCount
      } + keys.names.reduce(0) { $0 + 64 + $1.utf8.count + (keys[$1]?.byteCount ?? 0) }
  }
}

extension [Setting] {
  fileprivate var byteCount: Int {
    reduce(0) { sum, setting in
      var bytes = MemoryLayout<Setting>.stride + setting.keyPath.value.utf8.count
      if case .string(let text) = setting.value.value { bytes += text.utf8.count }
      return sum + bytes
    }
  }
}

extension ConfigurationValue {
  fileprivate var byteCount: Int {
    let own = MemoryLayout<ConfigurationValue>.stride
    return switch content {
    case .table(let members):
      members.reduce(own) { $0 + 64 + $1.key.value.utf8.count + $1.value.byteCount }
    case .array(let values): values.reduce(own) { $0 + $1.byteCount }
    case .string(let text): own + text.utf8.count
    case .integer, .float, .boolean, .date: own
    }
  }
}
