// Errors of one layer as errors of the next.

/// Converts errors of one type to another.
package func wrap<Result, Inner: Error, Outer: Error>(
  _ make: (Inner) -> Outer, _ body: () throws(Inner) -> Result
) throws(Outer) -> Result {
  do throws(Inner) { return try body() } catch { throw make(error) }
}
