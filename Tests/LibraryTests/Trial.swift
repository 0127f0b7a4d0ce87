// Calls with values that make no sense.

import Testing

let integers = [0, -1, Int.max, Int.min, Int.max - 1, 1 << 32, -(1 << 32)]
let nonzero = integers.filter { $0 != 0 }
let numbers = [
  0, -1, Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
  .leastNonzeroMagnitude, 1e18,
]
let texts =
  ["", " ", "/", "/dev/null", "/nonexistent/file", "/tmp", "..", "\u{0}", "é\u{301}"]
  + [String(repeating: "x", count: 5000)]

/// Calls something with values of which each has to be refused.
///
/// - Parameter name: the function, as `PublicThrowing` has it.
func refuses<Value>(
  _ name: String, _ values: [Value], _ call: (Value) async throws -> Void,
  at location: SourceLocation = #_sourceLocation
) async {
  for value in values {
    await #expect(throws: (any Error).self, "\(name) of \(value)", sourceLocation: location) {
      try await call(value)
    }
  }
}

/// Calls something with values of which each is refused or taken: no value ends the program.
func bears<Value>(
  _ name: String, _ values: [Value], _ call: (Value) async throws -> Void
) async {
  for value in values {
    do { try await call(value) } catch { #expect(!"\(error)".isEmpty, "\(name) of \(value)") }
  }
}
