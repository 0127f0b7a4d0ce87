#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/thread.h>
#include <jack/transport.h>
#include <jack/uuid.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swift cannot call variadic C functions.
static inline jack_client_t *auricleClientOpen(const char *name, jack_options_t options,
                                               jack_status_t *status, const char *server) {
  return server ? jack_client_open(name, options, status, server) : jack_client_open(name, options, status);
}

// The calling thread's name in /proc/self/task. Glibc declares gettid only for GNU sources.
static inline long auricleThreadIdentifier(void) { return syscall(SYS_gettid); }

// The buffer size of a MIDI port, in bytes. A call from Swift would copy the type's name to the
// heap.
static inline size_t auricleMIDIBufferSize(jack_client_t *client) {
  return jack_port_type_get_buffer_size(client, JACK_DEFAULT_MIDI_TYPE);
}

// Gets a port's aliases, in two buffers of jack_port_name_size() bytes. Swift does not import
// arrays of pointers as parameters.
static inline int auriclePortAliases(const jack_port_t *port, char *first, char *second) {
  char *aliases[2] = {first, second};
  return jack_port_get_aliases(port, aliases);
}
