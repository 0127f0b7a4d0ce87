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

// The name of the calling thread's folder in /proc/self/task. Glibc shows gettid to GNU sources
// only.
static inline long auricleThreadIdentifier(void) { return syscall(SYS_gettid); }

// The bytes of a MIDI port's buffer. Swift would copy the type's name for such a call, to the heap.
static inline size_t auricleMIDIBufferSize(jack_client_t *client) {
  return jack_port_type_get_buffer_size(client, JACK_DEFAULT_MIDI_TYPE);
}

// A port's other names, in two buffers of jack_port_name_size() bytes. Swift does not import arrays
// of pointers as parameters.
static inline int auriclePortAliases(const jack_port_t *port, char *first, char *second) {
  char *aliases[2] = {first, second};
  return jack_port_get_aliases(port, aliases);
}
