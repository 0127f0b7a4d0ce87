// The layout of the render boundary is a contract between processes: it may not change unnoticed.
#include "CRealtime.h"

_Static_assert(sizeof(RenderEvent) == 48, "RenderEvent");
_Static_assert(sizeof(RenderEventListHeader) == 32, "RenderEventListHeader");
_Static_assert(sizeof(AudioBufferListHeader) == 8, "AudioBufferListHeader");
_Static_assert(sizeof(MusicalContext) == 80, "MusicalContext");
_Static_assert(sizeof(RenderCall) == 144, "RenderCall");

enum { kTouchedStackBytes = 256 * 1024, kLeastPageBytes = 4096 };

__attribute__((noinline)) void touchStack(void) {
  volatile char stack[kTouchedStackBytes];
  for (size_t byte = 0; byte < sizeof stack; byte += kLeastPageBytes) stack[byte] = 0;
}
