// A space from above: sources that are dragged around the listener, each with its height.

import { Plot } from "./curve.js";
import { inputOf, sourcesOf } from "./ends.js";
import { Fader } from "./fader.js";
import { Handle } from "./handle.js";
import { svg } from "./svg.js";

/** The least reach of the plane, in metres from its middle. */
const least = 4;

/** The reach that shows all distances, with some space to move: 4, 10, 20, 40, 100 and so on. */
function reachFor(distance) {
  const wanted = Math.max(least, distance * 1.1);
  const tens = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 4, 10].map((one) => one * tens).find((one) => one >= wanted);
}

function metres(value) { return `${value.toFixed(1).replace("-", "−")} m`; }

function axisTo(reach, sign) {
  const ticks = [-1, -0.5, 0, 0.5, 1].map((share) => [share * reach, String(share * reach).replace("-", "−")]);
  return { from: -reach * sign, to: reach * sign, ticks, unit: "m" };
}

export class EnvironmentView {
  #unit;
  #controls;
  #isGuest;
  #hold;
  #reach = 0;
  #plot;
  #sources = new Map();
  #heights = document.createElement("div");
  element = document.createElement("div");
  isWhole = true;

  constructor(unit, controls, isGuest, { hold }) {
    [this.#unit, this.#controls, this.#isGuest, this.#hold] = [unit.id, controls, isGuest, hold];
    // The listener looks along -z, which is up.
    this.#plot = new Plot(`Space of ${unit.id}, from above`, axisTo(least, 1), axisTo(least, -1), 320);
    this.#plot.element.classList.add("plane");
    const head = svg("path", { class: "listener", d: "M0-12L9 9L0 4L-9 9Z" });
    this.#plot.add(head, () => {
      const [x, z, yaw] = ["x", "z", "yaw"].map((key) => this.#part(`listener/${key}`).control.value);
      const [left, top] = this.#plot.inside(x, z);
      head.setAttribute("transform", `translate(${left.toFixed(1)} ${top.toFixed(1)}) rotate(${yaw})`);
    });
    for (const key of ["x", "z", "yaw"]) this.#part(`listener/${key}`).control.observe(() => this.#fit());
    this.element.append(this.#plot.element, this.#heights);
  }

  #part(key) {
    const path = `${this.#unit}/${key}`;
    return { path, control: this.#controls.get(path) };
  }

  /** Shows a source for each mono input: others are not placed. */
  showGraph({ inputs }, connections) {
    const numbers = new Set();
    for (const { end, channels } of inputs) {
      const number = inputOf(end);
      if (channels !== 1 || !this.#part(`inputs/${number}/x`).control) continue;
      numbers.add(number);
      if (!this.#sources.has(number)) this.#sources.set(number, this.#source(number));
      this.#sources.get(number).name(`${number} ${sourcesOf(end, connections).join(", ")}`.trim());
    }
    for (const [number, { handle, height }] of this.#sources) {
      for (const element of [handle.element, height]) element.toggleAttribute("hidden", !numbers.has(number));
    }
    this.#fit();
  }

  #source(number) {
    const [x, y, z] = ["x", "y", "z"].map((key) => this.#part(`inputs/${number}/${key}`));
    const stride = () => this.#reach / 40;
    const handle = new Handle(this.#plot, "", String(number), {
      across: x, up: z,
      moves: {
        across: (value, sign) => value + sign * stride(), up: (value, sign) => value - sign * stride(),
        page: (value, sign) => value - sign * 10 * stride(),
      },
    }, this.#isGuest, this.#hold);
    const law = {
      positionOf: (value) => (value / this.#reach + 1) / 2, valueAt: (share) => (share * 2 - 1) * this.#reach,
      text: metres,
    };
    const fader = new Fader("", y, law, false, this.#isGuest, this.#hold);
    const height = document.createElement("div");
    height.className = "parameter";
    const label = document.createElement("span");
    height.append(label, fader.element);
    this.#heights.append(height);
    for (const { control } of [x, y, z]) control.observe(() => this.#fit());
    return {
      handle, height, fader, parts: [x, y, z],
      name(text) {
        handle.name = `Place of ${text}`;
        label.textContent = `Height of ${text}`;
        fader.name = `Height of ${text}`;
      },
    };
  }

  /** Shows a part of the space that has all sources, unless one of them is held. */
  #fit() {
    const places = [...this.#sources.values()].filter(({ height }) => !height.hidden).flatMap(({ parts }) => parts);
    const listener = ["x", "z"].map((key) => this.#part(`listener/${key}`));
    const values = [...places, ...listener].map(({ control }) => Math.abs(control.value));
    const isHeld = [...this.#sources.values()].some(({ handle, fader }) => handle.isHeld || fader.isHeld);
    const reach = isHeld ? this.#reach : reachFor(Math.max(...values));
    if (reach === this.#reach) return this.#plot.update();
    this.#reach = reach;
    this.#plot.setAxes(axisTo(reach, 1), axisTo(reach, -1));
    for (const { fader } of this.#sources.values()) fader.show();
  }
}
