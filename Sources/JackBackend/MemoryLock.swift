// Locking the render thread's memory.

import Glibc

/// The state of this process's memory.
public enum MemoryLock: Sendable, Equatable, CustomStringConvertible {
  /// All memory is locked; added memory is locked when first used.
  case all(bytes: Int)
  /// The memory that rendering may touch is locked; memory added later is not.
  case rendering(bytes: Int)
  /// The memory that rendering may touch is resident now, but the kernel may evict pages not used
  /// for long. `bytes` is the amount to lock.
  case touched(bytes: Int)

  /// Loads every page that rendering may touch, and locks it if allowed.
  ///
  /// Without a limit all memory is locked. If a limit has room for it, the memory that rendering
  /// may touch is locked. It consists of the heap with the SoundFonts, the program, and the
  /// libraries that rendering calls. Memory added later is not, since allocations would fail at the
  /// limit.
  /// - Thread: [control], after everything is loaded and before anything renders.
  public static func lock() -> MemoryLock {
    let limits = RealtimeLimits.current
    // Added memory is locked when first used: a new thread's stack has megabytes that are never
    // needed.
    if limits.mayLockAllMemory && mlockall(Flags.current) == 0
      && mlockall(Flags.future | Flags.onFault) == 0
    {
      return .all(bytes: (ProcessStatus.bytes(of: "VmLck") ?? 0))
    }
    guard let map = MemoryMap.current() else { return .touched(bytes: 0) }
    for mapping in map.rendered { touch(mapping) }
    let alreadyLocked = ProcessStatus.bytes(of: "VmLck") ?? 0
    if let limit = limits.lockedBytes, map.byteCount + alreadyLocked > limit {
      return .touched(bytes: map.byteCount)
    }
    for mapping in map.rendered
    where mlock(UnsafeRawPointer(bitPattern: mapping.start)!, mapping.byteCount) != 0 {
      return .touched(bytes: map.byteCount)
    }
    return .rendering(bytes: map.byteCount)
  }

  public var description: String {
    switch self {
    case .all(let bytes): "all memory is locked, \(bytes >> 20) MiB"
    case .rendering(let bytes): "what rendering needs is locked in memory, \(bytes >> 20) MiB"
    case .touched(let bytes):
      """
      memory is not locked: rendering needs \(bytes >> 20) MiB, more than the limit allows; set \
      '@audio - memlock unlimited' in /etc/security/limits.d/audio.conf, and log in again
      """
    }
  }

  /// Loads all pages; writable ones as if written to, without changing them. Kernels before 5.14
  /// cannot do this; their pages are loaded on first use.
  private static func touch(_ mapping: MemoryMapping) {
    let advice = mapping.isWritable ? Flags.populateWrite : Flags.populateRead
    _ = madvise(UnsafeMutableRawPointer(bitPattern: mapping.start), mapping.byteCount, advice)
  }

  /// Kernel constants, some of which older headers lack.
  private enum Flags {
    static let current: Int32 = 1
    static let future: Int32 = 2
    static let onFault: Int32 = 4
    static let populateRead: Int32 = 22
    static let populateWrite: Int32 = 23
  }
}

/// Fields of /proc/self/status.
enum ProcessStatus {
  /// - Parameter field: a field in kB.
  static func bytes(of field: String) -> Int? {
    value(of: field)?.split(separator: " ").first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Whether this process has the capability with this number.
  static func hasCapability(_ number: Int) -> Bool {
    value(of: "CapEff").flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(number) & 1 == 1 }
      ?? false
  }

  private static func value(of field: String) -> String? {
    TextFile.read("/proc/self/status")?.split(separator: "\n")
      .first { $0.hasPrefix(field + ":") }
      .map { String($0.dropFirst(field.count + 1).drop { $0 == " " || $0 == "\t" }) }
  }
}

/// Reads whole kernel files, which report no length.
enum TextFile {
  static func read(_ path: String) -> String? {
    // opens: the kernel's, which answers at once
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      text += chunk.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
