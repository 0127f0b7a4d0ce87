// How many seeds the property tests run.

import Foundation

/// The number that the environment variable `AURICLE_STREAM_SEEDS` has, without it a usual one.
func testSeedCount(usually count: UInt64) -> UInt64 {
  ProcessInfo.processInfo.environment["AURICLE_STREAM_SEEDS"].flatMap(UInt64.init) ?? count
}
