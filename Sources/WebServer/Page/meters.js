// The levels of a unit's outputs, drawn on a canvas.

import { fallen, lowest } from "./levels.js";

export class MeterView {
  #context;
  #levels = [];
  #shown = [];
  #drawnAt = 0;

  constructor() {
    this.element = document.createElement("canvas");
    this.element.className = "meter";
    this.element.width = 320;
    // Room for two channels, so that the first levels do not move the page.
    this.#resize(12);
    this.element.setAttribute("aria-hidden", "true");
    this.#context = this.element.getContext("2d");
  }

  /** Shows the greatest samples of all channels, in dBFS, bus by bus. */
  show(outputs) {
    this.#levels = outputs.flat();
    const height = Math.max(1, this.#levels.length) * 6;
    if (this.element.height !== height) this.#resize(height);
    if (this.#shown.length !== this.#levels.length) this.#shown = this.#levels.map(() => lowest);
  }

  #resize(height) {
    this.element.height = height;
    this.element.style.height = `${height}px`;
  }

  /** Draws the levels at a time in milliseconds, and returns whether they still move. */
  draw(now, style) {
    const passed = now - this.#drawnAt;
    this.#drawnAt = now;
    const next = this.#levels.map((level, index) => fallen(level, this.#shown[index], passed));
    if (next.every((level, index) => level === this.#shown[index])) return false;
    this.#shown = next;
    const { width, height } = this.element;
    this.#context.clearRect(0, 0, width, height);
    next.forEach((level, index) => {
      this.#context.fillStyle = level >= 0 ? style.danger : style.accent;
      this.#context.fillRect(0, index * 6, width * Math.min(1, (level - lowest) / -lowest), 4);
    });
    return true;
  }
}
