// A thread that may make no system call but those that JACK's own thread needs.
#pragma once
#include <stddef.h>

// From now on the kernel ends the process when the calling thread makes another one. Returns 0 or
// an errno.
int rigRestrictThread(void);

// One that is not among them.
void rigMakeSystemCall(void);

// Takes memory and gives it back, which no optimization leaves out.
void rigAllocate(size_t bytes);
