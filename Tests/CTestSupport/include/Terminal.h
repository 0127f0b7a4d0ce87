// Terminals without a screen.
#pragma once

#include <stddef.h>

// Opens one. Returns the descriptor of its other side, which does not block, and the path of the
// terminal's file; -1 where the system has no more.
int rigTerminalOpen(char *_Nonnull path, size_t size);
