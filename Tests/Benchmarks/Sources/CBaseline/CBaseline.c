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

static inline float flushed(float value) { return value > 1e-8f || value < -1e-8f ? value : 0.0f; }

// Lagrange's cubic for a delay: the weights of the frames around it, the newest first.
static inline void cubic(float delay, float w[4]) {
  const float d = delay - (float)(int)delay;
  const float inner = d * (d - 1.0f);
  w[0] = inner * (d - 2.0f) * (-1.0f / 6.0f);
  w[1] = (d + 1.0f) * (d - 1.0f) * (d - 2.0f) * 0.5f;
  w[2] = (d + 1.0f) * d * (d - 2.0f) * -0.5f;
  w[3] = inner * (d + 1.0f) * (1.0f / 6.0f);
}

static inline float delayed(const BaselineComb *c, const float w[4]) {
  const int place = c->cursor - (int)c->delay;
  return c->ring[(place + 1) & c->mask] * w[0] + c->ring[place & c->mask] * w[1] +
         c->ring[(place - 1) & c->mask] * w[2] + c->ring[(place - 2) & c->mask] * w[3];
}

void baselineComb(BaselineComb *comb, const float *input, float *output, int frameCount) {
  BaselineComb c = *comb;
  float w[4];
  cubic(c.delay, w);
  for (int frame = 0; frame < frameCount; ++frame) {
    const float value = delayed(&c, w);
    c.low = flushed(value * (1.0f - c.pole) + c.low * c.pole);
    const float sample = input[frame];
    const float held = flushed(sample + c.low * c.feedback);
    c.ring[c.cursor & c.mask] = held;
    c.cursor = (c.cursor + 1) & c.mask;
    output[frame] = sample * (1.0f - c.mix) + (held + value * c.feedforward) * c.mix;
  }
  *comb = c;
}

void baselineEcho(BaselineComb *echo, const float *input, float *output, int frameCount) {
  BaselineComb c = *echo;
  float w[4];
  cubic(c.delay, w);
  for (int frame = 0; frame < frameCount; ++frame) {
    c.low = flushed(delayed(&c, w) * (1.0f - c.pole) + c.low * c.pole);
    const float sample = input[frame];
    const float held = flushed(sample + c.low * c.feedback);
    c.ring[c.cursor & c.mask] = held > 8.0f ? 8.0f : held < -8.0f ? -8.0f : held;
    c.cursor = (c.cursor + 1) & c.mask;
    output[frame] = sample * (1.0f - c.mix) + c.low * c.mix;
  }
  *echo = c;
}

void baselineEqualizer(const BaselineCoefficients *bands, BaselineState *states, int bandCount, double *buffer,
                       const float *input, float *output, int frameCount) {
  for (int frame = 0; frame < frameCount; ++frame) buffer[frame] = input[frame];
  for (int band = 0; band < bandCount; ++band) {
    const BaselineCoefficients c = bands[band];
    double s1 = states[band].s1, s2 = states[band].s2;
    for (int frame = 0; frame < frameCount; ++frame) {
      const double x = buffer[frame];
      const double y = c.b0 * x + s1;
      s1 = c.b1 * x - c.a1 * y + s2;
      s2 = c.b2 * x - c.a2 * y;
      buffer[frame] = y;
    }
    states[band].s1 = s1;
    states[band].s2 = s2;
  }
  for (int frame = 0; frame < frameCount; ++frame) output[frame] = (float)buffer[frame];
}

void baselineEqualizerRamp(double hertz, double hertzStep, double decibels, double sampleRate,
                           BaselineState *states, int bandCount, double *buffer, const float *input,
                           float *output, int frameCount) {
  for (int frame = 0; frame < frameCount; ++frame) buffer[frame] = input[frame];
  const double a = pow(10.0, decibels / 40.0);
  for (int band = 0; band < bandCount; ++band) {
    BaselineState s = states[band];
    double frequency = hertz;
    for (int frame = 0; frame < frameCount; ++frame) {
      frequency += hertzStep;
      const double w = 2.0 * M_PI * frequency / sampleRate;
      const double cosine = cos(w);
      const double alpha = sin(w) * sinh(0.34657359027997264 * w / sin(w));
      const double scale = 1.0 / (1.0 + alpha / a);
      const double x = buffer[frame];
      const double y = (1.0 + alpha * a) * scale * x + s.s1;
      s.s1 = -2.0 * cosine * scale * (x - y) + s.s2;
      s.s2 = (1.0 - alpha * a) * scale * x - (1.0 - alpha / a) * scale * y;
      buffer[frame] = y;
    }
    states[band] = s;
  }
  for (int frame = 0; frame < frameCount; ++frame) output[frame] = (float)buffer[frame];
}

void baselineTone(BaselineTone *tone, const double *parts, float *output, int frameCount) {
  BaselineTone t = *tone;
  const int count = (int)(t.limit / t.step);
  const int whole = (int)(0.839 * t.limit / t.step);
  for (int frame = 0; frame < frameCount; ++frame) {
    const double angle = 2.0 * M_PI * t.phase;
    const double twice = 2.0 * cos(angle);
    double last = 0.0, beforeLast = 0.0;
    for (int harmonic = count; harmonic > 0; --harmonic) {
      double part = parts[harmonic];
      if (harmonic > whole) part *= fmin(fmax((t.limit - harmonic * t.step) / (0.16 * t.limit), 0.0), 1.0);
      const double next = twice * last + (part - beforeLast);
      beforeLast = last;
      last = next;
    }
    output[frame] = (float)(last * sin(angle));
    t.phase += t.step;
    if (t.phase >= 0.5) t.phase -= 1.0;
  }
  *tone = t;
}

void baselineMix(const float *const *inputs, const float *left, const float *right, int inputCount, float volume,
                 float *restrict outLeft, float *restrict outRight, int frameCount) {
  memset(outLeft, 0, (size_t)frameCount * sizeof(float));
  memset(outRight, 0, (size_t)frameCount * sizeof(float));
  for (int input = 0; input < inputCount; ++input) {
    const float *const source = inputs[input];
    const float toLeft = left[input], toRight = right[input];
    for (int frame = 0; frame < frameCount; ++frame) {
      outLeft[frame] += source[frame] * toLeft;
      outRight[frame] += source[frame] * toRight;
    }
  }
  for (int frame = 0; frame < frameCount; ++frame) {
    outLeft[frame] *= volume;
    outRight[frame] *= volume;
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
