// A JACK client that plays prepared material and records what it receives, frame by frame.
#pragma once

#include <jack/jack.h>
#include <stdint.h>

// A MIDI event: `frame` counts from the take's first frame, `offset` is where its bytes start.
typedef struct {
  int64_t frame;
  uint32_t port;
  uint32_t offset;
  uint32_t size;
} RigMIDIEvent;

// What is asked of JACK's transport in the cycle that has a frame of the take; it answers in the
// next one.
typedef enum { rigTransportStop, rigTransportStart, rigTransportLocate } RigTransportKind;
typedef struct {
  int64_t frame;
  RigTransportKind kind;
  uint32_t target; // the transport's frame to locate
} RigTransportCommand;

// The transport in the cycle that begins at a frame of the take.
typedef struct {
  int64_t frame;
  uint32_t position; // the transport's own frame
  int32_t isRolling;
  int32_t hasBeats;
  double beat;  // from 0, where there are beats
  double tempo; // in beats a minute
} RigTransport;

// The frame at which a take starts, common to all clients that share it. Once all of them are
// started, the first one to run sets it to a cycle start some cycles ahead, so that all of them
// know it before it comes.
typedef struct RigOrigin RigOrigin;

RigOrigin *_Nonnull rigOriginCreate(uint32_t clients);
void rigOriginDestroy(RigOrigin *_Nonnull origin);
// The JACK frame, valid once a client has set it.
uint32_t rigOriginFrame(const RigOrigin *_Nonnull origin);

// What a take came to. Frames that JACK skipped are silent in the recording.
typedef struct {
  int64_t processedFrames;
  uint32_t frameJumps;    // cycles that did not start where the last one ended
  uint32_t lateEvents;    // MIDI sent later than asked, because its frame was skipped
  uint32_t refusedEvents; // MIDI that did not fit JACK's port buffer
  uint32_t lostEvents;    // MIDI received that did not fit the recording
  uint32_t recordedEvents;
  uint32_t cycles; // of which the transport was recorded
  uint32_t startsInCycle; // frames from a cycle start to the take's first frame: 0 unless the period changed
} RigTake;

typedef struct RigClient RigClient;

// Takes over `client`, which is not active, and registers its ports. Null if JACK refuses.
RigClient *_Nullable rigClientCreate(jack_client_t *_Nonnull client, const uint32_t ports[_Nonnull 4],
                                     uint32_t capacityFrames, uint32_t capacityEvents, uint32_t capacityBytes);
// Closes the JACK client as well.
void rigClientDestroy(RigClient *_Nonnull rig);

// Between takes only. Audio: capacityFrames samples for each output; what lies beyond `frames` is
// silent.
float *_Nonnull rigClientPlayback(RigClient *_Nonnull rig, uint32_t port);
// Between takes only. Sorted events; the memory must last until the take is over.
void rigClientSetEvents(RigClient *_Nonnull rig, const RigMIDIEvent *_Nullable events, uint32_t count,
                        const uint8_t *_Nullable bytes);
// Between takes only. Sorted commands; the memory must last until the take is over.
void rigClientSetTransport(RigClient *_Nonnull rig, const RigTransportCommand *_Nullable commands, uint32_t count);
void rigClientStart(RigClient *_Nonnull rig, RigOrigin *_Nonnull origin, uint32_t playFrames, uint32_t frames);
// Whether the last frame is processed; then the callback no longer touches the take.
int rigClientIsDone(const RigClient *_Nonnull rig);
// Asks the callback to leave an unfinished take; it is done one cycle later.
void rigClientAbandon(RigClient *_Nonnull rig);

// After a take only.
RigTake rigClientTake(const RigClient *_Nonnull rig);
const float *_Nonnull rigClientRecording(const RigClient *_Nonnull rig, uint32_t port);
const RigMIDIEvent *_Nonnull rigClientRecordedEvents(const RigClient *_Nonnull rig);
const uint8_t *_Nonnull rigClientRecordedBytes(const RigClient *_Nonnull rig);
const RigTransport *_Nonnull rigClientRecordedTransport(const RigClient *_Nonnull rig);

// At any time.
int64_t rigClientProcessedFrames(const RigClient *_Nonnull rig);
uint64_t rigClientCycles(const RigClient *_Nonnull rig);
uint32_t rigClientXruns(const RigClient *_Nonnull rig);
int rigClientIsFreewheeling(const RigClient *_Nonnull rig);
// Null while the server lives.
const char *_Nullable rigClientShutdownReason(const RigClient *_Nonnull rig);

// Opens a client of a running server of that name; never starts one. Null if it cannot.
jack_client_t *_Nullable rigOpenClient(const char *_Nonnull name, const char *_Nonnull server);
