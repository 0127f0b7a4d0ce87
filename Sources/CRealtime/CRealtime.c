// Functions of the C shim that are too long for inlining.
#define _GNU_SOURCE
#include "CRealtime.h"

#include <pthread.h>
#include <sched.h>
#include <spawn.h>

// Lists have room for thousands of events, so the size of an event must not grow unnoticed.
_Static_assert(sizeof(RenderEvent) == 48, "RenderEvent");

enum { kTouchedStackBytes = 256 * 1024, kLeastPageBytes = 4096 };

__attribute__((noinline)) void touchStack(void) {
  volatile char stack[kTouchedStackBytes];
  for (size_t byte = 0; byte < sizeof stack; byte += kLeastPageBytes) stack[byte] = 0;
}

_Thread_local int keptThreadIdentifier __attribute__((tls_model("initial-exec")));

void keepThreadIdentifier(int identifier) { keptThreadIdentifier = identifier; }

int closeFromWhenSpawned(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void nameThread(unsigned long thread, const char *name) { pthread_setname_np(thread, name); }

int coreCount(void) {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

static _Thread_local cpu_set_t allowedCores;
static _Thread_local int knowsCores;

void leaveCore(int core) {
  if (!knowsCores) knowsCores = sched_getaffinity(0, sizeof allowedCores, &allowedCores) == 0;
  if (!knowsCores || core < 0 || core >= CPU_SETSIZE) return;
  cpu_set_t others = allowedCores;
  CPU_CLR(core, &others);
  if (CPU_COUNT(&others) > 0) sched_setaffinity(0, sizeof others, &others);
}
