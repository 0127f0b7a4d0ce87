// The scripted client's process callback: it neither allocates nor waits.
#include "ScriptedClient.h"

#include <jack/midiport.h>
#include <string.h>

static const uint64_t originIsSet = 1ull << 32;
// Cycles from the first look at a take to its start: the other clients look within one.
static const uint32_t cyclesAhead = 4;

static void silence(RigClient *rig, jack_nframes_t frames) {
  for (uint32_t port = 0; port < rig->audioOuts; ++port) {
    memset(jack_port_get_buffer(rig->audioOut[port], frames), 0, frames * sizeof(float));
  }
  for (uint32_t port = 0; port < rig->midiOuts; ++port) {
    jack_midi_clear_buffer(jack_port_get_buffer(rig->midiOut[port], frames));
  }
}

// Freewheeling cycles are much faster than the thread that starts the clients: wait for all of
// them.
static int isAwaiting(RigOrigin *origin) { return atomic_load(&origin->awaited) > 0; }

static uint32_t takeOrigin(RigOrigin *origin, uint32_t cycleStart, jack_nframes_t frames) {
  uint64_t known = atomic_load(&origin->frame);
  if (known == 0) {
    uint64_t proposal = originIsSet | (uint32_t)(cycleStart + cyclesAhead * frames);
    if (atomic_compare_exchange_strong(&origin->frame, &known, proposal)) known = proposal;
  }
  return (uint32_t)known;
}

// Both functions below work on the part [from, to) of the take that falls into this cycle, which
// starts at `position` frames of the take (negative before it).
static void play(RigClient *rig, int64_t position, int64_t from, int64_t to, jack_nframes_t frames) {
  int64_t end = to < rig->playFrames ? to : rig->playFrames;
  for (uint32_t port = 0; port < rig->audioOuts && from < end; ++port) {
    float *buffer = jack_port_get_buffer(rig->audioOut[port], frames);
    const float *source = rig->playback + (size_t)port * rig->capacityFrames;
    memcpy(buffer + (from - position), source + from, (size_t)(end - from) * sizeof(float));
  }
  while (rig->nextEvent < rig->eventCount && rig->events[rig->nextEvent].frame < to) {
    const RigMIDIEvent *event = &rig->events[rig->nextEvent++];
    int64_t offset = event->frame - position;
    if (offset < 0) {
      offset = 0;
      ++rig->take.lateEvents;
    }
    void *buffer = jack_port_get_buffer(rig->midiOut[event->port], frames);
    if (jack_midi_event_write(buffer, (jack_nframes_t)offset, rig->eventBytes + event->offset, event->size)) {
      ++rig->take.refusedEvents;
    }
  }
}

static void recordEvent(RigClient *rig, uint32_t port, int64_t frame, const jack_midi_event_t *event) {
  if (rig->take.recordedEvents == rig->capacityEvents ||
      event->size > rig->capacityBytes - rig->recordedByteCount) {
    ++rig->take.lostEvents;
    return;
  }
  RigMIDIEvent *record = &rig->recordedEvents[rig->take.recordedEvents++];
  *record = (RigMIDIEvent){frame, port, rig->recordedByteCount, (uint32_t)event->size};
  memcpy(rig->recordedBytes + record->offset, event->buffer, event->size);
  rig->recordedByteCount += record->size;
}

static void record(RigClient *rig, int64_t position, int64_t from, int64_t to, jack_nframes_t frames) {
  for (uint32_t port = 0; port < rig->audioIns; ++port) {
    const float *buffer = jack_port_get_buffer(rig->audioIn[port], frames);
    float *target = rig->recording + (size_t)port * rig->capacityFrames;
    memcpy(target + from, buffer + (from - position), (size_t)(to - from) * sizeof(float));
  }
  for (uint32_t port = 0; port < rig->midiIns; ++port) {
    void *buffer = jack_port_get_buffer(rig->midiIn[port], frames);
    uint32_t count = jack_midi_get_event_count(buffer);
    for (uint32_t index = 0; index < count; ++index) {
      jack_midi_event_t event;
      if (jack_midi_event_get(&event, buffer, index) != 0) continue;
      int64_t frame = position + event.time;
      if (frame >= from && frame < to) recordEvent(rig, port, frame, &event);
    }
  }
}

// JACK allows these calls on this thread.
static void commandTransport(RigClient *rig, int64_t to) {
  while (rig->nextCommand < rig->commandCount && rig->commands[rig->nextCommand].frame < to) {
    const RigTransportCommand *command = &rig->commands[rig->nextCommand++];
    switch (command->kind) {
      case rigTransportStop: jack_transport_stop(rig->client); break;
      case rigTransportStart: jack_transport_start(rig->client); break;
      case rigTransportLocate: jack_transport_locate(rig->client, command->target); break;
    }
  }
}

static void recordTransport(RigClient *rig, int64_t from) {
  if (rig->take.cycles == rig->capacityCycles) return;
  jack_position_t position;
  jack_transport_state_t state = jack_transport_query(rig->client, &position);
  RigTransport *record = &rig->recordedTransport[rig->take.cycles++];
  *record = (RigTransport){.frame = from, .position = position.frame, .isRolling = state == JackTransportRolling};
  if (!(position.valid & JackPositionBBT) || position.ticks_per_beat <= 0) return;
  record->hasBeats = 1;
  record->tempo = position.beats_per_minute;
  record->beat = (position.bar - 1) * (double)position.beats_per_bar + (position.beat - 1) +
                 position.tick / position.ticks_per_beat;
}

static void runTake(RigClient *rig, jack_nframes_t frames) {
  if (isAwaiting(rig->origin)) return;
  uint32_t cycleStart = jack_last_frame_time(rig->client);
  uint32_t origin = takeOrigin(rig->origin, cycleStart, frames);
  // The difference of two 32-bit counts is right also where they wrap.
  int64_t position = (int32_t)(cycleStart - origin);
  if (rig->hasExpectedFrame && cycleStart != rig->expectedFrame) ++rig->take.frameJumps;
  rig->hasExpectedFrame = 1;
  rig->expectedFrame = cycleStart + frames;

  int64_t from = position > 0 ? position : 0;
  int64_t to = position + frames < rig->frames ? position + frames : rig->frames;
  if (from < to) {
    if (position < 0) rig->take.startsInCycle = (uint32_t)-position;
    play(rig, position, from, to, frames);
    record(rig, position, from, to, frames);
    recordTransport(rig, from);
    commandTransport(rig, to);
    rig->take.processedFrames += to - from;
  }
  if (to > 0) atomic_store(&rig->processedFrames, to);
  if (position + frames >= rig->frames) atomic_store_explicit(&rig->state, rigIdle, memory_order_release);
}

int rigClientProcess(jack_nframes_t frames, void *context) {
  RigClient *rig = context;
  silence(rig, frames);
  switch (atomic_load_explicit(&rig->state, memory_order_acquire)) {
    case rigRunning: runTake(rig, frames); break;
    case rigAbandoning: atomic_store_explicit(&rig->state, rigIdle, memory_order_release); break;
    default: break;
  }
  atomic_fetch_add(&rig->cycles, 1);
  return 0;
}
