// A library to be loaded before a program's own (LD_PRELOAD): it has nothing to call.
#pragma once
