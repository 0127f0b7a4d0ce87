// The spectrum, the loudness and the scope of any unit's output.

import { decibels, frequencies } from "./axes.js";
import { Plot } from "./curve.js";
import { ScopeView } from "./scope.js";
import { SpectrumArea } from "./spectrum.js";

/** The least time between two changes of the words, in milliseconds. */
const interval = 500;

export class AnalyserView {
  #watch;
  #units = document.createElement("select");
  #plot = new Plot("Spectrum, in dBFS", frequencies, decibels(-96, 0, 24), 160);
  #area = new SpectrumArea(this.#plot);
  #words = document.createElement("p");
  #scope = new ScopeView(() => this.#ask());
  #wordedAt = -Infinity;
  #latest = null;
  #isSeen = false;

  /** watch(units, scopes): asks for the spectra of units, and for the frames of some of them. */
  constructor(watch) {
    this.#watch = watch;
    this.#units.setAttribute("aria-label", "Unit whose spectrum is shown");
    this.#units.addEventListener("change", () => this.#ask());
    this.element = document.createElement("div");
    this.element.append(this.#units, this.#plot.element, this.#words, this.#scope.element);
  }

  /** Asks only while somebody looks. */
  set isSeen(isSeen) {
    this.#isSeen = isSeen;
    this.#ask();
  }

  /** Shows the units with an audio output to choose from, at first the last of them. */
  showGraph({ units }) {
    const ids = units.filter(({ outputs }) => outputs.length > 0).map(({ id }) => id);
    const wanted = this.#units.value;
    this.#units.replaceChildren(...ids.map((id) => new Option(id, id)));
    this.#units.value = ids.includes(wanted) ? wanted : ids.at(-1);
    this.#ask();
  }

  /** Takes the latest readings. */
  take({ units }) {
    const latest = units[this.#units.value];
    if (!latest) return;
    this.#latest = latest;
    this.#area.show(latest.levels);
    if (latest.wave) this.#scope.show(latest.wave);
  }

  draw(now) {
    this.#area.draw();
    this.#scope.draw(now);
    if (!this.#latest || now < this.#wordedAt + interval) return;
    this.#wordedAt = now;
    const { levels, rms, loudness: { momentary, shortTerm, integrated } } = this.#latest;
    const loudest = Math.max(...levels);
    const frequency = 20 * 2 ** ((levels.indexOf(loudest) + 0.5) / 12);
    this.#words.textContent = loudest <= -200 ? "Silent" : `Loudest at ${frequency.toFixed(0)} Hz: ${number(loudest)} dBFS. `
      + `RMS ${number(rms)} dBFS. Loudness ${number(momentary)} LUFS now, ${number(shortTerm)} in 3 s, `
      + `${number(integrated)} since it is shown.`;
  }

  #ask() {
    const { value } = this.#units;
    const units = this.#isSeen && value ? [value] : [];
    this.#watch(units, this.#scope.isOpen ? units : []);
  }
}

function number(decibels) { return decibels <= -200 ? "−∞" : decibels.toFixed(1).replace("-", "−"); }
