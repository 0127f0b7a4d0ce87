// Functions of mathematics for kernels.

import Realtime
import Testing

@Suite struct RealtimeMathTests {
  @Test func functionsHaveTheirKnownValues() {
    func expect(_ value: Double, _ known: Double, line: Int = #line) {
      #expect(abs(value - known) <= 1e-15, "line \(line)")
    }
    expect(RealtimeMath.sine(.pi / 2), 1)
    expect(RealtimeMath.cosine(.pi), -1)
    expect(RealtimeMath.tangent(.pi / 4), 1)
    expect(RealtimeMath.arcCosine(-1), .pi)
    expect(RealtimeMath.angle(y: 1, x: 0), .pi / 2)
    expect(RealtimeMath.exponential(1), 2.718281828459045)
    expect(RealtimeMath.powerOfTwo(-3), 0.125)
    expect(RealtimeMath.power(9, 1.5), 27)
    expect(RealtimeMath.naturalLogarithm(2), 0.6931471805599453)
    expect(RealtimeMath.squareRoot(2), 1.4142135623730951)
    expect(RealtimeMath.hyperbolicTangent(0.5), 0.46211715726000973)
    expect(RealtimeMath.hyperbolicTangent(-.infinity), -1)
  }
}
