#define _GNU_SOURCE
#include "CLocalSocket.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int localSocketMake(int isNonblocking) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (isNonblocking ? SOCK_NONBLOCK : 0), 0);
  // Sets the mode of the file that `bind` will make.
  if (descriptor >= 0) fchmod(descriptor, 0600);
  return descriptor;
}

static int address(const char *path, struct sockaddr_un *result) {
  memset(result, 0, sizeof *result);
  result->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof result->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(result->sun_path, path);
  return 0;
}

int localSocketBind(int descriptor, const char *path) {
  struct sockaddr_un name;
  if (address(path, &name) < 0) return -1;
  return bind(descriptor, (struct sockaddr *)&name, sizeof name);
}

int localSocketConnect(int descriptor, const char *path) {
  struct sockaddr_un name;
  if (address(path, &name) < 0) return -1;
  return connect(descriptor, (struct sockaddr *)&name, sizeof name);
}

int localSocketAccept(int descriptor) {
  return accept4(descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int64_t localSocketPeerUser(int descriptor) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -1;
  return peer.uid;
}

int localSocketWaker(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void localSocketWake(int waker) {
  uint64_t one = 1;
  // If the counter is full, `write` fails; the descriptor is readable then too.
  ssize_t result = write(waker, &one, sizeof one);
  (void)result;
}

void localSocketSleep(int waker) {
  uint64_t count;
  ssize_t result = read(waker, &count, sizeof count);
  (void)result;
}
