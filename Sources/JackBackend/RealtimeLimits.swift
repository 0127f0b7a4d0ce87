// Limits of the kernel for realtime audio.

import Glibc

/// The limits that realtime audio needs.
public struct RealtimeLimits: Sendable, Equatable {
  /// The highest realtime priority the user may use, 0 for none.
  public let realtimePriority: Int
  /// The bytes of memory the user may lock; nil for no limit.
  public let lockedBytes: Int?
  public let isRoot: Bool
  /// Whether this process is exempt from the limit of locked memory.
  public let isAboveMemoryLimit: Bool

  public var mayUseRealtime: Bool { isRoot || realtimePriority > 0 }

  /// Enough locked memory for a client with a large SoundFont.
  public static let enoughLockedBytes = 512 << 20

  public var mayLockAllMemory: Bool { isAboveMemoryLimit || lockedBytes == nil }

  public var mayLockEnoughMemory: Bool {
    mayLockAllMemory || lockedBytes.map { $0 >= Self.enoughLockedBytes } ?? true
  }

  /// The kernel's number of CAP_IPC_LOCK.
  private static let ipcLock = 14

  /// The limits of this process.
  public static var current: RealtimeLimits {
    var priority = rlimit()
    getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &priority)
    var memory = rlimit()
    getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &memory)
    return RealtimeLimits(
      realtimePriority: Int(clamping: priority.rlim_cur),
      lockedBytes: memory.rlim_cur == rlim_t.max ? nil : Int(clamping: memory.rlim_cur),
      isRoot: getuid() == 0, isAboveMemoryLimit: ProcessStatus.hasCapability(ipcLock))
  }

  /// Remedies for missing limits; empty if all suffice.
  public var remedies: [String] {
    var result: [String] = []
    if !mayUseRealtime {
      result.append(
        """
        no realtime priority: add your user to the group 'audio' (sudo usermod -aG audio $USER), let \
        jackd2 set its limits (sudo dpkg-reconfigure -p high jackd2), and log in again
        """)
    }
    if !mayLockEnoughMemory {
      result.append(
        """
        only \((lockedBytes ?? 0) >> 20) MiB of memory may be locked, so that what was not used for long may be \
        missing when a note needs it: set '@audio - memlock unlimited' in \
        /etc/security/limits.d/audio.conf, and log in again
        """)
    }
    return result
  }
}
