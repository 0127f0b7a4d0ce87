// What of the C shim is too long to be inlined.
#include "CRealtime.h"

// Lists are made for thousands of events: none may grow unnoticed.
_Static_assert(sizeof(RenderEvent) == 48, "RenderEvent");

enum { kTouchedStackBytes = 256 * 1024, kLeastPageBytes = 4096 };

__attribute__((noinline)) void touchStack(void) {
  volatile char stack[kTouchedStackBytes];
  for (size_t byte = 0; byte < sizeof stack; byte += kLeastPageBytes) stack[byte] = 0;
}
