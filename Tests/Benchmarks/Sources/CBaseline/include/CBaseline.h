// What the figures are compared with: the low-pass as one writes it in C (a biquad in transposed
// direct form II, double inside), comb filter, echo, equalizer, distortion, dynamics, reverb,
// chorus and tone, and plain copies.
#pragma once

typedef struct BaselineCoefficients {
  double b0, b1, b2, a1, a2;
} BaselineCoefficients;

typedef struct BaselineState {
  double s1, s2;
} BaselineState;

// Bilinear transform of 1/(s² + s/Q + 1), pre-warped cutoff, Q = 10^(decibels/20).
BaselineCoefficients baselineCoefficients(double cutoffHertz, double decibels, double sampleRate);

// One channel, constant coefficients.
void baselineConstant(const BaselineCoefficients *_Nonnull coefficients, BaselineState *_Nonnull state,
                      const float *_Nonnull input, float *_Nonnull output, int frameCount);

// All channels; cutoff and resonance move linearly and the coefficients are made anew every frame.
void baselineRamp(double cutoffHertz, double cutoffStep, double decibels, double decibelStep,
                  double sampleRate, BaselineState *_Nonnull states,
                  const float *_Nonnull const *_Nonnull inputs, float *_Nonnull const *_Nonnull outputs,
                  int channelCount, int frameCount);

// A comb filter of one channel with a delay between two frames, as one writes it in C: a ring of
// `mask` + 1 frames, a one-pole low-pass in the loop. Between frames it is read by a sinc of 28
// frames under Kaiser's window from 16 frames on, and by Lagrange's cubic below 14 and on a frame;
// between 14 and 16 the one goes over into the other. The weights are made once. What is below
// -160 dB is silence.
typedef struct BaselineComb {
  float *_Nonnull ring;
  int mask, cursor;
  // How many frames ago the newest frame was that is read, and how many there are: 4 or 28.
  int newest, count;
  float weights[28];
  float feedback, feedforward, pole, mix, low;
} BaselineComb;
BaselineComb baselineCombMake(float *_Nonnull ring, int mask, double delay, float feedback, float feedforward,
                              float pole, float mix);
void baselineComb(BaselineComb *_Nonnull comb, const float *_Nonnull input, float *_Nonnull output,
                  int frameCount);

// An echo of one channel by the same ring: the low-pass stands behind the ring, and what goes round
// is held to ±8. `feedforward` is not used.
void baselineEcho(BaselineComb *_Nonnull echo, const float *_Nonnull input, float *_Nonnull output,
                  int frameCount);

// Biquads one behind the other, of one channel, constant coefficients; `buffer` has room for the
// frames.
void baselineEqualizer(const BaselineCoefficients *_Nonnull bands, BaselineState *_Nonnull states,
                       int bandCount, double *_Nonnull buffer, const float *_Nonnull input,
                       float *_Nonnull output, int frameCount);

// Parametric bands of one octave, two biquads each, whose frequencies move linearly; the
// coefficients are made anew every frame. There are two states for each.
void baselineEqualizerRamp(double hertz, double hertzStep, double decibels, double sampleRate,
                           BaselineState *_Nonnull states, int bandCount, double *_Nonnull buffer,
                           const float *_Nonnull input, float *_Nonnull output, int frameCount);

// A distortion of one channel: two times, four times, eight times the rate by half-band filters, a
// curve by its integral, and back; blocks of 64 frames. `free` frees it.
typedef struct BaselineDistortion BaselineDistortion;
BaselineDistortion *_Nonnull baselineDistortionMake(int isHard, double decibels, double sampleRate);
void baselineDistortion(BaselineDistortion *_Nonnull distortion, const float *_Nonnull input,
                        float *_Nonnull output, int frameCount);

// A compressor (-20 dB, 4:1, a knee of 6 dB, 10 and 120 ms), a limiter (-6 dB, 240 frames, 100 ms)
// and a gate (-40 dB, -80 dB, 1, 50 and 150 ms), each of one channel. `free` frees them.
typedef struct BaselineDynamics BaselineDynamics;
BaselineDynamics *_Nonnull baselineDynamicsMake(double sampleRate);
void baselineCompressor(BaselineDynamics *_Nonnull dynamics, const float *_Nonnull input,
                        float *_Nonnull output, int frameCount);
