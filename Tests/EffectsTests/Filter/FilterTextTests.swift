// The filter's values as text.

import Effects
import Testing

@Suite struct FilterTextTests {
  @Test(arguments: [(Float(1234.567), "1235"), (20_000, "20000"), (12, "12")])
  func theCutoffHasNoDecimals(value: Float, text: String) throws {
    let unit = try FilterUnit()
    unit.cutoff = value
    #expect(unit.$cutoff.string() == text)
    // The value itself is exact.
    #expect(unit.cutoff == value)
  }

  @Test(arguments: [(Float(1.23456), "1.23"), (-20, "-20.00"), (0, "0.00"), (-0.001, "0.00")])
  func theResonanceHasTwoDecimals(value: Float, text: String) throws {
    let unit = try FilterUnit()
    #expect(unit.$resonance.string(fromValue: value) == text)
    #expect(unit.$resonance.value(fromString: text + " dB") == Float(text))
  }
}
