#include <fluidsynth.h>

// Adds a synth's output to two channels. It needs an array of pointers on the stack, for which
// Swift would use the runtime's metadata.
static inline int auricleSynthAdd(fluid_synth_t *synth, int frames, float *left, float *right) {
  float *outputs[2] = {left, right};
  return fluid_synth_process(synth, frames, 0, NULL, 2, outputs);
}
