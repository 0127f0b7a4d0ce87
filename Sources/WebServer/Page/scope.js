// The latest frames of a unit's output.

import { Curve, Plot } from "./curve.js";

/** The lengths that can be shown, in milliseconds. */
const lengths = [2, 5, 10, 25];
/** The least time between two changes of the words, in milliseconds. */
const interval = 500;

export class ScopeView {
  #lengths = document.createElement("select");
  #plot = new Plot("Scope", across(10), up(1), 160);
  #right = new Curve(this.#plot, "right");
  #left = new Curve(this.#plot);
  #words = document.createElement("p");
  #wordedAt = -Infinity;
  #scale = 1;
  #wave = null;

  /** asked(): called when it is opened or closed. */
  constructor(asked) {
    this.element = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = "Scope";
    this.#lengths.setAttribute("aria-label", "Time that the scope shows");
    this.#lengths.append(...lengths.map((length) => new Option(`${length} ms`, length)));
    this.#lengths.value = "10";
    this.#lengths.addEventListener("change", () => this.#setAxes());
    this.element.append(summary, this.#lengths, this.#plot.element, this.#words);
    this.element.addEventListener("toggle", asked);
  }

  get isOpen() { return this.element.open; }

  /** Takes the latest frames. */
  show(wave) { this.#wave = wave; }

  /** Draws them if they are new. */
  draw(now) {
    if (!this.#wave) return;
    const { sampleRate, peak, left, right } = this.#wave;
    this.#wave = null;
    // Another scale at each cycle would make a sound that fades look as loud as before.
    const scale = 2 ** Math.max(-12, Math.ceil(Math.log2(peak)));
    if (scale !== this.#scale) {
      this.#scale = scale;
      this.#setAxes();
    }
    const times = left.map((_, index) => 1000 * index / sampleRate);
    for (const [curve, samples] of [[this.#left, left], [this.#right, right]]) {
      curve.show(times, samples.map((sample) => sample / 1000 * peak));
    }
    if (now < this.#wordedAt + interval) return;
    this.#wordedAt = now;
    const decibels = peak > 0 ? (20 * Math.log10(peak)).toFixed(1).replace("-", "−") : "−∞";
    const channels = left.every((sample, index) => sample === right[index]) ? "Both channels are equal." : "The second channel is grey.";
    this.#words.textContent = `Peak ${decibels} dBFS. ${channels}`;
  }

  #setAxes() { this.#plot.setAxes(across(Number(this.#lengths.value)), up(this.#scale)); }
}

function across(length) {
  const ticks = [0, 1, 2, 3, 4, 5].map((step) => [step * length / 5, String(step * length / 5)]);
  return { from: 0, to: length, ticks, unit: "ms" };
}

function up(scale) {
  const text = String(Number(scale.toPrecision(2)));
  return { from: -scale, to: scale, ticks: [[-scale, "−"], [0, "0"], [scale, "+"]], unit: `±${text}` };
}
