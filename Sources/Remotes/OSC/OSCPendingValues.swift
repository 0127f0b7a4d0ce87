// Values that wait to be sent.

import OSC

/// Values to be sent to a subscriber, the last one of each address, in the order of their first
/// changes.
struct OSCPendingValues {
  private var values: [String: OSCArgument] = [:]
  private var order: [String] = []

  var isEmpty: Bool { order.isEmpty }

  /// - Parameter address: without its first slash.
  mutating func post(_ value: OSCArgument, _ address: String) {
    if values.updateValue(value, forKey: address) == nil { order.append(address) }
  }

  /// Removes the values that are not to be kept.
  mutating func filter(_ isKept: (String, OSCArgument) -> Bool) {
    var kept: [String] = []
    for address in order {
      guard let value = values[address] else { continue }
      if isKept(address, value) {
        kept.append(address)
      } else {
        values[address] = nil
      }
    }
    order = kept
  }
}
