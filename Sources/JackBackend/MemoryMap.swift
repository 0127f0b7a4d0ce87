// Memory mappings of this process.

import FoundationEssentials
import Platform

/// One mapping of /proc/self/maps.
struct MemoryMapping: Equatable {
  let start: UInt
  let end: UInt
  /// Permissions such as "rw-p".
  let permissions: Substring
  /// The file's path, "" for anonymous memory, or a name in brackets.
  let path: Substring

  var byteCount: Int { Int(end - start) }
  var isWritable: Bool { permissions.hasPrefix("rw") }

  /// - Parameter line: "start-end permissions offset device inode path".
  init?(line: Substring) {
    let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    guard fields.count >= 5 else { return nil }
    let range = fields[0].split(separator: "-")
    guard range.count == 2, let start = UInt(range[0], radix: 16),
      let end = UInt(range[1], radix: 16), start < end
    else { return nil }
    self.start = start
    self.end = end
    permissions = fields[1]
    path = fields.count > 5 ? fields[5] : ""
  }
}

/// The mappings that the render thread may touch.
struct MemoryMap {
  let rendered: [MemoryMapping]

  /// Libraries that rendering calls, and their dependencies. The program itself is added
  /// separately.
  private static let libraries = [
    "auricle", "libfluidsynth", "libjack", "libpipewire", "libspa", "libswiftCore",
    "libswiftSynchronization", "libm.so", "libc.so", "libc-", "libm-", "libpthread", "ld-linux",
    "libstdc++", "libgcc_s", "libclang_rt",
  ]

  /// - Parameters:
  ///   - text: the contents of /proc/self/maps.
  ///   - program: this program's path.
  init(_ text: String, program: String) {
    let mappings = text.split(separator: "\n").compactMap(MemoryMapping.init(line:))
    rendered = mappings.enumerated().filter { index, mapping in
      guard mapping.permissions.hasPrefix("r"), mapping.permissions.hasSuffix("p") else {
        return false
      }
      if mapping.path.isEmpty || mapping.path == "[heap]" {
        return mapping.isWritable && !Self.isStack(index, of: mappings)
      }
      let name = mapping.path.split(separator: "/").last ?? ""
      return mapping.path == program || Self.libraries.contains { name.hasPrefix($0) }
    }.map(\.element)
  }

  /// Returns the current map of this process; nil if it cannot be read.
  /// - Thread: [control]
  static func current() -> MemoryMap? {
    TextFile.read("/proc/self/maps").map { MemoryMap($0, program: programFile?.path ?? "") }
  }

  var byteCount: Int { rendered.reduce(0) { $0 + $1.byteCount } }

  /// Whether a mapping is another thread's stack, which follows its guard page. Most of its
  /// megabytes are never used.
  private static func isStack(_ index: Int, of mappings: [MemoryMapping]) -> Bool {
    guard index > 0 else { return false }
    let guardPage = mappings[index - 1]
    return guardPage.end == mappings[index].start && guardPage.permissions.hasPrefix("---")
      && guardPage.byteCount <= 65536
  }
}
