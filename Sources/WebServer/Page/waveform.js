// The waveform of a player's file, with its position and its cue.

import { clock } from "./clock.js";
import { svg } from "./svg.js";

/** The width and half the height of the drawing, which is stretched. */
const [width, middle] = [1000, 50];
/** The ways of keys, in seconds. */
const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

export class WaveformView {
  #unit;
  #ask;
  #position;
  #cue;
  #isGuest;
  /** The pointer that chooses a place, and the place, in seconds. */
  #grip = null;
  #path = svg("path", { class: "wave" });
  #cursor = svg("line", { class: "cursor", y1: 0, y2: 2 * middle });
  #mark = svg("line", { class: "cue", y1: 0, y2: 2 * middle });
  #seconds = 0;
  #isCurrent = false;
  element;

  /** position, cue: the controls of the position in the file and of the cue, in seconds. */
  constructor(unit, position, cue, isGuest, ask) {
    [this.#unit, this.#position, this.#cue, this.#isGuest, this.#ask] = [unit, position, cue, isGuest, ask];
    this.element = svg(
      "svg", {
        class: "waveform", role: "slider", viewBox: `0 0 ${width} ${2 * middle}`, preserveAspectRatio: "none",
        tabindex: 0, "aria-valuemin": 0, "aria-disabled": String(isGuest),
      }, this.#path, this.#mark, this.#cursor);
    this.element.toggleAttribute("hidden", true);
    position.observe(() => this.#put(this.#cursor, position.value));
    cue.observe(() => this.#showCue());
    if (!isGuest) this.#listen();
  }

  #listen() {
    const element = this.element;
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.#grip) return;
      event.preventDefault();
      element.focus({ focusVisible: false });
      element.setPointerCapture(event.pointerId);
      this.#grip = { pointer: event.pointerId, seconds: this.#secondsAt(event) };
      this.#showCue();
    });
    element.addEventListener("pointermove", (event) => {
      if (event.pointerId !== this.#grip?.pointer) return;
      this.#grip.seconds = this.#secondsAt(event);
      this.#showCue();
    });
    // The player goes on there once the place is chosen, not on the way.
    element.addEventListener("pointerup", (event) => {
      if (event.pointerId !== this.#grip?.pointer) return;
      const { seconds } = this.#grip;
      this.#grip = null;
      this.#choose(seconds);
    });
    for (const name of ["pointercancel", "lostpointercapture"]) {
      element.addEventListener(name, () => {
        this.#grip = null;
        this.#showCue();
      });
    }
    element.addEventListener("keydown", (event) => {
      const { key, altKey, ctrlKey, metaKey } = event;
      if (altKey || ctrlKey || metaKey) return;
      if (key in steps) this.#choose(this.#cue.value + steps[key]);
      else if (key === "Home") this.#choose(0);
      else if (key === "End") this.#choose(this.#seconds);
      // The player goes on at the same place again.
      else if (key === "Enter") this.#choose(this.#cue.value);
      else return;
      event.preventDefault();
    });
  }

  #secondsAt({ clientX }) {
    const { left, width: wide } = this.element.getBoundingClientRect();
    return (clientX - left) / wide * this.#seconds;
  }

  /** Sets the cue, to the millisecond, within the file. */
  #choose(seconds) {
    const last = Math.max(0, this.#seconds - 0.001);
    this.#cue.move(Math.round(Math.min(last, Math.max(0, seconds)) * 1000) / 1000);
  }

  /** Another file may play. */
  renew() { this.#isCurrent = false; }

  /** Asks for the waveform, once somebody looks. */
  async look() {
    if (this.#isCurrent) return;
    this.#isCurrent = true;
    const { waveform } = await this.#ask({ command: "waveform", unit: this.#unit }).catch(() => ({}));
    this.element.toggleAttribute("hidden", !waveform?.peaks.length);
    if (!waveform?.peaks.length) return;
    this.#seconds = waveform.seconds;
    this.element.setAttribute("aria-label", `Cue in the waveform of ${this.#unit}, ${waveform.seconds.toFixed(1)} s`);
    this.element.setAttribute("aria-valuemax", waveform.seconds);
    const step = width / waveform.peaks.length;
    const heights = waveform.peaks.map((peak) => Math.min(1, peak) * middle);
    const upper = heights.map((height, index) => `${(index * step).toFixed(1)} ${(middle - height).toFixed(1)}`);
    const lower = heights.map((height, index) => `${(index * step).toFixed(1)} ${(middle + height).toFixed(1)}`);
    this.#path.setAttribute("d", `M${upper.join("L")}L${lower.reverse().join("L")}Z`);
    this.#put(this.#cursor, this.#position.value);
    this.#showCue();
  }

  #showCue() {
    const seconds = this.#grip?.seconds ?? this.#cue.value;
    this.element.setAttribute("aria-valuenow", seconds);
    this.element.setAttribute("aria-valuetext", clock(seconds));
    this.#put(this.#mark, seconds);
  }

  #put(line, seconds) {
    if (this.#seconds <= 0) return;
    const x = (width * Math.min(1, Math.max(0, seconds / this.#seconds))).toFixed(1);
    for (const end of ["x1", "x2"]) line.setAttribute(end, x);
  }
}
