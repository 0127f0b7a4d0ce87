// The scripted client's storage: allocated once, touched by one side at a time.
#pragma once

#include "include/ScriptedClient.h"

#include <stdatomic.h>

enum { rigMaximumPorts = 64 };

typedef enum { rigIdle, rigRunning, rigAbandoning } RigState;

struct RigOrigin {
  _Atomic uint32_t awaited; // clients that are not started yet
  _Atomic uint64_t frame;   // bit 32: it is set; below: the frame
};

struct RigClient {
  jack_client_t *client;
  uint32_t audioIns, audioOuts, midiIns, midiOuts;
  jack_port_t *audioIn[rigMaximumPorts], *audioOut[rigMaximumPorts];
  jack_port_t *midiIn[rigMaximumPorts], *midiOut[rigMaximumPorts];
  uint32_t capacityFrames, capacityEvents, capacityBytes;

  // Who owns what follows: the control side when idle, else the callback.
  _Atomic int state;
  RigOrigin *origin;
  uint32_t playFrames, frames;
  float *playback, *recording;
  const RigMIDIEvent *events;
  const uint8_t *eventBytes;
  uint32_t eventCount, nextEvent;
  RigMIDIEvent *recordedEvents;
  uint8_t *recordedBytes;
  uint32_t recordedByteCount;
  const RigTransportCommand *commands;
  uint32_t commandCount, nextCommand;
  RigTransport *recordedTransport;
  uint32_t capacityCycles;
  uint32_t expectedFrame;
  int hasExpectedFrame;
  RigTake take;

  // What the control side may look at while the callback runs.
  _Atomic int64_t processedFrames;
  _Atomic uint64_t cycles;
  _Atomic uint32_t xruns;
  _Atomic int isFreewheeling;
  _Atomic int isShutDown;
  char reason[256];
};

// The process callback.
int rigClientProcess(jack_nframes_t frames, void *context);
