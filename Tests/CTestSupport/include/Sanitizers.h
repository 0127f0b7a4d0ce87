// Which sanitizers a test runs under.
#pragma once

void __tsan_init(void) __attribute__((weak));

static inline int threadSanitizerIsLinked(void) { return __tsan_init != 0; }

void __asan_init(void) __attribute__((weak));

static inline int addressSanitizerIsLinked(void) { return __asan_init != 0; }
