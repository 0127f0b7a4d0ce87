// A plot with curves, and the curve of a unit as its session tells it.

import { svg } from "./svg.js";

const margin = { left: 34, right: 14, top: 8, bottom: 20 };

/** An axis: from and to, isLogarithmic, its unit, and ticks: pairs of a value and its text. */
function share(axis, value) {
  const { from, to, isLogarithmic } = axis;
  return isLogarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
}

function valueAt(axis, share) {
  const { from, to, isLogarithmic } = axis;
  const limited = Math.min(1, Math.max(0, share));
  return isLogarithmic ? from * (to / from) ** limited : from + (to - from) * limited;
}

/** Axes, a grid, and what is drawn on them. It is drawn in CSS pixels, so that targets keep their size. */
export class Plot {
  #axes;
  #height;
  #width = 320;
  #grid = svg("g", { class: "grid", "aria-hidden": "true" });
  #curves = svg("svg", { "aria-hidden": "true" });
  #drawn = [];

  constructor(name, across, up, height = 220) {
    this.#axes = { across, up };
    this.#height = height;
    this.element = svg("svg", { class: "plot", role: "group", "aria-label": name, height }, this.#grid, this.#curves);
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width <= 0 || contentRect.width === this.#width) return;
      this.#width = contentRect.width;
      this.#draw();
    }).observe(this.element);
    this.#draw();
  }

  setAxes(across, up) {
    this.#axes = { across, up };
    this.#draw();
  }

  /** Draws what was added again. */
  update() { for (const draw of this.#drawn) draw(); }

  /** Adds something that is drawn again when the size changes. */
  add(element, draw, isCurve = false) {
    (isCurve ? this.#curves : this.element).append(element);
    this.#drawn.push(draw);
    draw();
  }

  xOf(value) { return margin.left + share(this.#axes.across, value) * this.#innerWidth; }
  yOf(value) { return this.yAt(share(this.#axes.up, value)); }
  /** The place at a share of the height, from 0 at the bottom to 1. */
  yAt(share) { return margin.top + (1 - share) * this.#innerHeight; }
  acrossAt(x) { return valueAt(this.#axes.across, (x - margin.left) / this.#innerWidth); }
  upAt(y) { return valueAt(this.#axes.up, 1 - (y - margin.top) / this.#innerHeight); }
  /** A point within the plot. */
  inside(across, up) {
    const limited = ({ from, to }, value) => Math.min(Math.max(from, to), Math.max(Math.min(from, to), value));
    return [this.xOf(limited(this.#axes.across, across)), this.yOf(limited(this.#axes.up, up))];
  }

  get #innerWidth() { return this.#width - margin.left - margin.right; }
  get #innerHeight() { return this.#height - margin.top - margin.bottom; }

  #draw() {
    this.element.setAttribute("viewBox", `0 0 ${this.#width} ${this.#height}`);
    const frame = { x: margin.left, y: margin.top, width: this.#innerWidth, height: this.#innerHeight };
    for (const [key, value] of Object.entries(frame)) this.#curves.setAttribute(key, value);
    this.#curves.setAttribute("viewBox", `${frame.x} ${frame.y} ${frame.width} ${frame.height}`);
    const [right, bottom] = [frame.x + frame.width, frame.y + frame.height];
    this.#grid.replaceChildren();
    for (const [value, text] of this.#axes.across.ticks) {
      const x = this.xOf(value);
      this.#grid.append(svg("path", { d: `M${x} ${frame.y}V${bottom}` }));
      this.#grid.append(svg("text", { x, y: this.#height - 5, "text-anchor": "middle" }, text));
    }
    for (const [value, text] of this.#axes.up.ticks) {
      const y = this.yOf(value);
      this.#grid.append(svg("path", { d: `M${frame.x} ${y}H${right}`, class: value === 0 ? "zero" : "" }));
      this.#grid.append(svg("text", { x: frame.x - 5, y: y + 4, "text-anchor": "end" }, text));
    }
    const { across, up } = this.#axes;
    this.#grid.append(svg("text", { x: 4, y: this.#height - 5 }, across.unit));
    this.#grid.append(svg("text", { x: frame.x + 4, y: frame.y + 12 }, up.unit));
    this.update();
  }
}

/** A line through points. */
export class Curve {
  #plot;
  #at = [];
  #values = [];

  constructor(plot, name = "") {
    this.#plot = plot;
    this.element = svg("path", { class: `curve ${name}` });
    plot.add(this.element, () => this.#draw(), true);
  }

  show(at, values) {
    [this.#at, this.#values] = [at, values];
    this.#draw();
  }

  #draw() {
    const points = this.#at.map((value, index) =>
      `${this.#plot.xOf(value).toFixed(1)} ${this.#plot.yOf(this.#values[index]).toFixed(1)}`);
    this.element.setAttribute("d", points.length > 0 ? `M${points.join("L")}` : "");
  }
}

/**
 * Asks for a unit's curve after each change. One request is on its way at a time, and no more than one goes for each
 * frame of the screen; the last change wins.
 */
export class Response {
  #request;
  #show;
  #ask;
  #isAsking = false;
  #isWanted = false;

  /** points(): where the curve is wanted. ask(request): returns a promise. show(response): draws. */
  constructor(unit, points, ask, show) {
    this.#request = () => ({ command: "response", unit, at: points() });
    [this.#ask, this.#show] = [ask, show];
    this.update();
  }

  async update() {
    this.#isWanted = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        const { response } = await this.#ask(this.#request());
        this.#show(response);
        if (!document.hidden) await new Promise(requestAnimationFrame);
      }
    } catch { /* A session that has ended, or one without this command, has no curve. */ }
    this.#isAsking = false;
  }
}
