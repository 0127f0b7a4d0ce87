// Calls with senseless values.

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

/// Calls a function with values, each of which it has to refuse.
///
/// - Parameter name: the function's name in `PublicThrowing`.
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

/// Calls a function with values, each of which it may refuse or accept: none ends the program.
func bears<Value>(
  _ name: String, _ values: [Value], _ call: (Value) async throws -> Void
) async {
  for value in values {
    do { try await call(value) } catch { #expect(!"\(error)".isEmpty, "\(name) of \(value)") }
  }
}
