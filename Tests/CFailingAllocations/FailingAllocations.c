// Lets allocations fail that are at least as large as $AURICLE_FAILING_ALLOCATIONS says, in bytes.
//
// Swift ends a program whose own arrays and objects find no memory. They are small; what is large
// here is asked for in C, or by `malloc`, and may be refused.
#include "FailingAllocations.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int fails(size_t size) {
  static size_t limit;
  if (limit == 0) {
    const char *text = getenv("AURICLE_FAILING_ALLOCATIONS");
    limit = text ? strtoull(text, NULL, 10) : SIZE_MAX;
  }
  if (size < limit) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails(size) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total) || fails(total)) return NULL;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return fails(size) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return fails(size) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (fails(size)) return ENOMEM;
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *memory = made;
  return 0;
}
#endif
