#define _GNU_SOURCE
#include "CNetworkSocket.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void readIPv6(const struct in6_addr *address, NetworkAddress *result) {
  memcpy(&result->high, address->s6_addr, 8);
  memcpy(&result->low, address->s6_addr + 8, 8);
  result->high = be64toh(result->high);
  result->low = be64toh(result->low);
}

static void writeIPv6(const NetworkAddress *address, struct in6_addr *result) {
  uint64_t high = htobe64(address->high), low = htobe64(address->low);
  memcpy(result->s6_addr, &high, 8);
  memcpy(result->s6_addr + 8, &low, 8);
}

int networkAddressRead(const char *text, NetworkAddress *result) {
  struct in_addr four;
  struct in6_addr six;
  memset(result, 0, sizeof *result);
  if (inet_pton(AF_INET, text, &four) == 1) {
    result->version = 4;
    result->low = ntohl(four.s_addr);
    return 1;
  }
  if (inet_pton(AF_INET6, text, &six) == 1) {
    result->version = 6;
    readIPv6(&six, result);
    return 1;
  }
  return 0;
}

void networkAddressWrite(const NetworkAddress *address, char *text, size_t size) {
  text[0] = 0;
  if (address->version == 4) {
    struct in_addr four = {htonl((uint32_t)address->low)};
    inet_ntop(AF_INET, &four, text, (socklen_t)size);
  } else {
    struct in6_addr six;
    writeIPv6(address, &six);
    inet_ntop(AF_INET6, &six, text, (socklen_t)size);
  }
}

int networkAddressIsLoopback(const NetworkAddress *address) {
  if (address->version == 4) return (address->low >> 24) == 127;
  return address->high == 0 && address->low == 1;
}

static socklen_t toSystem(const NetworkAddress *address, struct sockaddr_storage *result) {
  memset(result, 0, sizeof *result);
  if (address->version == 4) {
    struct sockaddr_in *four = (struct sockaddr_in *)result;
    four->sin_family = AF_INET;
    four->sin_port = htons(address->port);
    four->sin_addr.s_addr = htonl((uint32_t)address->low);
    return sizeof *four;
  }
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)result;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(address->port);
  six->sin6_scope_id = address->scope;
  writeIPv6(address, &six->sin6_addr);
  return sizeof *six;
}

static void fromSystem(const struct sockaddr_storage *address, NetworkAddress *result) {
  memset(result, 0, sizeof *result);
  if (address->ss_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    result->version = 4;
    result->port = ntohs(four->sin_port);
    result->low = ntohl(four->sin_addr.s_addr);
  } else if (address->ss_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    result->version = 6;
    result->port = ntohs(six->sin6_port);
    result->scope = six->sin6_scope_id;
    readIPv6(&six->sin6_addr, result);
  }
}

static int closed(int descriptor) {
  int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

int networkAddressFind(const char *host, NetworkAddress *results, int capacity) {
  static const int families[] = {AF_INET, AF_INET6};
  int count = 0;
  for (int index = 0; index < 2; index += 1) {
    struct addrinfo hints, *found = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = families[index];
    hints.ai_socktype = SOCK_DGRAM;
    if (getaddrinfo(host, NULL, &hints, &found) != 0) continue;
    for (struct addrinfo *one = found; one && count < capacity; one = one->ai_next) {
      struct sockaddr_storage name;
      memset(&name, 0, sizeof name);
      if (one->ai_addrlen > sizeof name) continue;
      memcpy(&name, one->ai_addr, one->ai_addrlen);
      fromSystem(&name, &results[count++]);
    }
    freeaddrinfo(found);
  }
  return count;
}

int networkAddressTowards(const NetworkAddress *to, NetworkAddress *result) {
  struct sockaddr_storage name;
  socklen_t size = toSystem(to, &name);
  int descriptor = socket(name.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  // Sends nothing: the system only chooses the route.
  if (connect(descriptor, (struct sockaddr *)&name, size) < 0) return closed(descriptor);
  if (networkSocketAddress(descriptor, result) < 0) return closed(descriptor);
  result->port = 0;
  close(descriptor);
  return 0;
}

int networkSocketOpen(int isStream, const NetworkAddress *address) {
  struct sockaddr_storage name;
  socklen_t size = toSystem(address, &name);
  int type = (isStream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC | SOCK_NONBLOCK;
  int descriptor = socket(name.ss_family, type, 0);
  if (descriptor < 0) return -1;
  int one = 1;
  // Connections of a session that has just ended must not keep the next one from the port.
  if (isStream) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(descriptor, (struct sockaddr *)&name, size) < 0) return closed(descriptor);
  if (isStream && listen(descriptor, 16) < 0) return closed(descriptor);
  return descriptor;
}

int networkSocketAddress(int descriptor, NetworkAddress *result) {
  struct sockaddr_storage name;
  socklen_t size = sizeof name;
  if (getsockname(descriptor, (struct sockaddr *)&name, &size) < 0) return -1;
  fromSystem(&name, result);
  return 0;
}

int networkSocketAccept(int descriptor, NetworkAddress *from) {
  struct sockaddr_storage name;
  socklen_t size = sizeof name;
  int client = accept4(descriptor, (struct sockaddr *)&name, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (client < 0) return -1;
  fromSystem(&name, from);
  int one = 1, idle = 30, interval = 10, count = 3, patience = 60000;
  setsockopt(client, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(client, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(client, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(client, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
  setsockopt(client, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
  return client;
}

ssize_t networkSocketReceive(int descriptor, void *bytes, size_t size, NetworkAddress *from) {
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  memset(&name, 0, sizeof name);
  ssize_t count = recvfrom(descriptor, bytes, size, MSG_TRUNC, (struct sockaddr *)&name, &length);
  if (count >= 0) fromSystem(&name, from);
  return count;
}

ssize_t networkSocketSend(int descriptor, const void *bytes, size_t size, const NetworkAddress *to) {
  struct sockaddr_storage name;
  socklen_t length = toSystem(to, &name);
  return sendto(descriptor, bytes, size, MSG_NOSIGNAL, (struct sockaddr *)&name, length);
}
