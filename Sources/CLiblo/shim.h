// Only liblo's messages: its servers listen on all addresses of a machine, and wait for receivers.
#include <lo/lo_lowlevel.h>
