#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/transport.h>
#include <jack/uuid.h>

// Swift cannot call variadic C functions.
static inline jack_client_t *auricleClientOpen(const char *name, jack_options_t options,
                                               jack_status_t *status, const char *server) {
  return server ? jack_client_open(name, options, status, server) : jack_client_open(name, options, status);
}
