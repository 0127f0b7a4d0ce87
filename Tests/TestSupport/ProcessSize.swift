// Resources held by a process.
import Foundation

/// Numbers of descriptors and threads, and memory, of a process, from /proc.
public struct ProcessSize: Sendable, Equatable, CustomStringConvertible {
  public var descriptors: Int
  public var threads: Int
  /// In kilobytes, including mapped files and shared memory.
  public var resident: Int

  /// - Parameter process: a process of this user; the result is nil if it does not exist.
  public init?(of process: pid_t) {
    let folder = "/proc/\(process)"
    guard let status = try? String(contentsOfFile: "\(folder)/status", encoding: .utf8) else {
      return nil
    }
    func number(_ key: String) -> Int? {
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
    guard let threads = number("Threads"), let resident = number("VmRSS"),
      let entries = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd")
    else { return nil }
    (self.threads, self.resident) = (threads, resident)
    // If a process counts its own descriptors, one of them is the open folder.
    descriptors = entries.count - (process == getpid() ? 1 : 0)
  }

  public var description: String {
    "\(descriptors) descriptors, \(threads) threads, \(resident / 1024) MB"
  }
}
