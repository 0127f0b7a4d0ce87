#include "CHeap.h"

#include <malloc.h>
#include <stdlib.h>

uint64_t heapBytesInUse(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void heapFill(int byte) { mallopt(M_PERTURB, byte); }

void heapTrim(void) { malloc_trim(0); }

void heapShareArena(void) { mallopt(M_ARENA_MAX, 1); }

int heapIsGlibc(void) {
  const size_t size = 1 << 16;
  uint64_t before = heapBytesInUse();
  // Not left out by the compiler.
  void *volatile memory = malloc(size);
  uint64_t after = heapBytesInUse();
  free(memory);
  return after >= before + size;
}
