#include "CBaseline.h"

#include <math.h>
#include <string.h>

BaselineCoefficients baselineCoefficients(double cutoffHertz, double decibels, double sampleRate) {
  const double g = tan(M_PI * cutoffHertz / sampleRate);
  const double k = pow(10.0, -decibels / 20.0);
  const double scale = 1.0 / (1.0 + g * (g + k));
  const double b0 = g * g * scale;
  return (BaselineCoefficients){b0, 2.0 * b0, b0, 2.0 * (g * g - 1.0) * scale,
                                (1.0 + g * (g - k)) * scale};
}

static inline float next(BaselineCoefficients c, BaselineState *s, float sample) {
  const double x = sample;
  const double y = c.b0 * x + s->s1;
  s->s1 = c.b1 * x - c.a1 * y + s->s2;
  s->s2 = c.b2 * x - c.a2 * y;
  return (float)y;
}

void baselineConstant(const BaselineCoefficients *coefficients, BaselineState *state,
                      const float *input, float *output, int frameCount) {
  const BaselineCoefficients c = *coefficients;
  BaselineState s = *state;
  for (int frame = 0; frame < frameCount; ++frame) output[frame] = next(c, &s, input[frame]);
  *state = s;
}

void baselineRamp(double cutoffHertz, double cutoffStep, double decibels, double decibelStep,
                  double sampleRate, BaselineState *states, const float *const *inputs,
                  float *const *outputs, int channelCount, int frameCount) {
  for (int frame = 0; frame < frameCount; ++frame) {
    cutoffHertz += cutoffStep;
    decibels += decibelStep;
    const BaselineCoefficients c = baselineCoefficients(cutoffHertz, decibels, sampleRate);
    for (int channel = 0; channel < channelCount; ++channel)
      outputs[channel][frame] = next(c, &states[channel], inputs[channel][frame]);
  }
}

static void copyOnce(const float *from, float *to, int frames) { memcpy(to, from, (size_t)frames * sizeof(float)); }

static void (*volatile copyPointer)(const float *, float *, int) = copyOnce;

void baselineCopies(const float *inLeft, const float *inRight, float *outLeft, float *outRight,
                    int frames, int times) {
  for (int time = 0; time < times; time++) {
    copyPointer(inLeft, outLeft, frames);
    copyPointer(inRight, outRight, frames);
  }
}
