// Keeps what the render thread touches in memory.

import Glibc

/// What became of this process's memory.
public enum MemoryLock: Sendable, Equatable, CustomStringConvertible {
  /// All stays, and what is added from now on as soon as it is used.
  case all(bytes: Int)
  /// What the render thread may touch stays; what is added later may go.
  case rendering(bytes: Int)
  /// What the render thread may touch is there now, but the kernel may take away what was not used
  /// for long. `bytes` would have to be locked.
  case touched(bytes: Int)

  /// Has every page that the render thread may touch brought in, and locked where that is allowed.
  ///
  /// Without a limit all memory is locked. With one that has room for it, what rendering may touch:
  /// the heap with the SoundFonts, the program, and the libraries that rendering calls; not what is
  /// added later, since at the limit an allocation would fail.
  /// - Thread: [control], when everything is loaded and nothing renders yet.
  public static func lock() -> MemoryLock {
    let limits = RealtimeLimits.current
    // What is added is locked when it is first used: a new thread's stack has megabytes that nobody
    // needs.
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

  /// Brings all pages in: of what is written, as if each had been written to, without changing it.
  /// A kernel before 5.14 cannot; there the pages come in with their first use.
  private static func touch(_ mapping: MemoryMapping) {
    let advice = mapping.isWritable ? Flags.populateWrite : Flags.populateRead
    _ = madvise(UnsafeMutableRawPointer(bitPattern: mapping.start), mapping.byteCount, advice)
  }

  /// The kernel's numbers, not all of which older headers have.
  private enum Flags {
    static let current: Int32 = 1
    static let future: Int32 = 2
    static let onFault: Int32 = 4
    static let populateRead: Int32 = 22
    static let populateWrite: Int32 = 23
  }
}

/// What /proc/self/status says.
enum ProcessStatus {
  /// - Parameter field: one that is stated in kB.
  static func bytes(of field: String) -> Int? {
    value(of: field)?.split(separator: " ").first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Whether this process has a capability, by its number.
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

/// A whole file of the kernel's, which states no length.
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
