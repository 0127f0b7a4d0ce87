// Local times as text.

import Glibc

/// Formats a local time as `strftime` does: "18:02:11" with the format "%H:%M:%S".
///
/// - Parameters:
///   - seconds: since 1970, from there to the year 9999.
///   - format: at most 63 bytes as text.
/// - Thread: [any]
public func localTime(_ seconds: Double, format: String) -> String {
  var time = time_t(max(0, min(seconds, 253_402_300_799)))
  var parts = tm()
  localtime_r(&time, &parts)
  return String(unsafeUninitializedCapacity: 64) { bytes in
    bytes.withMemoryRebound(to: CChar.self) {
      strftime($0.baseAddress, $0.count, format, &parts)
    }
  }
}
