#include "CBaseline.h"

#include <fluidsynth.h>
#include <stdlib.h>

struct BaselineSynth {
  fluid_settings_t *settings;
  fluid_synth_t *synth;
};

BaselineSynth *baselineSynth(const char *soundFont, double sampleRate) {
  BaselineSynth *made = malloc(sizeof(BaselineSynth));
  made->settings = new_fluid_settings();
  fluid_settings_setnum(made->settings, "synth.sample-rate", sampleRate);
  fluid_settings_setint(made->settings, "synth.threadsafe-api", 0);
  fluid_settings_setint(made->settings, "synth.reverb.active", 0);
  fluid_settings_setint(made->settings, "synth.chorus.active", 0);
  made->synth = new_fluid_synth(made->settings);
  if (fluid_synth_sfload(made->synth, soundFont, 1) == FLUID_FAILED) {
    baselineSynthDelete(made);
    return NULL;
  }
  return made;
}

void baselineSynthDelete(BaselineSynth *synth) {
  delete_fluid_synth(synth->synth);
  delete_fluid_settings(synth->settings);
  free(synth);
}

void baselineSynthMessage(BaselineSynth *made, int status, int first, int second) {
  fluid_synth_t *synth = made->synth;
  int channel = status & 15;
  switch (status & 0xF0) {
  case 0x80: fluid_synth_noteoff(synth, channel, first); break;
  case 0x90: fluid_synth_noteon(synth, channel, first, second); break;
  case 0xA0: fluid_synth_key_pressure(synth, channel, first, second); break;
  case 0xB0: fluid_synth_cc(synth, channel, first, second); break;
  case 0xC0: fluid_synth_program_change(synth, channel, first); break;
  case 0xD0: fluid_synth_channel_pressure(synth, channel, first); break;
  case 0xE0: fluid_synth_pitch_bend(synth, channel, second << 7 | first); break;
  }
}

int baselineSynthVoices(BaselineSynth *synth) {
  return fluid_synth_get_active_voice_count(synth->synth);
}

void baselineSynthRender(BaselineSynth *synth, float *left, float *right, int frames) {
  fluid_synth_write_float(synth->synth, frames, left, 0, 1, right, 0, 1);
}
