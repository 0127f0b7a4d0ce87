// Seeds of property tests.

import CTestSupport
import Foundation

/// Returns the seeds of a property test from 0 on: as many as the environment variable
/// `AURICLE_STREAM_SEEDS` says, by default `count`. By default AddressSanitizer runs every fourth:
/// it takes four times as long, and checks memory, not the output.
public func seeds(_ count: UInt64) -> [UInt64] {
  let wanted = ProcessInfo.processInfo.environment["AURICLE_STREAM_SEEDS"].flatMap(UInt64.init)
  if let wanted { return Array(0..<wanted) }
  return Array(stride(from: 0, to: count, by: addressSanitizerIsLinked() == 0 ? 1 : 4))
}
