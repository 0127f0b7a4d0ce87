// The file of this program.

public import FoundationEssentials

/// The file of the running program; nil where `/proc` is not mounted.
/// - Thread: [any]
public var programFile: URL? {
  (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    .map { URL(fileURLWithPath: $0) }
}
