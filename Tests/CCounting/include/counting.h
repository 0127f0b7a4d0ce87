// Marks what callgrind is to count: nothing where it does not run, or where its header is not
// installed.
#pragma once

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
static inline int countingIsPossible(void) { return RUNNING_ON_VALGRIND != 0; }
static inline void countingBegin(void) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}
/// Writes what has been counted, under a name.
static inline void countingEnd(const char *name) {
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}
#else
static inline int countingIsPossible(void) { return 0; }
static inline void countingBegin(void) {}
static inline void countingEnd(const char *name) { (void)name; }
#endif
