import Foundation
import Platform
import Testing

@Suite struct LocalTimeTests {
  @Test func aTimeIsThatOfTheTimeZone() {
    let date = Date(timeIntervalSince1970: 1_000_000_000.9)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    let text = localTime(date.timeIntervalSince1970, format: "%Y-%m-%d %H:%M:%S")
    #expect(text == formatter.string(from: date))
    #expect(localTime(1_000_000_000.9, format: "%M:%S").hasSuffix(":40"))
  }

  @Test(arguments: [-1, 1e300, .infinity, -.infinity, .nan] as [Double])
  func timesOutOfRangeAreHeldToIt(seconds: Double) {
    #expect(localTime(seconds, format: "%Y-%m-%d").count >= 10)
  }
}
