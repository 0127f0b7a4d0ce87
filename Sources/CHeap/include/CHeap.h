// What glibc's allocator tells and does, where Swift's Glibc does not show it.
#pragma once

#include <stdint.h>

// Whether memory comes from glibc: a sanitizer, or a library that is loaded before, brings another
// allocator, of which the functions below tell nothing.
int heapIsGlibc(void);

// How many bytes this process has allocated and not freed, by all threads.
uint64_t heapBytesInUse(void);

// Fills memory that is allocated from now on with a byte's complement, so that who reads what it
// has not written is found out; 0 leaves it as it is.
void heapFill(int byte);

// Has all threads share one arena, from now on: each arena keeps the most that it ever held, so
// that threads that load one after the other would together keep many times what one needs. Call
// it before other threads allocate.
void heapShareArena(void);

// Gives memory back to the system that was freed, as far as whole pages of it are.
void heapTrim(void);
