// Calls of local sockets that Swift's Glibc does not show, or whose arguments are C structures. -1
// and errno are failures.
#pragma once

#include <stdint.h>

// A stream socket that no program started later inherits. Its file will be its owner's alone.
int localSocketMake(int isNonblocking);

int localSocketBind(int descriptor, const char *path);

int localSocketConnect(int descriptor, const char *path);

// Takes a client in; its descriptor is nonblocking, too.
int localSocketAccept(int descriptor);

// The user on the other side.
int64_t localSocketPeerUser(int descriptor);

// A descriptor that is readable once `localSocketWake` was called, until `localSocketSleep`.
int localSocketWaker(void);

void localSocketWake(int waker);

void localSocketSleep(int waker);
