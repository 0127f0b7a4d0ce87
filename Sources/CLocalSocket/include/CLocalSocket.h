// Local socket calls that Swift's Glibc does not declare, or with C structures as arguments. On
// failure they return -1 and set errno.
#pragma once

#include <stdint.h>

// Makes a stream socket that child programs do not inherit. Only its owner will have access to its
// file.
int localSocketMake(int isNonblocking);

int localSocketBind(int descriptor, const char *path);

int localSocketConnect(int descriptor, const char *path);

// Accepts a client; its descriptor is nonblocking.
int localSocketAccept(int descriptor);

// Returns the user of the other side.
int64_t localSocketPeerUser(int descriptor);

// Makes a descriptor that is readable after `localSocketWake`, until `localSocketSleep`.
int localSocketWaker(void);

void localSocketWake(int waker);

void localSocketSleep(int waker);
