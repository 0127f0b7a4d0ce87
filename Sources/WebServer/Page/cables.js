// Cables: their curves, and the levels on them.

import { fallen, lowest } from "./levels.js";

/** Levels are drawn in steps: what moves less is not drawn again. */
const step = 4;
/** The least time between two pictures where less motion is wanted, in milliseconds. */
const calmInterval = 500;

/** The curve from an output to an input, as the `d` of a path. */
export function curve(from, to) {
  const across = to.x - from.x;
  const reach = across > 0 ? Math.max(30, across / 2) : Math.min(260, 90 - across / 3);
  return `M${from.x} ${from.y}C${from.x + reach} ${from.y} ${to.x - reach} ${to.y} ${to.x} ${to.y}`;
}

/** The levels of audio cables, on one canvas over them all. */
export class CableLevels {
  element = document.createElement("canvas");
  #context = this.element.getContext("2d");
  #cables = [];
  #levels = new Map();
  #drawnAt = -Infinity;
  #mustDraw = true;

  constructor() { this.element.setAttribute("aria-hidden", "true"); }

  /** Shows the levels on other cables: `{source, d}`, the end of an output and a curve. */
  show(cables) {
    this.#cables = cables.map(({ source, d }) => ({ source, path: new Path2D(d) }));
    this.#mustDraw = true;
  }

  /** Takes the levels of units, by their ids, in dBFS: all channels of each output. */
  meter(units) {
    for (const [id, { outputs }] of Object.entries(units)) {
      outputs.forEach((channels, bus) => {
        const end = `${id}:${bus + 1}`;
        const known = this.#levels.get(end);
        const level = Math.max(lowest, ...channels);
        if (known) known.level = level; else this.#levels.set(end, { level, shown: lowest, drawn: 0 });
      });
    }
  }

  /** Draws all again, such as after a move of the view. */
  invalidate() { this.#mustDraw = true; }

  resize(width, height) {
    const scale = Math.min(2, devicePixelRatio);
    [this.element.width, this.element.height] = [Math.round(width * scale), Math.round(height * scale)];
    this.#mustDraw = true;
  }

  /** Draws for a view. Returns whether something still moves. */
  draw(now, colours, view, isCalm) {
    const passed = now - this.#drawnAt;
    if (!this.#mustDraw && isCalm && passed < calmInterval) return true;
    this.#drawnAt = now;
    let isMoving = false;
    for (const state of this.#levels.values()) {
      state.shown = isCalm ? state.level : fallen(state.level, state.shown, passed);
      const drawn = state.shown >= 0 ? 100 : Math.ceil((state.shown - lowest) / step);
      if (drawn !== state.drawn) [state.drawn, this.#mustDraw] = [drawn, true];
      isMoving ||= state.shown > state.level;
    }
    if (!this.#mustDraw) return isMoving;
    this.#mustDraw = false;
    const context = this.#context;
    const scale = Math.min(2, devicePixelRatio);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.element.width, this.element.height);
    context.setTransform(scale * view.zoom, 0, 0, scale * view.zoom, scale * view.x, scale * view.y);
    // One stroke for all cables of a level.
    const paths = new Map();
    for (const { source, path } of this.#cables) {
      const drawn = this.#levels.get(source)?.drawn ?? 0;
      if (drawn === 0) continue;
      if (!paths.has(drawn)) paths.set(drawn, new Path2D());
      paths.get(drawn).addPath(path);
    }
    for (const [drawn, path] of paths) {
      context.strokeStyle = drawn === 100 ? colours.danger : colours.accent;
      context.lineWidth = drawn === 100 ? 10 : 2 + drawn * 0.45;
      context.stroke(path);
    }
    return isMoving;
  }
}
