// The only C shim of the render side. Each function is vouched for, with its reason.
#pragma once

#include <sys/rseq.h>

#include "RenderABI.h"

// The compiler cannot check C code. This marks a C function that Swift render code may call.
#define AURICLE_VOUCHED __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// The compiler cannot check a call through a pointer. Every function of these types is made from an
// annotated Swift function, which the compiler has checked at its definition.
AURICLE_VOUCHED static inline int32_t callRender(RenderFunction _Nonnull function, void *_Nonnull context,
                                                 RenderCall *_Nonnull call) {
  return function(context, call);
}

AURICLE_VOUCHED static inline void callReset(ResetFunction _Nonnull function, void *_Nonnull context) {
  function(context);
}

AURICLE_VOUCHED static inline int32_t callDemand(DemandFunction _Nonnull function, void *_Nonnull context,
                                                 RenderCall *_Nonnull call, int32_t *_Nonnull before) {
  return function(context, call, before);
}

AURICLE_VOUCHED static inline void callTake(TakeFunction _Nonnull function, void *_Nonnull context,
                                            RenderCall *_Nonnull call, uint32_t frameCount) {
  function(context, call, frameCount);
}

AURICLE_VOUCHED static inline void callChannel(ChannelFunction _Nonnull function, ChannelCall call) {
  function(call);
}

// Makes the processor flush denormals to zero: reads and writes one register, nothing else.
AURICLE_VOUCHED static inline uint64_t denormalsFlush(void) {
#if defined(__x86_64__)
  uint32_t mode = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(mode | 0x8040u);  // FTZ and DAZ
  return mode;
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  __asm__ volatile("msr fpcr, %0" ::"r"(mode | (1ull << 24)));
  return mode;
#else
  return 0;
#endif
}

AURICLE_VOUCHED static inline void denormalsRestore(uint64_t mode) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((uint32_t)mode);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" ::"r"(mode));
#else
  (void)mode;
#endif
}

// Hints to the processor that this loop waits for another core: one instruction.
AURICLE_VOUCHED static inline void spinPause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// The core that the calling thread runs on; -1 if unknown. The kernel keeps it in the thread's own
// memory.
AURICLE_VOUCHED static inline int currentCore(void) {
  if (__rseq_size == 0) return -1;
  const char *area = (const char *)__builtin_thread_pointer() + __rseq_offset;
  return *(const volatile int *)(area + offsetof(struct rseq, cpu_id));
}

// Writes to every page of the stack for rendering, so that all are mapped before the first cycle.
// JACK's threads have half a megabyte; render frames take up to 16 KiB each, by
// scripts/render_calls.py.
void touchStack(void);

// The kernel's identifier of the calling thread; 0 unless the thread has kept it. A cycle must not
// make the system call.
extern _Thread_local int keptThreadIdentifier __attribute__((tls_model("initial-exec")));
void keepThreadIdentifier(int identifier);
AURICLE_VOUCHED static inline int ownThreadIdentifier(void) { return keptThreadIdentifier; }

// Names a thread, for `top -H`; at most 15 bytes. Glibc declares this only for GNU sources. The
// parameter is a pthread_t: that type itself would belong to this module, not to Glibc.
void nameThread(unsigned long thread, const char *_Nonnull name);

// Makes a program that posix_spawn starts close its descriptors from `first` on. Glibc declares it
// for GNU sources alone. The pointer is to a posix_spawn_file_actions_t. Returns 0, or an error
// number.
int closeFromWhenSpawned(void *_Nonnull actions, int first);

// Keeps the calling thread off one core, if it may run on another. The first call on a thread saves
// its allowed cores; -1 does only that.
void leaveCore(int core);

// The number of cores that this process may run on; 1 if unknown.
int coreCount(void);

// The whole part of a number within ±2^62. Swift's own conversion includes a trap, even if the
// caller has excluded all other numbers.
AURICLE_VOUCHED static inline int64_t wholePart(double number) { return (int64_t)number; }

// RealtimeSanitizer's hooks. They are weak: without the sanitizer they are absent and have no
// effect.
void __rtsan_realtime_enter(void) __attribute__((weak));
void __rtsan_realtime_exit(void) __attribute__((weak));
void __rtsan_disable(void) __attribute__((weak));
void __rtsan_enable(void) __attribute__((weak));

AURICLE_VOUCHED static inline void realtimeContextEnter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

AURICLE_VOUCHED static inline void realtimeContextExit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

// RealtimeSanitizer ignores this thread between these two calls: for waits offline, where no
// deadline exists, and for yielding a core to an awaited thread.
static inline void realtimeCheckPause(void) {
  if (__rtsan_disable) __rtsan_disable();
}

static inline void realtimeCheckResume(void) {
  if (__rtsan_enable) __rtsan_enable();
}

static inline int realtimeSanitizerIsLinked(void) { return __rtsan_realtime_enter != 0; }
