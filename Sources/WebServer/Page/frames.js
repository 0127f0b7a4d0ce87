// What moves is drawn, and only while something moves.

/** The least time between two pictures, in milliseconds: levels come about as often. */
const interval = 40;

let colours = null;

function look() {
  const style = getComputedStyle(document.documentElement);
  colours = { accent: style.getPropertyValue("--accent"), danger: style.getPropertyValue("--danger") };
}

matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => { colours = null; });

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether little should move. */
export function isCalm() { return calm.matches; }

export class Frames {
  #draw;
  #isRequested = false;
  #drawnAt = -Infinity;

  /** draw(now, colours): draws, and returns whether something still moves. */
  constructor(draw) { this.#draw = draw; }

  request() {
    if (this.#isRequested) return;
    this.#isRequested = true;
    requestAnimationFrame((now) => {
      this.#isRequested = false;
      if (now - this.#drawnAt < interval - 4) return this.request();
      this.#drawnAt = now;
      if (!colours) look();
      if (this.#draw(now, colours)) this.request();
    });
  }
}
