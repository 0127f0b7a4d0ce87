// Messages alone: liblo's servers listen on all of a machine's addresses, and wait for those they
// send to.
#include <lo/lo_lowlevel.h>
