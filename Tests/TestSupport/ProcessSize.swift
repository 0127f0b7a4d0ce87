// How much a process holds.
import Foundation

/// Descriptors, threads and memory of a process, as the kernel counts them.
public struct ProcessSize: Sendable, Equatable, CustomStringConvertible {
  public var descriptors: Int
  public var threads: Int
  /// In kilobytes, files and shared memory that are mapped counted in.
  public var resident: Int

  /// - Parameter process: of this user; nil for one that is not there.
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
    // A process that counts its own has the folder open.
    descriptors = entries.count - (process == getpid() ? 1 : 0)
  }

  public var description: String {
    "\(descriptors) descriptors, \(threads) threads, \(resident / 1024) MB"
  }
}
