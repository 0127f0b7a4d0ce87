// Functions of glibc's allocator that Swift's Glibc does not declare.
#pragma once

#include <stdint.h>

// Whether glibc allocates memory. If a sanitizer or a preloaded library replaces its allocator, the
// functions below have no effect and return no counts.
int heapIsGlibc(void);

// Bytes that all threads of this process have allocated and not freed.
uint64_t heapBytesInUse(void);

// Fills newly allocated memory with a byte's complement, to expose reads of uninitialised memory; 0
// turns this off.
void heapFill(int byte);

// Makes all threads share one arena from now on. Each arena keeps its peak, and threads that load
// files one after another would keep a multiple of it. To be called before other threads allocate.
void heapShareArena(void);

// Returns freed memory to the system, by whole pages.
void heapTrim(void);
