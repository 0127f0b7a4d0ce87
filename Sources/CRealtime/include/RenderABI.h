// Memory shared across the render boundary: a call, its events and its buffers.
#pragma once

#include <stddef.h>
#include <stdint.h>

// One event of a render cycle. Parameter events use `address`, `value` and `rampFrames`; MIDI
// events use `length` and `bytes`; SysEx uses `length` and `payloadOffset` into its list.
typedef struct RenderEvent {
  int64_t frame;           // frame time at which the event takes effect
  uint64_t address;        // parameter address
  float value;             // target value, in the parameter's unit
  uint32_t rampFrames;     // length of the ramp in frames, 0 for a step
  uint32_t length;         // bytes of the MIDI message; of a parameter event, see lateFrames
  uint32_t payloadOffset;  // SysEx: offset of the bytes in the list's payload area
  uint32_t next;           // 1 + index of the next event in frame order, 0 at the end
  uint8_t bytes[4];        // MIDI: a short message, unused bytes are zero
  uint8_t kind;            // RenderEventKind
  uint8_t cable;           // MIDI cable
  uint16_t note;           // a chain's own: which note of its input a message belongs to
  uint32_t target;         // a parameter event in `midiOutput`: the number of the unit that it is for
} RenderEvent;

// Header of an event list, followed by `eventCapacity` events, then `payloadCapacity` bytes.
typedef struct RenderEventListHeader {
  uint32_t eventCapacity;
  uint32_t eventCount;
  uint32_t head;      // 1 + index of the first event in frame order, 0 when empty
  uint32_t tail;      // 1 + index of the last event
  uint32_t lastInserted;  // 1 + index of the event inserted last: where the search starts
  uint32_t payloadCapacity;
  uint32_t payloadUsed;
  uint32_t droppedCount;  // events refused since the last clear because the list was full
  uint32_t bypassCount;   // bypass events inserted since the last clear
  uint32_t reserved;      // 0; the events behind the header are aligned by it
} RenderEventListHeader;

// The buffers of one bus: `channelCount` pointers to the first samples of its channels (32-bit
// float, not interleaved).
typedef struct AudioBufferList {
  uint32_t channelCount;
  float *_Nullable *_Nonnull channels;
} AudioBufferList;

enum {
  kMusicalContextTempo = 1 << 0,
  kMusicalContextTimeSignature = 1 << 1,
  kMusicalContextBeatPosition = 1 << 2,
  kMusicalContextMeasure = 1 << 3,
  kTransportPosition = 1 << 4,
};

// Values of AUHostTransportStateFlags. JACK reports neither recording nor cycling.
enum {
  kTransportChanged = 1,
  kTransportMoving = 2,
  // No counterpart: the transport is about to start, and waits for its clients.
  kTransportStarting = 1 << 16,
  // No counterpart: the position does not follow from the previous frame's, also while the
  // transport is stopped.
  kTransportJumped = 1 << 17,
};

// Counterpart of AUHostMusicalContextBlock and AUHostTransportStateBlock, for the first frame of a
// call.
typedef struct MusicalContext {
  uint32_t valid;              // kMusicalContext… and kTransport… bits of what is known
  uint32_t transportFlags;     // kTransportChanged…
  double tempo;                // beats per minute
  double timeSignatureNumerator;
  int32_t timeSignatureDenominator;
  int32_t sampleOffsetToNextBeat;
  double beatPosition;         // in beats since the start of the song
  double measureDownbeat;      // beat position of the current measure's first beat
  double samplePosition;       // the transport's position, in frames
  double beatResolution;       // in beats: by how much beatPosition may be off, 0 where it is not known
} MusicalContext;

enum {
  kRenderCallOffline = 1 << 0,   // in: faster or slower than realtime, quality before speed
  kRenderCallBypass = 1 << 1,    // in: the unit passes its input through
};

// One render call: all output busses of a unit, for `frameCount` frames from `frame` on.
typedef struct RenderCall {
  int64_t frame;
  uint64_t hostNanoseconds;    // the cycle's start by the monotonic clock, 0 when offline
  uint32_t frameCount;
  uint32_t flags;              // kRenderCall…
  uint32_t outputBusCount;
  uint32_t inputBusCount;
  AudioBufferList *_Nonnull outputs;            // `outputBusCount` of them
  AudioBufferList *_Nonnull inputs;             // `inputBusCount` of them
  RenderEventListHeader *_Nullable events;
  RenderEventListHeader *_Nullable midiOutput;  // takes the unit's MIDI
  MusicalContext musicalContext;
} RenderCall;

// Renders one call. Returns 0, or a negative render status; the outputs are then undefined.
typedef int32_t (*RenderFunction)(void *_Nonnull context, RenderCall *_Nonnull call);

// Decides how a call with absent inputs produces its frames. Returns the number of input frames
// that it needs beyond those taken so far. `before[i]` is how many of these the call's frames
// before frame i need.
typedef int32_t (*DemandFunction)(void *_Nonnull context, RenderCall *_Nonnull call, int32_t *_Nonnull before);

// Takes the next `frameCount` input frames that a call needs, from the start of its inputs.
typedef void (*TakeFunction)(void *_Nonnull context, RenderCall *_Nonnull call, uint32_t frameCount);

// A stretch of frames of one channel, for an effect that is one function.
typedef struct ChannelCall {
  const float *_Nonnull input;   // `frameCount` samples
  float *_Nonnull output;        // `frameCount` samples, which may be the input's own memory
  intptr_t frameCount;           // at least 1
  // Of each parameter, by its address, `frameCount` values: one for each frame.
  const float *_Nonnull const *_Nonnull parameters;
  float *_Nonnull memory;        // the channel's own, cleared by a reset; as long as the unit has said
} ChannelCall;

// Writes the output of a stretch of frames of one channel, one frame after the other.
typedef void (*ChannelFunction)(ChannelCall call);

// Resets a unit's kernel to its state after its resources were allocated.
typedef void (*ResetFunction)(void *_Nonnull context);
