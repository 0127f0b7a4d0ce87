// The one C shim of the render side. Each function is vouched for with its reason.
#pragma once

#include <sys/rseq.h>

#include "RenderABI.h"

// The compiler cannot see into C. This marks a C function that Swift render code may call.
#define AURICLE_VOUCHED __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

// A call through a pointer is opaque to the compiler. Every function of these types is made from an
// annotated Swift function, which the compiler has checked where it was written.
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

// Flush denormals to zero: one register is read and written, nothing else.
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

// Tells the processor that this is a turn of a loop that waits for another core: one instruction.
AURICLE_VOUCHED static inline void spinPause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// The core that the calling thread runs on, -1 where nobody knows: the kernel keeps it in the
// thread's own memory.
AURICLE_VOUCHED static inline int currentCore(void) {
  if (__rseq_size == 0) return -1;
  const char *area = (const char *)__builtin_thread_pointer() + __rseq_offset;
  return *(const volatile int *)(area + offsetof(struct rseq, cpu_id));
}

// Writes to every page of the stack that rendering may use, so that it is there when the first
// cycle runs. JACK's threads have half a megabyte; render frames take up to 16 KiB each, by
// scripts/render_calls.py.
void touchStack(void);

// What the kernel calls the calling thread, 0 where it has not kept that: asking the kernel is no
// work for a cycle.
extern _Thread_local int keptThreadIdentifier __attribute__((tls_model("initial-exec")));
void keepThreadIdentifier(int identifier);
AURICLE_VOUCHED static inline int ownThreadIdentifier(void) { return keptThreadIdentifier; }

// Names a thread, for who looks at it in `top -H`; 15 bytes. Glibc shows this to GNU sources only.
// It takes a pthread_t: the type itself would be this module's, and no longer Glibc's.
void nameThread(unsigned long thread, const char *_Nonnull name);

// Has the calling thread run anywhere but on one core, where there is another; -1 is any.
void leaveCore(int core);

// On how many cores this process may run; 1 where nobody knows.
int coreCount(void);

// The whole part of a number within ±2^62. Swift's own conversion brings a trap along, also where
// the caller has excluded every other number before.
AURICLE_VOUCHED static inline int64_t wholePart(double number) { return (int64_t)number; }

// RealtimeSanitizer's hooks. They are weak: without the sanitizer they are absent and nothing
// happens.
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

// Between these it reports nothing of the thread: for what waits offline, where nobody waits for
// it, and for what gives a core to a thread that it waits for.
static inline void realtimeCheckPause(void) {
  if (__rtsan_disable) __rtsan_disable();
}

static inline void realtimeCheckResume(void) {
  if (__rtsan_enable) __rtsan_enable();
}

static inline int realtimeSanitizerIsLinked(void) { return __rtsan_realtime_enter != 0; }
