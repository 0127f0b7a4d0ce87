#include <fluidsynth.h>

// Adds what a synth plays to two channels. A list of pointers on the stack, which Swift cannot make
// without the runtime's metadata.
static inline int auricleSynthAdd(fluid_synth_t *synth, int frames, float *left, float *right) {
  float *outputs[2] = {left, right};
  return fluid_synth_process(synth, frames, 0, NULL, 2, outputs);
}
