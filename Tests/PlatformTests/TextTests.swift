import Platform
import Testing

@Suite struct TextTests {
  @Test func numbersHaveAFixedCountOfDecimals() {
    #expect(0.5.text(decimals: 2) == "0.50")
    #expect((-1.005 as Float).text(decimals: 0) == "-1")
    #expect(0.0625.text(decimals: 3) == "0.062")  // to even, as C's
    #expect(Double.greatestFiniteMagnitude.text(decimals: 6).count == 309 + 7)
    #expect(Double.infinity.text(decimals: 1) == "inf")
  }

  @Test func wholeNumbersHaveNoPoint() {
    #expect((127 as Float).plainText == "127")
    #expect((0.1 as Float).plainText == "0.1")
    #expect(1e300.plainText == "1e+300")
    #expect(Double.nan.plainText == "nan")
  }

  @Test func textsAreTrimmedAndAligned() {
    #expect(" \t a b\r\n".trimmed == "a b")
    #expect("\n ".trimmed == "")
    #expect("ä".padded(to: 3) == "ä  ")
    #expect("long".padded(to: 2) == "lo")
    #expect("7".aligned(right: 3) == "  7")
    #expect(7.text(digits: 2) == "07" && 123.text(digits: 2) == "123")
  }
}
