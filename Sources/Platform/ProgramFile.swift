// Files of programs.

public import FoundationEssentials

/// The file of the running program; nil where `/proc` is not mounted.
/// - Thread: [any]
public var programFile: URL? {
  (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    .map { URL(fileURLWithPath: $0) }
}

/// Returns the file of a program that the variable PATH leads to; nil if there is none.
/// - Thread: [any]
package func programInPath(_ name: String) -> URL? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
