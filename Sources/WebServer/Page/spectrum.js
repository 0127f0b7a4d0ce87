// The spectrum of a unit's output, behind its curve.

import { svg } from "./svg.js";

/** The levels at the bottom and at the top of a plot, in dBFS. */
const [lowest, highest] = [-96, 0];
/** The most decibels that a level falls from one picture to the next. */
const fall = 4;

/** An area below the levels of 120 bands, twelve an octave from 20 Hz on, over the whole height of a plot. */
export class SpectrumArea {
  #plot;
  #levels = [];
  #isNew = false;
  element = svg("path", { class: "spectrum" });

  constructor(plot) {
    this.#plot = plot;
    plot.add(this.element, () => this.#draw(), true);
  }

  /** Takes the latest levels in dBFS. */
  show(levels) {
    this.#levels = levels.map((level, band) => Math.max(level, (this.#levels[band] ?? lowest) - fall, lowest));
    this.#isNew = true;
  }

  /** Draws them if they are new. */
  draw() {
    if (this.#isNew) this.#draw();
    this.#isNew = false;
    return false;
  }

  #draw() {
    if (this.#levels.length === 0) return;
    const points = this.#levels.map((level, band) => {
      const x = this.#plot.xOf(20 * 2 ** ((band + 0.5) / 12));
      return `${x.toFixed(1)} ${this.#plot.yAt(Math.min(1, (level - lowest) / (highest - lowest))).toFixed(1)}`;
    });
    const [left, right] = [points[0], points.at(-1)].map((point) => point.split(" ")[0]);
    const bottom = this.#plot.yAt(0).toFixed(1);
    this.element.setAttribute("d", `M${left} ${bottom}L${points.join("L")}L${right} ${bottom}Z`);
  }
}
