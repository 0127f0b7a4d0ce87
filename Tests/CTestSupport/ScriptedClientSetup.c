// The control side of the scripted client: its memory, its ports, its takes.
#include "ScriptedClient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The transport of cycles shorter than this may not be recorded to the end of a take.
static const uint32_t shortestPeriod = 16;

RigOrigin *rigOriginCreate(uint32_t clients) {
  RigOrigin *origin = calloc(1, sizeof *origin);
  atomic_store(&origin->awaited, clients);
  return origin;
}

void rigOriginDestroy(RigOrigin *origin) { free(origin); }
uint32_t rigOriginFrame(const RigOrigin *origin) { return (uint32_t)atomic_load(&origin->frame); }

static int countXrun(void *context) {
  atomic_fetch_add(&((RigClient *)context)->xruns, 1);
  return 0;
}

static void noteFreewheel(int starting, void *context) {
  atomic_store(&((RigClient *)context)->isFreewheeling, starting);
}

static void noteShutdown(jack_status_t status, const char *reason, void *context) {
  (void)status;
  RigClient *rig = context;
  snprintf(rig->reason, sizeof rig->reason, "%s", reason ? reason : "");
  atomic_store(&rig->isShutDown, 1);
}

static int registerPorts(jack_client_t *client, jack_port_t **ports, uint32_t count, const char *prefix,
                         const char *type, unsigned long flags) {
  for (uint32_t port = 0; port < count; ++port) {
    char name[32];
    snprintf(name, sizeof name, "%s_%u", prefix, port + 1);
    if (!(ports[port] = jack_port_register(client, name, type, flags, 0))) return 0;
  }
  return 1;
}

RigClient *rigClientCreate(jack_client_t *client, const uint32_t ports[4], uint32_t capacityFrames,
                           uint32_t capacityEvents, uint32_t capacityBytes) {
  for (int kind = 0; kind < 4; ++kind) {
    if (ports[kind] > rigMaximumPorts) return NULL;
  }
  RigClient *rig = calloc(1, sizeof *rig);
  rig->client = client;
  rig->audioIns = ports[0];
  rig->audioOuts = ports[1];
  rig->midiIns = ports[2];
  rig->midiOuts = ports[3];
  rig->capacityFrames = capacityFrames;
  rig->capacityEvents = capacityEvents;
  rig->capacityBytes = capacityBytes;
  rig->playback = calloc((size_t)capacityFrames * ports[1] + 1, sizeof(float));
  rig->recording = calloc((size_t)capacityFrames * ports[0] + 1, sizeof(float));
  rig->recordedEvents = calloc(capacityEvents, sizeof(RigMIDIEvent));
  rig->recordedBytes = malloc(capacityBytes);
  rig->capacityCycles = capacityFrames / shortestPeriod + 2;
  rig->recordedTransport = calloc(rig->capacityCycles, sizeof(RigTransport));
  jack_set_process_callback(client, rigClientProcess, rig);
  jack_set_xrun_callback(client, countXrun, rig);
  jack_set_freewheel_callback(client, noteFreewheel, rig);
  jack_on_info_shutdown(client, noteShutdown, rig);
  if (registerPorts(client, rig->audioIn, rig->audioIns, "audio_in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput) &&
      registerPorts(client, rig->audioOut, rig->audioOuts, "audio_out", JACK_DEFAULT_AUDIO_TYPE,
                    JackPortIsOutput) &&
      registerPorts(client, rig->midiIn, rig->midiIns, "midi_in", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput) &&
      registerPorts(client, rig->midiOut, rig->midiOuts, "midi_out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput) &&
      jack_activate(client) == 0) {
    return rig;
  }
  rigClientDestroy(rig);
  return NULL;
}

void rigClientDestroy(RigClient *rig) {
  jack_client_close(rig->client);
  free(rig->playback);
  free(rig->recording);
  free(rig->recordedEvents);
  free(rig->recordedBytes);
  free(rig->recordedTransport);
  free(rig);
}

float *rigClientPlayback(RigClient *rig, uint32_t port) {
  return rig->playback + (size_t)port * rig->capacityFrames;
}

void rigClientSetEvents(RigClient *rig, const RigMIDIEvent *events, uint32_t count, const uint8_t *bytes) {
  rig->events = events;
  rig->eventCount = count;
  rig->eventBytes = bytes;
}

void rigClientSetTransport(RigClient *rig, const RigTransportCommand *commands, uint32_t count) {
  rig->commands = commands;
  rig->commandCount = count;
}

void rigClientStart(RigClient *rig, RigOrigin *origin, uint32_t playFrames, uint32_t frames) {
  rig->origin = origin;
  rig->playFrames = playFrames;
  rig->frames = frames;
  rig->nextEvent = 0;
  rig->nextCommand = 0;
  rig->recordedByteCount = 0;
  rig->hasExpectedFrame = 0;
  rig->take = (RigTake){0};
  memset(rig->recording, 0, ((size_t)rig->capacityFrames * rig->audioIns) * sizeof(float));
  atomic_store(&rig->processedFrames, 0);
  atomic_store_explicit(&rig->state, rigRunning, memory_order_release);
  atomic_fetch_sub(&origin->awaited, 1);
}

int rigClientIsDone(const RigClient *rig) {
  return atomic_load_explicit(&rig->state, memory_order_acquire) == rigIdle;
}

void rigClientAbandon(RigClient *rig) {
  int running = rigRunning;
  atomic_compare_exchange_strong(&rig->state, &running, rigAbandoning);
}

RigTake rigClientTake(const RigClient *rig) { return rig->take; }
const float *rigClientRecording(const RigClient *rig, uint32_t port) {
  return rig->recording + (size_t)port * rig->capacityFrames;
}
const RigMIDIEvent *rigClientRecordedEvents(const RigClient *rig) { return rig->recordedEvents; }
const uint8_t *rigClientRecordedBytes(const RigClient *rig) { return rig->recordedBytes; }
const RigTransport *rigClientRecordedTransport(const RigClient *rig) { return rig->recordedTransport; }

int64_t rigClientProcessedFrames(const RigClient *rig) { return atomic_load(&rig->processedFrames); }
uint64_t rigClientCycles(const RigClient *rig) { return atomic_load(&rig->cycles); }
uint32_t rigClientXruns(const RigClient *rig) { return atomic_load(&rig->xruns); }
int rigClientIsFreewheeling(const RigClient *rig) { return atomic_load(&rig->isFreewheeling); }
const char *rigClientShutdownReason(const RigClient *rig) {
  return atomic_load(&rig->isShutDown) ? rig->reason : NULL;
}

jack_client_t *rigOpenClient(const char *name, const char *server) {
  return jack_client_open(name, JackNoStartServer | JackServerName, NULL, server);
}
