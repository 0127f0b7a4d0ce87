// Network socket calls whose arguments are C structures. On failure they return -1 and set errno.
// Sockets are nonblocking, and child programs do not inherit them.
#pragma once

#include <stdint.h>
#include <sys/types.h>

// A numeric IPv4 or IPv6 address and a port, in the machine's byte order; unused parts are 0.
typedef struct {
  uint64_t high;
  uint64_t low;
  uint32_t scope;
  uint16_t port;
  // 4 or 6.
  uint16_t version;
} NetworkAddress;

// Parses a numeric address. Returns 1, or 0 for other texts.
int networkAddressRead(const char *text, NetworkAddress *result);

// Formats an address without its port; 64 bytes are enough.
void networkAddressWrite(const NetworkAddress *address, char *text, size_t size);

// Whether the address is reachable only from this machine.
int networkAddressIsLoopback(const NetworkAddress *address);

// Finds the addresses of a host name, IPv4 first, and returns their number, up to `capacity`. Asks
// the network if this machine does not know the name.
int networkAddressFind(const char *host, NetworkAddress *results, int capacity);

// Finds the local address on the route to another address, without a port.
int networkAddressTowards(const NetworkAddress *to, NetworkAddress *result);

// Opens a socket for datagrams, or one that listens for connections.
int networkSocketOpen(int isStream, const NetworkAddress *address);

// Returns the address that a socket is bound to.
int networkSocketAddress(int descriptor, NetworkAddress *result);

// Accepts a connection. It ends after about a minute if its other side no longer responds.
int networkSocketAccept(int descriptor, NetworkAddress *from);

// Receives a datagram and its sender. Returns its full length, also if that exceeds `size`.
ssize_t networkSocketReceive(int descriptor, void *bytes, size_t size, NetworkAddress *from);

ssize_t networkSocketSend(int descriptor, const void *bytes, size_t size, const NetworkAddress *to);
