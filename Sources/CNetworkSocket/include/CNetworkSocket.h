// Calls of network sockets whose arguments are C structures. -1 and errno are failures. No program
// that is started later inherits a socket, and none blocks.
#pragma once

#include <stdint.h>
#include <sys/types.h>

// A numeric address of IPv4 or IPv6 and a port, in the machine's byte order; 0 in the parts that it
// does not have.
typedef struct {
  uint64_t high;
  uint64_t low;
  uint32_t scope;
  uint16_t port;
  // 4 or 6.
  uint16_t version;
} NetworkAddress;

// Reads a numeric address; 0 for what is none.
int networkAddressRead(const char *text, NetworkAddress *result);

// Writes an address without its port; 64 bytes are enough.
void networkAddressWrite(const NetworkAddress *address, char *text, size_t size);

// Whether nobody but this machine reaches it.
int networkAddressIsLoopback(const NetworkAddress *address);

// The addresses that a host's name stands for, those of IPv4 first; how many there are, up to
// `capacity`. Asks the network where this machine does not know the name.
int networkAddressFind(const char *host, NetworkAddress *results, int capacity);

// The address of this machine from which a datagram goes to another, without a port.
int networkAddressTowards(const NetworkAddress *to, NetworkAddress *result);

// A socket that takes datagrams, or connections.
int networkSocketOpen(int isStream, const NetworkAddress *address);

// The address that a socket has got.
int networkSocketAddress(int descriptor, NetworkAddress *result);

// Takes a connection in. One whose other side is gone without a word ends after about a minute.
int networkSocketAccept(int descriptor, NetworkAddress *from);

// A datagram and who sent it; its whole length, also where that is more than `size`.
ssize_t networkSocketReceive(int descriptor, void *bytes, size_t size, NetworkAddress *from);

ssize_t networkSocketSend(int descriptor, const void *bytes, size_t size, const NetworkAddress *to);
