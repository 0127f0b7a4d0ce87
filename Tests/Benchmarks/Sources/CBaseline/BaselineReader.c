#include "CBaseline.h"
#include "Kaiser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { half = 48, steps = 1009, longest = 192 };

struct BaselineReader {
  float table[(half + 5) * steps + 2];
  double place;
  int first, end, capacity;
  float *memory;
};

BaselineReader *baselineReaderMake(int maximumFrames) {
  BaselineReader *r = calloc(1, sizeof *r);
  r->capacity = maximumFrames + 2 * longest + 1;
  r->memory = calloc((size_t)r->capacity, sizeof *r->memory);
  r->first = -2 * longest;
  const double cutoff = 2.0 * (0.5 - 0.5 * (100.0 - 7.95) / (14.36 * 2 * half));
  for (int index = 0; index < half * steps; ++index) {
    const double frames = (double)index / steps, place = frames / half, angle = M_PI * cutoff * frames;
    r->table[index] = (float)(cutoff * (angle == 0.0 ? 1.0 : sin(angle) / angle) *
                              bessel(10.06 * sqrt(1.0 - place * place)) / bessel(10.06));
  }
  double sum = r->table[0];
  for (int frame = 1; frame < half; ++frame) sum += 2.0 * r->table[frame * steps];
  for (int index = 0; index < half * steps; ++index) r->table[index] = (float)(r->table[index] / sum);
  return r;
}

void baselineReaderFree(BaselineReader *reader) {
  free(reader->memory);
  free(reader);
}

int baselineReaderTake(BaselineReader *reader, double speed, const float *input, float *output,
                       int frameCount) {
  BaselineReader *r = reader;
  const int last = (int)(r->place + speed * (frameCount - 1));
  const int taken = last + 1 > r->end ? last + 1 - r->end : 0;
  int gone = (int)r->place - 2 * longest - r->first;
  if (gone > r->end - r->first) gone = r->end - r->first;
  if (gone > 0) {
    memmove(r->memory, r->memory + gone, (size_t)(r->end - r->first - gone) * sizeof *r->memory);
    r->first += gone;
  }
  memcpy(r->memory + (r->end - r->first), input, (size_t)taken * sizeof *input);
  r->end += taken;
  const double stretch = speed > 1.0 ? speed : 1.0;
  const int reach = ((int)(half * stretch + 0.999999) + 3) & ~3;
  const double scale = steps / stretch;
  const float gain = (float)(1.0 / stretch);
  for (int frame = 0; frame < frameCount; ++frame) {
    const int whole = (int)r->place;
    const double fraction = r->place - whole;
    const float *sound = r->memory + (whole - longest - reach + 1 - r->first);
    float sum = 0.0f;
    for (int index = 0; index < 2 * reach; ++index) {
      const double place = fabs(index - reach + 1 - fraction) * scale;
      const int entry = (int)place;
      const float between = (float)(place - entry);
      sum += sound[index] * (r->table[entry] + (r->table[entry + 1] - r->table[entry]) * between);
    }
    output[frame] = sum * gain;
    r->place += speed;
  }
  return taken;
}
