#include <jack/jack.h>
#include <jack/midiport.h>
#include <jack/metadata.h>
#include <jack/transport.h>
#include <jack/statistics.h>
#include <jack/uuid.h>
