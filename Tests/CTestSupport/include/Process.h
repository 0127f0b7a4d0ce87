// Starting processes with nothing inherited by accident.
#pragma once

#include <sys/types.h>

// A pipe that no child process inherits. 0, or an error number.
int rigPipe(int ends[2]);

// Starts a process with its three standard streams (-1: /dev/null), default signals and no other
// open file. `directory` may be null. 0 and the identifier, or an error number.
int rigSpawn(const char *path, char *const arguments[], char *const environment[], const char *directory,
             const int streams[3], pid_t *identifier);
