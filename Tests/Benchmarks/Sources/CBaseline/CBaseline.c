#include "CBaseline.h"
#include "Kaiser.h"

#include <math.h>
#include <stdlib.h>
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

// Lagrange's cubic: the weights of the frames around a point `d` behind the second, the newest
// first.
static void cubic(double d, double w[4]) {
  const double inner = d * (d - 1.0);
  w[0] = inner * (d - 2.0) / -6.0;
  w[1] = (d + 1.0) * (d - 1.0) * (d - 2.0) / 2.0;
  w[2] = (d + 1.0) * d * (d - 2.0) / -2.0;
  w[3] = inner * (d + 1.0) / 6.0;
}

// A sinc under Kaiser's window with beta = 10: the weights of the 28 frames around a point `d`
// behind the 14th.
static void sinc(double d, double w[28]) {
  double sum = 0.0;
  for (int tap = 0; tap < 28; ++tap) {
    const double distance = d + 13.0 - tap, place = distance / 14.0;
    w[tap] = sin(M_PI * distance) / (M_PI * distance) * bessel(10.0 * sqrt(1.0 - place * place)) / bessel(10.0);
    sum += w[tap];
  }
  for (int tap = 0; tap < 28; ++tap) w[tap] /= sum;
}

BaselineComb baselineCombMake(float *ring, int mask, double delay, float feedback, float feedforward, float pole,
                              float mix) {
  const int whole = (int)delay;
  const double d = delay - whole, part = d == 0.0 ? 0.0 : fmin(fmax((delay - 14.0) * 0.5, 0.0), 1.0);
  BaselineComb c = {.ring = ring, .mask = mask, .feedback = feedback, .feedforward = feedforward, .pole = pole,
                    .mix = mix};
  double near[4], wide[28] = {0.0};
  cubic(d, near);
  c.count = part > 0.0 ? 28 : 4;
  c.newest = part > 0.0 ? whole - 13 : whole - 1;
  if (part > 0.0) sinc(d, wide);
  for (int tap = 0; tap < 28; ++tap) wide[tap] *= part;
  for (int tap = 0; tap < 4; ++tap) wide[tap + (part > 0.0 ? 12 : 0)] += near[tap] * (1.0 - part);
  for (int tap = 0; tap < 28; ++tap) c.weights[tap] = (float)wide[tap];
  return c;
}

static inline float delayed(const BaselineComb *c, const int count) {
  float sum = 0.0f;
  for (int tap = 0; tap < count; ++tap) sum += c->ring[(c->cursor - c->newest - tap) & c->mask] * c->weights[tap];
  return sum;
}

static inline __attribute__((always_inline)) void comb(BaselineComb *comb, const float *input, float *output,
                                                       int frameCount, const int count) {
  BaselineComb c = *comb;
  for (int frame = 0; frame < frameCount; ++frame) {
    const float value = delayed(&c, count);
    c.low = flushed(value * (1.0f - c.pole) + c.low * c.pole);
    const float sample = input[frame];
    const float held = flushed(sample + c.low * c.feedback);
    c.ring[c.cursor & c.mask] = held;
    c.cursor = (c.cursor + 1) & c.mask;
    output[frame] = sample * (1.0f - c.mix) + (held + value * c.feedforward) * c.mix;
  }
  *comb = c;
}

void baselineComb(BaselineComb *c, const float *input, float *output, int frameCount) {
  if (c->count == 4) comb(c, input, output, frameCount, 4);
  else comb(c, input, output, frameCount, 28);
}

static inline __attribute__((always_inline)) void echo(BaselineComb *echo, const float *input, float *output,
                                                       int frameCount, const int count) {
  BaselineComb c = *echo;
  for (int frame = 0; frame < frameCount; ++frame) {
    c.low = flushed(delayed(&c, count) * (1.0f - c.pole) + c.low * c.pole);
    const float sample = input[frame];
    const float held = flushed(sample + c.low * c.feedback);
    c.ring[c.cursor & c.mask] = held > 8.0f ? 8.0f : held < -8.0f ? -8.0f : held;
    c.cursor = (c.cursor + 1) & c.mask;
    output[frame] = sample * (1.0f - c.mix) + c.low * c.mix;
  }
  *echo = c;
}

