// A thread that may make no system call but those that JACK's own thread needs.
#define _GNU_SOURCE
#include "include/Restriction.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define RIG_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define RIG_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define RIG_ALLOW(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

int rigRestrictThread(void) {
#ifdef RIG_ARCHITECTURE
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RIG_ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      // libjack waits for the next cycle and wakes the next client by futexes.
      RIG_ALLOW(SYS_futex),
      // Its clock, where the kernel gives none without a call.
      RIG_ALLOW(SYS_clock_gettime),
      // What waits long for the helper gives the core to others.
      RIG_ALLOW(SYS_sched_yield),
      // The helper leaves the core of the thread that woke it.
      RIG_ALLOW(SYS_sched_setaffinity),
      // The thread's end, after the last cycle: it is cancelled by a signal, and gives its stack
      // back.
      RIG_ALLOW(SYS_getpid),
      RIG_ALLOW(SYS_rt_sigprocmask),
      RIG_ALLOW(SYS_rt_sigreturn),
      RIG_ALLOW(SYS_madvise),
      RIG_ALLOW(SYS_exit),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  const struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  // For this thread alone.
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}

void rigMakeSystemCall(void) { syscall(SYS_getppid); }

void rigAllocate(size_t bytes) {
  void *volatile memory = malloc(bytes);
  free(memory);
}
