// Large buttons of what plays and records, its time, and its waveform.

import { button } from "./button.js";
import { clock } from "./clock.js";
import { toggle } from "./fader.js";
import { WaveformView } from "./waveform.js";

function time(control) {
  const element = document.createElement("output");
  element.className = "clock";
  const show = () => { element.textContent = clock(control.value); };
  control.observe(show);
  show();
  return element;
}

function row(...parts) {
  const element = document.createElement("div");
  element.className = "row transport";
  element.append(...parts);
  return { element };
}

/** Buttons for the states of a player, its position, its loop, and the waveform of its file. */
export function playerView(unit, controls, isGuest, { ask }) {
  const part = (key) => controls.get(`${unit.id}/${key}`);
  const [state, position, loop, cue] = ["state", "position", "loop", "cue"].map(part);
  if (!state || !position || !loop || !cue) return null;
  const buttons = [["Play", 1], ["Pause", 2], ["Stop", 0]].map(([text, value]) => {
    const one = button(text, () => state.move(value));
    one.disabled = isGuest;
    const show = () => one.setAttribute("aria-pressed", String(Math.round(state.value) === value));
    state.observe(show);
    show();
    return one;
  });
  const waveform = new WaveformView(unit.id, position, cue, isGuest, ask);
  const element = document.createElement("div");
  element.append(row(...buttons, time(position), toggle("Loop", "Loop", loop, isGuest)).element, waveform.element);
  return { element, isWhole: true, showGraph: () => waveform.renew(), draw: () => void waveform.look() };
}

/** A button that records, whether a take runs, and its time. */
export function recorderView(unit, controls, isGuest) {
  const part = (key) => controls.get(`${unit.id}/${key}`);
  const [recording, running, length] = ["recording", "running", "time"].map(part);
  if (!recording || !running || !length) return null;
  const record = toggle("Record", "Record", recording, isGuest);
  record.classList.add("danger");
  const state = document.createElement("span");
  state.className = "kind";
  const show = () => {
    const isWaiting = recording.value >= 0.5;
    state.textContent = running.value >= 0.5 ? "● Recording" : isWaiting ? "Waiting for its start" : "Stopped";
  };
  for (const control of [recording, running]) control.observe(show);
  show();
  return row(record, time(length), state);
}
