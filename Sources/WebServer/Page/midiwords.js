// MIDI messages in words.

const keys = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];

const controllers = {
  0: "bank", 1: "modulation", 2: "breath", 7: "volume", 10: "pan", 11: "expression", 64: "sustain pedal",
  66: "sostenuto pedal", 67: "soft pedal", 74: "brightness", 91: "reverb", 93: "chorus", 120: "all sound off",
  121: "reset all controllers", 123: "all notes off",
};

const system = {
  0xf1: "time code", 0xf2: "song position", 0xf3: "song select", 0xf6: "tune request", 0xf8: "clock", 0xfa: "start",
  0xfb: "continue", 0xfc: "stop", 0xfe: "active sensing", 0xff: "system reset",
};

/** The kinds of messages, with their names. */
export const kinds = new Map([
  ["note", "Notes"], ["controller", "Controllers"], ["program", "Programs"], ["bend", "Pitch bend"],
  ["pressure", "Pressure"], ["system", "System"], ["clock", "Clock"],
]);

function note(key) { return `${keys[key % 12]}${Math.floor(key / 12) - 1} (${key})`; }

/** The kind of a message, its channel from 1 or null, and its words. Its bytes are the first ones of byteCount. */
export function describe({ bytes, byteCount }) {
  const [status = 0, first = 0, second = 0] = bytes;
  const channel = status < 0xf0 ? (status & 15) + 1 : null;
  const is = (kind, text) => ({ kind, channel, text });
  switch (status >> 4) {
    case 8: return is("note", `note off ${note(first)} velocity ${second}`);
    case 9: return is("note", `note ${second > 0 ? "on" : "off"} ${note(first)} velocity ${second}`);
    case 10: return is("pressure", `key pressure ${note(first)} ${second}`);
    case 11: return is("controller", `controller ${first}${controllers[first] ? ` (${controllers[first]})` : ""} ${second}`);
    case 12: return is("program", `program ${first}`);
    case 13: return is("pressure", `channel pressure ${first}`);
    case 14: {
      const bend = (second << 7 | first) - 8192;
      return is("bend", `pitch bend ${bend > 0 ? "+" : ""}${bend}`);
    }
  }
  if (status === 0xf8 || status === 0xfe) return is("clock", system[status]);
  if (status === 0xf2) return is("system", `song position ${second << 7 | first}`);
  if (status === 0xf1 || status === 0xf3) return is("system", `${system[status]} ${first}`);
  if (system[status]) return is("system", system[status]);
  const shown = bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
  return is("system", `system exclusive, ${byteCount} bytes: ${shown}${byteCount > bytes.length ? " …" : ""}`);
}
