// How many seeds property tests run with.

import CTestSupport
import Foundation

/// The seeds of a property test: as many from 0 on as the environment variable
/// `AURICLE_STREAM_SEEDS` says, usually `count`. Of those AddressSanitizer has every fourth: it
/// takes four times as long, and looks at memory, not at what is played.
public func seeds(_ count: UInt64) -> [UInt64] {
  let wanted = ProcessInfo.processInfo.environment["AURICLE_STREAM_SEEDS"].flatMap(UInt64.init)
  if let wanted { return Array(0..<wanted) }
  return Array(stride(from: 0, to: count, by: addressSanitizerIsLinked() == 0 ? 1 : 4))
}
