// The waveform of a player's file, with its position.

import { svg } from "./svg.js";

/** The width and half the height of the drawing, which is stretched. */
const [width, middle] = [1000, 50];

export class WaveformView {
  #unit;
  #ask;
  #position;
  #path = svg("path", { class: "wave" });
  #cursor = svg("line", { class: "cursor", y1: 0, y2: 2 * middle });
  #seconds = 0;
  #isCurrent = false;
  element;

  /** position: the control of the position in the file, in seconds. */
  constructor(unit, position, ask) {
    [this.#unit, this.#position, this.#ask] = [unit, position, ask];
    this.element = svg(
      "svg", { class: "waveform", role: "img", viewBox: `0 0 ${width} ${2 * middle}`, preserveAspectRatio: "none" },
      this.#path, this.#cursor);
    this.element.toggleAttribute("hidden", true);
    position.observe(() => this.#move());
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
    this.element.setAttribute("aria-label", `Waveform of ${this.#unit}, ${waveform.seconds.toFixed(1)} s`);
    const step = width / waveform.peaks.length;
    const heights = waveform.peaks.map((peak) => Math.min(1, peak) * middle);
    const upper = heights.map((height, index) => `${(index * step).toFixed(1)} ${(middle - height).toFixed(1)}`);
    const lower = heights.map((height, index) => `${(index * step).toFixed(1)} ${(middle + height).toFixed(1)}`);
    this.#path.setAttribute("d", `M${upper.join("L")}L${lower.reverse().join("L")}Z`);
    this.#move();
  }

  #move() {
    if (this.#seconds <= 0) return;
    const x = (width * Math.min(1, this.#position.value / this.#seconds)).toFixed(1);
    for (const end of ["x1", "x2"]) this.#cursor.setAttribute(end, x);
  }
}
