#define _GNU_SOURCE
#include "CHeap.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

uint64_t heapBytesInUse(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void heapFill(int byte) { mallopt(M_PERTURB, byte); }

// Whether this process has locked memory, according to the kernel.
static int hasLockedMemory(void) {
  FILE *status = fopen("/proc/self/status", "re");
  if (!status) return 0;
  char line[256];
  unsigned long locked = 0;
  while (fgets(line, sizeof line, status) && sscanf(line, "VmLck: %lu", &locked) != 1) {}
  fclose(status);
  return locked > 0;
}

// Finds the arena that all threads share. Returns its size in bytes; 0 if it is unknown.
static size_t heapRange(void **start) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return 0;
  char line[512];
  unsigned long first = 0, end = 0, from, to;
  while (fgets(line, sizeof line, maps)) {
    if (!strstr(line, "[heap]") || sscanf(line, "%lx-%lx", &from, &to) != 2) continue;
    if (!first) first = from;
    end = to;
  }
  fclose(maps);
  *start = (void *)first;
  return end - first;
}

void heapTrim(void) {
  void *start = NULL;
  // The kernel does not take back locked pages (madvise, MADV_DONTNEED): unlock them meanwhile.
  size_t size = hasLockedMemory() ? heapRange(&start) : 0;
  if (size) munlock(start, size);
  malloc_trim(0);
  if (!size) return;
  size = heapRange(&start);
  if (size) mlock2(start, size, MLOCK_ONFAULT);
}

void heapShareArena(void) {
  mallopt(M_ARENA_MAX, 1);
  // A block above this limit is a separate mapping, which is unmapped when the block is freed.
  // Unless set, the limit rises to the size of freed blocks, up to 32 MiB.
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}

int heapIsGlibc(void) {
  const size_t size = 1 << 16;
  uint64_t before = heapBytesInUse();
  // Volatile, so that the compiler does not remove the allocation.
  void *volatile memory = malloc(size);
  uint64_t after = heapBytesInUse();
  free(memory);
  return after >= before + size;
}
