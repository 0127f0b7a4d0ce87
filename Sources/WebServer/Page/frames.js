// What moves is drawn once for each frame of the screen, and only while something moves.

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

  /** draw(now, colours): draws, and returns whether something still moves. */
  constructor(draw) { this.#draw = draw; }

  request() {
    if (this.#isRequested) return;
    this.#isRequested = true;
    requestAnimationFrame((now) => {
      this.#isRequested = false;
      if (!colours) look();
      if (this.#draw(now, colours)) this.request();
    });
  }
}
