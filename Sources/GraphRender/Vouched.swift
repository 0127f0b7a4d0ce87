// Calls of a schedule that are excluded from the compiler's check.

import CRealtime
import Glibc

enum Vouched {
  /// Returns the time of the monotonic clock, in nanoseconds.
  ///
  /// glibc reads it from memory that the kernel shares with the process (the vDSO), without a
  /// system call, lock or allocation. It retries if the kernel has just written. If the vDSO cannot
  /// read a machine's clock, it is one system call, which does not block. JACK makes the same call
  /// for its own time in each cycle. Checked by `strace` of a measured session, which has no such
  /// call, and by rendering under RealtimeSanitizer. Also checked on a render thread that seccomp
  /// restricts to JACK's own calls.
  @_semantics("no_performance_analysis") @inline(never)
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }

  /// Wakes the thread that waits for a semaphore.
  ///
  /// glibc increments a number and asks the kernel to wake a sleeping thread (`futex`): no lock, no
  /// allocation, no waiting. libjack does the same in each cycle for the clients downstream.
  /// Checked by rendering under RealtimeSanitizer.
  @_semantics("no_performance_analysis") @inline(never)
  static func post(_ semaphore: UnsafeMutablePointer<sem_t>) { sem_post(semaphore) }

  /// Yields the core to a waiting thread of the same priority, if there is one.
  ///
  /// One system call, which does not wait; RealtimeSanitizer takes it for a blocking one, so its
  /// check is paused. Only called while a branch on another thread has lasted thousands of turns.
  /// If both threads have only one core left, nothing else would let that branch continue. Checked
  /// by rendering all graphs of the tests with two threads.
  @_semantics("no_performance_analysis") @inline(never)
  static func yield() {
    realtimeCheckPause()
    sched_yield()
    realtimeCheckResume()
  }
}