void baselineEcho(BaselineComb *c, const float *input, float *output, int frameCount) {
  if (c->count == 4) echo(c, input, output, frameCount, 4);
  else echo(c, input, output, frameCount, 28);
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

typedef struct {
  double linear, square;
} Pair;

static Pair digitalPair(double place, double damping) {
  const double angle = 2.0 * M_PI * place, half = damping / 2.0;
  double sum, product;
  if (half < 1.0) {
    const double radius = exp(-half * angle);
    sum = 2.0 * radius * cos(angle * sqrt(1.0 - half * half));
    product = radius * radius;
  } else {
    const double fast = half + sqrt(half * half - 1.0);
    const double near = exp(-angle / fast), far = exp(-angle * fast);
    sum = near + far;
    product = near * far;
  }
  const double low = 1.0 - sum + product;
  return (Pair){2.0 * (1.0 - product) / low, (1.0 + sum + product) / low};
}

static double digitalGain(Pair pair, double t) {
  const double real = 1.0 - pair.square * t;
  return real * real + pair.linear * pair.linear * t;
}

static double analogGain(double damping, double x) { return (1.0 - x) * (1.0 - x) + damping * damping * x; }

static BaselineCoefficients quotient(Pair zeros, Pair poles) {
  const double scale = 1.0 / (1.0 + poles.linear + poles.square);
  return (BaselineCoefficients){(1.0 + zeros.linear + zeros.square) * scale, 2.0 * (1.0 - zeros.square) * scale,
                                (1.0 - zeros.linear + zeros.square) * scale, 2.0 * (1.0 - poles.square) * scale,
                                (1.0 - poles.linear + poles.square) * scale};
}

/* A bell as Sources/DSP/MatchedBand+Design.swift has it. */
static void bell(double place, double d, double decibels, BaselineCoefficients *main, BaselineCoefficients *trim) {
  static const double squares[3] = {0.09, 0.164836, 0.201601};
  static const double t[3] = {1.8944271909999153, 10.80608964308239, 38.28975515938183};
  static const double first = 0.774, usual = 0.148, pull = 0.077;
  const double a = exp2(decibels / 2.0 * 0.16609640474436812);
  const Pair poles = digitalPair(place, d / a), zeros = digitalPair(place, d * a);
  *main = quotient(zeros, poles);
  double missed[3];
  for (int i = 0; i < 3; ++i) {
    const double x = squares[i] / (place * place);
    missed[i] =
      digitalGain(poles, t[i]) / digitalGain(zeros, t[i]) * analogGain(d * a, x) / analogGain(d / a, x);
  }
  const double scale = 1.0 / missed[2];
  const double low = 91.3619759299036 * scale * missed[0] * (1.0 + first * t[0]);
  const double middle = -21.210251549262694 * scale * missed[1] * (1.0 + first * t[1]);
  const double high = 1.4656993217889441 * (1.0 + first * t[2]);
  const double plain = -71.61742370242985 * scale + low + middle + high;
  const double slope = low * t[0] + middle * t[1] + high * t[2];
  const double second = fmin(fmax((pull * usual - plain * slope) / (slope * slope + pull), 0.01), 0.3);
  const double atLow = (missed[0] * (1.0 + first * t[0]) * (1.0 + second * t[0]) - 1.0) / t[0];
  const double atHigh = (missed[2] * (1.0 + first * t[2]) * (1.0 + second * t[2]) - 1.0) / t[2];
  const double n2 = fmax((atHigh - atLow) / (t[2] - t[0]), first * second / 100.0);
  const double c2 = sqrt(n2), one = sqrt(first), other = sqrt(second);
  *trim = quotient((Pair){sqrt(fmax(atLow - n2 * t[0] + 2.0 * c2, c2)), c2}, (Pair){one + other, one * other});
}

static double biquad(BaselineCoefficients c, BaselineState *s, double x) {
  const double y = c.b0 * x + s->s1;
  s->s1 = c.b1 * x - c.a1 * y + s->s2;
  s->s2 = c.b2 * x - c.a2 * y;
  return y;
}

void baselineEqualizerRamp(double hertz, double hertzStep, double decibels, double sampleRate,
                           BaselineState *states, int bandCount, double *buffer, const float *input,
                           float *output, int frameCount) {
  for (int frame = 0; frame < frameCount; ++frame) buffer[frame] = input[frame];
  for (int band = 0; band < bandCount; ++band) {
    BaselineState first = states[2 * band], second = states[2 * band + 1];
    double frequency = hertz;
    for (int frame = 0; frame < frameCount; ++frame) {
      BaselineCoefficients main, trim;
      frequency += hertzStep;
      const double edge = exp2(0.5);
      bell(frequency / sampleRate, edge - 1.0 / edge, decibels, &main, &trim);
      buffer[frame] = biquad(trim, &second, biquad(main, &first, buffer[frame]));
    }
    states[2 * band] = first;
    states[2 * band + 1] = second;
  }
  for (int frame = 0; frame < frameCount; ++frame) output[frame] = (float)buffer[frame];
}

static void raise2(const float *taps, int half, float *history, const float *input, float *output, int count) {
  const int before = 2 * half - 1;
  memcpy(history + before, input, (size_t)count * sizeof(float));
  for (int frame = 0; frame < count; ++frame) {
    float sum = 0.0f;
    for (int tap = 0; tap < 2 * half; ++tap) sum += taps[tap] * history[frame + tap];
    output[2 * frame] = 2.0f * sum;
    output[2 * frame + 1] = history[frame + half];
  }
  memmove(history, history + count, (size_t)before * sizeof(float));
}

static void lower2(const float *taps, int half, float *even, float *odd, const float *input, float *output,
                   int count) {
  const int before = 2 * half - 1;
  for (int frame = 0; frame < count; ++frame) {
    even[before + frame] = input[2 * frame];
    odd[half + frame] = input[2 * frame + 1];
  }
  for (int frame = 0; frame < count; ++frame) {
    float sum = 0.0f;
    for (int tap = 0; tap < 2 * half; ++tap) sum += taps[tap] * even[frame + tap];
    output[frame] = sum + 0.5f * odd[frame];
  }
  memmove(even, even + count, (size_t)before * sizeof(float));
  memmove(odd, odd + count, (size_t)half * sizeof(float));
}

static double heldTo(double x, double limit) { return x < -limit ? -limit : x > limit ? limit : x; }

static double softValue(double x) {
  const double c = heldTo(x, 1.5);
  return c - c * c * c * (4.0 / 27.0);
}

static double softIntegral(double x) {
  const double c = heldTo(x, 1.5);
  return 0.5 * c * c - c * c * c * c / 27.0 + fabs(x - c);
}

static double hardIntegral(double x) {
  const double c = heldTo(x, 1.0);
  return c * x - 0.5 * c * c;
}

struct BaselineDistortion {
  float taps[2][48], rise[3][320], even[3][320], odd[3][320], padding[520];
  float drive;
  int isHard;
  double last, lastMade, pole, lastWet, passed;
};

static void baselineHalfBand(int half, float *taps) {
  double sum = 0.0, made[64];
  for (int tap = 0; tap < 2 * half; ++tap) {
    const double place = 2 * tap - (2 * half - 1), part = place / (2 * half - 1);
    const double x = 10.0 * sqrt(1.0 - part * part);
    double window = 1.0, term = 1.0;
    for (int step = 1; step < 60; ++step) {
      term *= x * x / (4.0 * step * step);
      window += term;
    }
    made[tap] = sin(M_PI * place / 2.0) * window / place;
    sum += made[tap];
  }
  for (int tap = 0; tap < 2 * half; ++tap) taps[tap] = (float)(0.5 * made[tap] / sum);
}

BaselineDistortion *baselineDistortionMake(int isHard, double decibels, double sampleRate) {
  BaselineDistortion *d = calloc(1, sizeof(BaselineDistortion));
  if (!d) abort();
  baselineHalfBand(24, d->taps[0]);
  baselineHalfBand(6, d->taps[1]);
  d->drive = (float)pow(10.0, decibels / 20.0);
  d->isHard = isHard;
  d->pole = exp(-2.0 * M_PI * 5.0 / sampleRate);
  return d;
}

void baselineDistortion(BaselineDistortion *d, const float *input, float *output, int frameCount) {
  float low[64], two[128], four[256], eight[512 + 5];
  for (int first = 0; first < frameCount; first += 64) {
    for (int frame = 0; frame < 64; ++frame) low[frame] = input[first + frame] * d->drive;
    raise2(d->taps[0], 24, d->rise[0], low, two, 64);
    raise2(d->taps[1], 6, d->rise[1], two, four, 128);
    raise2(d->taps[1], 6, d->rise[2], four, eight, 256);
    for (int index = 0; index < 512; ++index) {
      const double x = eight[index], step = x - d->last;
      double made;
      if (fabs(step) < 1e-6)
        made = d->isHard ? heldTo(0.5 * (x + d->last), 1.0) : softValue(0.5 * (x + d->last));
      else if (d->isHard)
        made = (hardIntegral(x) - hardIntegral(d->last)) / step;
      else
        made = (softIntegral(x) - softIntegral(d->last)) / step;
      d->padding[5 + index] = (float)(0.5 * (made + d->lastMade));
      d->last = x;
      d->lastMade = made;
    }
    memcpy(eight, d->padding, 512 * sizeof(float));
    memcpy(d->padding, d->padding + 512, 5 * sizeof(float));
    lower2(d->taps[1], 6, d->even[2], d->odd[2], eight, four, 256);
    lower2(d->taps[1], 6, d->even[1], d->odd[1], four, two, 128);
    lower2(d->taps[0], 24, d->even[0], d->odd[0], two, low, 64);
    for (int frame = 0; frame < 64; ++frame) {
      const double wet = low[frame];
      d->passed = 0.5 * (1.0 + d->pole) * (wet - d->lastWet) + d->pole * d->passed;
      d->lastWet = wet;
      output[first + frame] = (float)d->passed;
    }
  }
}

struct BaselineDynamics {
  double attack, release, wanted, lowered;
  double limiterRelease, needed, sum, lowest[241], waiting[241];
  int places[241], first, count, cursor, frame;
  double gateAttack, gateRelease, gain;
  int isOpen, lowFrames;
};

BaselineDynamics *baselineDynamicsMake(double sampleRate) {
  BaselineDynamics *d = calloc(1, sizeof(BaselineDynamics));
  if (!d) abort();
  d->attack = 1.0 - exp(-1.0 / (0.010 * sampleRate));
  d->release = 1.0 - exp(-1.0 / (0.120 * sampleRate));
  d->limiterRelease = 1.0 - exp(-1.0 / (0.100 * sampleRate));
  d->gateAttack = 1.0 - exp(-1.0 / (0.001 * sampleRate));
  d->gateRelease = 1.0 - exp(-1.0 / (0.150 * sampleRate));
  d->needed = 1.0;
  d->sum = 241.0;
  for (int index = 0; index < 241; ++index) d->lowest[index] = 1.0;
  d->gain = 1e-4;
  return d;
}

static int wrapped(int place) { return place < 241 ? place : place - 241; }

void baselineCompressor(BaselineDynamics *d, const float *input, float *output, int frameCount) {
  for (int frame = 0; frame < frameCount; ++frame) {
    const float over = 20.0f * log10f(fmaxf(fabsf(input[frame]), 1e-10f)) + 20.0f;
    float value = 0.0f;
    if (over >= 3.0f)
      value = 0.75f * over;
    else if (over > -3.0f)
      value = 0.75f * (over + 3.0f) * (over + 3.0f) / 12.0f;
    const double released = d->wanted + (value - d->wanted) * d->release;
    d->wanted = released > value ? released : value;
    d->lowered += (d->wanted - d->lowered) * d->attack;
    output[frame] = input[frame] * powf(10.0f, (float)d->lowered * -0.05f);
  }
}

void baselineLimiter(BaselineDynamics *d, const float *input, float *output, int frameCount) {
  const float ceiling = 0.50118723f;
  for (int frame = 0; frame < frameCount; ++frame) {
    const float level = fabsf(input[frame]);
    const double value = level > ceiling ? ceiling / level : 1.0f;
    const double risen = d->needed + (1.0 - d->needed) * d->limiterRelease;
    d->needed = risen < value ? risen : value;
    while (d->count > 0 && d->waiting[wrapped(d->first + d->count - 1)] >= d->needed) d->count -= 1;
    if (d->count > 0 && d->places[d->first] + 241 <= d->frame) {
      d->first = wrapped(d->first + 1);
      d->count -= 1;
    }
    const int last = wrapped(d->first + d->count);
    d->waiting[last] = d->needed;
    d->places[last] = d->frame;
    d->count += 1;
    d->frame += 1;
    d->sum += d->waiting[d->first] - d->lowest[d->cursor];
    d->lowest[d->cursor] = d->waiting[d->first];
    d->cursor = wrapped(d->cursor + 1);
    output[frame] = input[frame] * (float)(d->sum / 241.0);
  }
}

void baselineGate(BaselineDynamics *d, const float *input, float *output, int frameCount) {
  const float open = 0.01f, low = 0.01f * 0.70794578f;
  for (int frame = 0; frame < frameCount; ++frame) {
    const float level = fabsf(input[frame]);
    if (level >= open) {
      d->isOpen = 1;
      d->lowFrames = 0;
    } else if (d->isOpen) {
      d->lowFrames = level >= low ? 0 : d->lowFrames + 1;
      if (d->lowFrames > 2400) d->isOpen = 0;
    }
    const double wanted = d->isOpen ? 1.0 : 1e-4;
    d->gain += (wanted - d->gain) * (d->isOpen ? d->gateAttack : d->gateRelease);
    output[frame] = input[frame] * (float)d->gain;
  }
}

struct BaselineRoom {
  float *rings[11], states[8], gains[8], poles[8], reach;
  int lengths[11], cursor, mask;
  double cosine, sine, stepCosine, stepSine, phase;
};

static int isPrime(int number) {
  for (int divisor = 3; divisor * divisor <= number; divisor += 2)
    if (number % divisor == 0) return 0;
  return 1;
}

BaselineRoom *baselineRoomMake(double decaySeconds, double damping, double sampleRate) {
  static const double seconds[11] = {0.0231, 0.0277, 0.0313, 0.0361, 0.0407, 0.0449,
                                     0.0499, 0.0533, 0.0047, 0.0067, 0.0103};
  int mask = 1;
  while (mask < (int)(0.06 * sampleRate)) mask = 2 * mask + 1;
  BaselineRoom *r = calloc(1, sizeof(BaselineRoom) + 11 * ((size_t)mask + 81) * sizeof(float));
  if (!r) abort();
  for (int line = 0; line < 11; ++line) r->rings[line] = (float *)(r + 1) + line * (mask + 81);
  r->mask = mask;
  r->reach = (float)(0.0002 * sampleRate);
  for (int line = 0; line < 11; ++line) {
    r->lengths[line] = (int)(seconds[line] * sampleRate) | 1;
    while (!isPrime(r->lengths[line])) r->lengths[line] += 2;
  }
  for (int line = 0; line < 8; ++line) {
    const double part = (r->lengths[line] + r->reach) / (decaySeconds * sampleRate);
    const double gain = pow(10.0, -3.0 * part);
    const double ratio = pow(10.0, -3.0 * part / (1.0 - 0.95 * damping)) / gain;
    r->poles[line] = (float)((1.0 - ratio) / (1.0 + ratio));
    r->gains[line] = (float)(gain * (1.0 - (1.0 - ratio) / (1.0 + ratio)));
  }
  r->cosine = 1.0;
  r->stepCosine = cos(M_PI / sampleRate);
  r->stepSine = sin(M_PI / sampleRate);
  return r;
}

static float between(const float *ring, int place, int mask, float d) {
  const float before = d + 1.0f, after = d - 2.0f, inner = d * (d - 1.0f);
  return ring[(place + 1) & mask] * (inner * after * (-1.0f / 6.0f)) +
         ring[place & mask] * (before * (d - 1.0f) * after * 0.5f) +
         ring[(place - 1) & mask] * (before * d * after * -0.5f) +
         ring[(place - 2) & mask] * (inner * before * (1.0f / 6.0f));
}

static float audible(float value) { return value > 1e-8f || value < -1e-8f ? value : 0.0f; }

void baselineReverb(BaselineRoom *r, const float *input, float *left, float *right, int frameCount) {
  for (int frame = 0; frame < frameCount; ++frame) {
    float sample = input[frame], out[8];
    for (int line = 8; line < 11; ++line) {
      const float delayed = r->rings[line][(r->cursor - r->lengths[line]) & r->mask];
      const float held = audible(sample - 0.6f * delayed);
      r->rings[line][r->cursor & r->mask] = held;
      sample = delayed + 0.6f * held;
    }
    sample *= 0.3535534f;
    const float x = (float)r->cosine, y = (float)r->sine;
    const float turns[4] = {x, (x - y) * 0.7071068f, -y, (x + y) * -0.7071068f};
    for (int line = 0; line < 8; ++line) {
      const float delay = r->reach * (1.0f + (line < 4 ? turns[line] : -turns[line - 4]));
      const int whole = (int)delay;
      const float value = between(r->rings[line], r->cursor - r->lengths[line] - whole, r->mask, delay - (float)whole);
      r->states[line] = audible(r->gains[line] * value + r->poles[line] * r->states[line]);
      out[line] = r->states[line];
    }
    const double nextX = r->cosine * r->stepCosine - r->sine * r->stepSine;
    r->sine = r->sine * r->stepCosine + r->cosine * r->stepSine;
    r->cosine = nextX;
    left[frame] = ((out[0] - out[2]) + (out[4] - out[6])) * 1.08f;
    right[frame] = ((out[1] - out[3]) + (out[5] - out[7])) * 1.08f;
    for (int half = 1; half < 8; half *= 2)
      for (int line = 0; line < 8; ++line)
        if (!(line & half)) {
          const float a = out[line], b = out[line + half];
          out[line] = a + b;
          out[line + half] = a - b;
        }
    for (int line = 0; line < 8; ++line)
      r->rings[line][r->cursor & r->mask] = audible(out[line] * 0.3535534f + sample);
    r->cursor += 1;
  }
}

static float parabolic(float turns) {
  const float angle = turns * 2.0f - 1.0f, parabola = -4.0f * angle * (1.0f - fabsf(angle));
  return fmaxf(-1.0f, fminf(1.0f, parabola + 0.225f * (parabola * fabsf(parabola) - parabola)));
}

void baselineChorus(BaselineRoom *r, int voices, float depthFrames, double step, float gain, const float *input,
                    float *left, float *right, int frameCount) {
  for (int frame = 0; frame < frameCount; ++frame) {
    float sums[2] = {0.0f, 0.0f};
    r->rings[0][r->cursor & r->mask] = input[frame];
    for (int voice = 0; voice < voices; ++voice) {
      double turns = r->phase + (double)voice / voices;
      if (turns >= 1.0) turns -= 1.0;
      const float delay = 48.0f + 0.5f * depthFrames * (1.0f + parabolic((float)turns));
      const int whole = (int)delay;
      const float value = between(r->rings[0], r->cursor - whole, r->mask, delay - (float)whole);
      if (voice == voices - 1 && (voice & 1) == 0) {
        sums[0] += value * 0.7071068f;
        sums[1] += value * 0.7071068f;
      } else {
        sums[voice & 1] += value;
      }
    }
    left[frame] = sums[0] * gain;
    right[frame] = sums[1] * gain;
    r->cursor += 1;
    r->phase += step;
    if (r->phase >= 1.0) r->phase -= 1.0;
  }
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

void baselineSphere(BaselineHead *head, const float *input, float *outLeft, float *outRight, int frameCount) {
  float *const now = head->history + head->kept;
  memcpy(now, input, (size_t)frameCount * sizeof(float));
  for (int ear = 0; ear < 2; ++ear) {
    float *const output = ear == 0 ? outLeft : outRight;
    const float *const delayed = now - head->whole[ear];
    const float *const w = head->weights[ear];
    double former = head->former[ear], state = head->state[ear];
    for (int frame = 0; frame < frameCount; ++frame) {
      const float sample = delayed[frame + 1] * w[0] + delayed[frame] * w[1] + delayed[frame - 1] * w[2]
                           + delayed[frame - 2] * w[3];
      state = head->now[ear] * sample + head->before[ear] * former + head->pole * state;
      former = sample;
      output[frame] += (float)state;
    }
    head->former[ear] = former;
    head->state[ear] = state;
  }
  memmove(head->history, head->history + frameCount, (size_t)head->kept * sizeof(float));
}

void baselineConvolve(float *history, const float *responses, int taps, const float *input, float *restrict outLeft,
                      float *restrict outRight, int frameCount) {
  float *const now = history + taps;
  memcpy(now, input, (size_t)frameCount * sizeof(float));
  for (int tap = 0; tap < taps; ++tap) {
    const float left = responses[tap], right = responses[taps + tap];
    const float *const source = now - tap;
    for (int frame = 0; frame < frameCount; ++frame) {
      outLeft[frame] += source[frame] * left;
      outRight[frame] += source[frame] * right;
    }
  }
  memmove(history, history + frameCount, (size_t)taps * sizeof(float));
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
