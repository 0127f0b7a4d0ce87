// Levels that fall slowly.

import SessionModel

extension UnitMeters {
  /// Returns these levels, none of them more than `fall` decibels below the former ones.
  func held(_ former: UnitMeters, fall: Float) -> UnitMeters {
    func held(_ busses: [[Float]], _ former: [[Float]]) -> [[Float]] {
      guard busses.map(\.count) == former.map(\.count) else { return busses }
      return zip(busses, former).map { bus, former in
        zip(bus, former).map { max($0, $1 - fall) }
      }
    }
    var meters = self
    meters.inputs = held(inputs, former.inputs)
    meters.outputs = held(outputs, former.outputs)
    return meters
  }
}
