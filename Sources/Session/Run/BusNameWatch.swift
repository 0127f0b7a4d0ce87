// Names of output busses, which units may change.

import SessionModel
import UnitModel

/// Reports the names of output busses when they change. Ports keep their names, because users and
/// sessions connect by them.
final class BusNameWatch {
  private var tokens: [(unit: AudioUnit, token: ObserverToken)] = []

  /// - Parameters:
  ///   - reportsNow: whether names that already differ are reported.
  ///   - notify: called with a unit, the number of a bus and its name, on any thread.
  init(
    _ units: [(id: String, unit: AudioUnit)], reportsNow: Bool,
    _ notify: @escaping @Sendable (_ unit: String, _ bus: Int, _ name: String) -> Void
  ) {
    for (id, unit) in units {
      let token = unit.outputBusses.token(byAddingBusObserver: { bus, property in
        if property == .name { notify(id, bus.index, bus.name) }
      })
      tokens.append((unit, token))
      for bus in unit.outputBusses where reportsNow && bus.name != bus.defaultName {
        notify(id, bus.index, bus.name)
      }
    }
  }

  deinit { for (unit, token) in tokens { unit.outputBusses.removeBusObserver(token) } }
}
