// What a schedule calls that the compiler cannot see into.

import CRealtime
import Glibc

enum Vouched {
  /// The monotonic clock, in nanoseconds.
  ///
  /// glibc reads it from memory that the kernel shares with the process (the vDSO), without a call
  /// into the kernel, a lock or memory of its own; it reads again where the kernel has just
  /// written. On a machine whose clock the vDSO cannot read, it is one system call, which waits for
  /// nobody; JACK makes the same for its own time in each cycle. Checked by `strace` of a session
  /// that is measured, which has no such call, by rendering under RealtimeSanitizer, and on a
  /// render thread that seccomp holds to JACK's own calls.
  @_semantics("no_performance_analysis") @inline(never)
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec)
  }

  /// Wakes the thread that waits at a semaphore.
  ///
  /// glibc adds one to a number, and asks the kernel to wake who sleeps there (`futex`): no lock,
  /// no memory, and nobody is waited for. libjack does the same in each cycle for the clients
  /// behind it. Checked by rendering under RealtimeSanitizer.
  @_semantics("no_performance_analysis") @inline(never)
  static func post(_ semaphore: UnsafeMutablePointer<sem_t>) { sem_post(semaphore) }

  /// Gives the core to a thread of the same priority that waits for it, if there is one.
  ///
  /// One system call, which waits for nobody else: RealtimeSanitizer, which takes it for one that
  /// blocks, is told to look away. Only called where a branch that another thread renders has
  /// lasted for thousands of turns: where both threads were left one core, nothing else would let
  /// that go on. Checked by rendering all graphs of the tests by two threads.
  @_semantics("no_performance_analysis") @inline(never)
  static func yield() {
    realtimeCheckPause()
    sched_yield()
    realtimeCheckResume()
  }
}