void baselineLimiter(BaselineDynamics *_Nonnull dynamics, const float *_Nonnull input,
                     float *_Nonnull output, int frameCount);
void baselineGate(BaselineDynamics *_Nonnull dynamics, const float *_Nonnull input,
                  float *_Nonnull output, int frameCount);

// A reverb of eight lines and three all-passes behind each other, one channel to two, and a chorus
// of sines: 1 ms, `depthFrames` from the least delay to the greatest. `free` frees them.
typedef struct BaselineRoom BaselineRoom;
BaselineRoom *_Nonnull baselineRoomMake(double decaySeconds, double damping, double sampleRate);
void baselineReverb(BaselineRoom *_Nonnull room, const float *_Nonnull input, float *_Nonnull left,
                    float *_Nonnull right, int frameCount);
void baselineChorus(BaselineRoom *_Nonnull room, int voices, float depthFrames, double step,
                    float gain, const float *_Nonnull input, float *_Nonnull left,
                    float *_Nonnull right, int frameCount);

// A tone's harmonics, added by Clenshaw's recurrence: `parts` has their amplitudes from 1 on, and
// those from 84 % of `limit` on fade out. `phase`, `step` and `limit` are in turns.
typedef struct BaselineTone {
  double phase, step, limit;
} BaselineTone;
void baselineTone(BaselineTone *_Nonnull tone, const double *_Nonnull parts, float *_Nonnull output,
                  int frameCount);

// One channel read at another speed, of 1 to 4: a sinc by a Kaiser window of 48 frames to each side
// and more for speeds above 1, 1009 entries of a table for each frame and lines between them.
// Returns how many frames of the input were taken.
typedef struct BaselineReader BaselineReader;
BaselineReader *_Nonnull baselineReaderMake(int maximumFrames);
void baselineReaderFree(BaselineReader *_Nonnull reader);
int baselineReaderTake(BaselineReader *_Nonnull reader, double speed, const float *_Nonnull input,
                       float *_Nonnull output, int frameCount);

// A mix of mono inputs into two channels, as one writes it in C: each input added to both by a gain
// of its own, and all by one more.
void baselineMix(const float *_Nonnull const *_Nonnull inputs, const float *_Nonnull left,
                 const float *_Nonnull right, int inputCount, float volume, float *_Nonnull outLeft,
                 float *_Nonnull outRight, int frameCount);

// A head of two ears in its place, as one writes it in C. What it heard last stands before the
// frames that are rendered: `history` has room for `kept` of them and those.
typedef struct {
  float *_Nonnull history;
  int kept;
  // Of the left and the right ear: whole frames, the weights of four neighbours around the rest,
  // and the shadow's filter.
  int whole[2];
  float weights[2][4];
  double now[2], before[2], pole, former[2], state[2];
} BaselineHead;
// Adds a sphere's ears: delays between frames, and a shelf in double precision.
void baselineSphere(BaselineHead *_Nonnull head, const float *_Nonnull input, float *_Nonnull outLeft,
                    float *_Nonnull outRight, int frameCount);

// Adds ears of measured responses: `taps` of the left, then of the right. The delays behind them
// are left out: their part is that of the sphere.
void baselineConvolve(float *_Nonnull history, const float *_Nonnull responses, int taps,
                      const float *_Nonnull input, float *_Nonnull outLeft, float *_Nonnull outRight,
                      int frameCount);

// Copies two channels `times` times, through a function pointer that the compiler cannot see
// through.
void baselineCopies(const float *_Nonnull inLeft, const float *_Nonnull inRight,
                    float *_Nonnull outLeft, float *_Nonnull outRight,
                    int frames, int times);

// Bare libfluidsynth with the settings that the sampler uses. A new synth, NULL if the SoundFont
// fails.
typedef struct BaselineSynth BaselineSynth;
BaselineSynth *_Nullable baselineSynth(const char *_Nonnull soundFont, double sampleRate);
void baselineSynthDelete(BaselineSynth *_Nonnull synth);
// A channel message: its status byte and data.
void baselineSynthMessage(BaselineSynth *_Nonnull synth, int status, int first, int second);
// How many voices sound.
int baselineSynthVoices(BaselineSynth *_Nonnull synth);
void baselineSynthRender(BaselineSynth *_Nonnull synth, float *_Nonnull left, float *_Nonnull right,
                         int frames);
