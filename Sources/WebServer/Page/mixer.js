// The strips of a mixer: a fader, a pan, mute, solo and levels for each input, and a fader for the mix.

import { inputOf, sourcesOf } from "./ends.js";
import { Fader, pan, toggle, volume } from "./fader.js";
import { arrange } from "./kept.js";
import { MeterView } from "./meters.js";

export class MixerView {
  #unit;
  #controls;
  #isGuest;
  #hold;
  /** The strips by the numbers of their inputs. */
  #strips = new Map();
  #row = document.createElement("div");
  #mix;
  element = document.createElement("div");
  isWhole = true;

  constructor(unit, controls, isGuest, { hold }) {
    [this.#unit, this.#controls, this.#isGuest, this.#hold] = [unit.id, controls, isGuest, hold];
    this.#mix = this.#strip("Mix", "volume", []);
    this.#row.className = "strips";
    this.element.append(this.#row);
    this.#row.append(this.#mix.element);
  }

  #part(key) {
    const path = `${this.#unit}/${key}`;
    return { path, control: this.#controls.get(path) };
  }

  #strip(name, key, others) {
    const meter = new MeterView();
    const title = document.createElement("div");
    title.className = "title";
    const element = document.createElement("div");
    element.className = "strip";
    element.setAttribute("role", "group");
    const fader = new Fader("Volume", this.#part(key), volume, true, this.#isGuest, this.#hold);
    element.append(title, meter.element, ...others, fader.element);
    const show = (text) => {
      [title.textContent, title.title] = [text, text];
      element.setAttribute("aria-label", text);
    };
    show(name);
    return { element, meter, show };
  }

  #input(number) {
    const own = `inputs/${number}`;
    const switches = document.createElement("div");
    switches.className = "switches";
    switches.append(...[["M", "Mute", "mute"], ["S", "Solo", "solo"]].map(
      ([text, name, key]) => toggle(text, name, this.#part(`${own}/${key}`).control, this.#isGuest)));
    const across = new Fader("Pan", this.#part(`${own}/pan`), pan, false, this.#isGuest, this.#hold);
    return this.#strip("", `${own}/volume`, [across.element, switches]);
  }

  /** Shows a strip for each input that something can reach, named after what plays it. */
  showGraph({ inputs, ports }, connections) {
    const numbers = new Set();
    for (const { end } of inputs) {
      const [number, sources] = [inputOf(end), sourcesOf(end, connections)];
      const hasPorts = ports.some(({ isInput, bus }) => isInput && bus === number - 1);
      if (!this.#part(`inputs/${number}/volume`).control || !(hasPorts || sources.length > 0)) continue;
      numbers.add(number);
      if (!this.#strips.has(number)) this.#strips.set(number, this.#input(number));
      this.#strips.get(number).show(`${number} ${sources.join(", ")}`.trim());
    }
    for (const number of [...this.#strips.keys()]) if (!numbers.has(number)) this.#strips.delete(number);
    const elements = [...this.#strips].sort(([one], [other]) => one - other).map(([, { element }]) => element);
    elements.push(this.#mix.element);
    arrange(this.#row, elements);
    this.element.closest("section")?.classList.toggle("wide", elements.length > 3);
  }

  showMeters({ inputs, outputs }) {
    for (const [number, { meter }] of this.#strips) meter.show([inputs[number - 1] ?? []]);
    this.#mix.meter.show(outputs);
  }

  draw(now, colours) {
    let isMoving = false;
    for (const { meter } of [...this.#strips.values(), this.#mix]) isMoving = meter.draw(now, colours) || isMoving;
    return isMoving;
  }
}
