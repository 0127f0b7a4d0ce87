// Terminals without a screen.
#define _GNU_SOURCE
#include "include/Terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int rigTerminalOpen(char *path, size_t size) {
  const int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (master < 0) return -1;
  if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, path, size) == 0) return master;
  close(master);
  return -1;
}
