// A slider of a special view, beside the one that all parameters have.

/** Positions from 0 to this. */
const steps = 200;

/** A volume: its cube gives the resolution to the levels that are used most. 0 dB is at 63 %. */
export const volume = {
  positionOf: (value) => Math.cbrt(value / 4), valueAt: (share) => 4 * share ** 3,
  text: (value) => value === 0 ? "−∞ dB" : `${(20 * Math.log10(value)).toFixed(1).replace("-", "−")} dB`,
};

export const pan = {
  positionOf: (value) => (value + 1) / 2, valueAt: (share) => share * 2 - 1,
  text: (value) => Math.abs(value) < 0.005 ? "Centre" : `${value < 0 ? "Left" : "Right"} ${Math.round(Math.abs(value) * 100)}`,
};

export class Fader {
  #input = document.createElement("input");
  #text = document.createElement("span");
  #control;
  #law;
  isHeld = false;

  /**
   * part: the path and the control of a parameter. law: positionOf(value) and valueAt(share), from 0 to 1, and
   * text(value). hold(path, on): begins or ends a gesture.
   */
  constructor(name, { path, control }, law, isVertical, isGuest, hold) {
    [this.#control, this.#law] = [control, law];
    const input = this.#input;
    input.type = "range";
    [input.min, input.max, input.step] = [0, steps, 1];
    this.name = name;
    if (isVertical) input.setAttribute("aria-orientation", "vertical");
    input.disabled = isGuest;
    input.addEventListener("pointerdown", () => {
      this.isHeld = true;
      hold(path, true);
      control.begin();
    });
    for (const event of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) {
      input.addEventListener(event, () => {
        if (!this.isHeld) return;
        this.isHeld = false;
        control.end();
        hold(path, false);
        this.show();
      });
    }
    input.addEventListener("input", () => control.move(Number(law.valueAt(input.value / steps).toPrecision(4))));
    input.addEventListener("dblclick", () => control.reset());
    input.addEventListener("keydown", ({ key }) => { if (key === "Delete") control.reset(); });
    this.#text.className = "kind";
    this.element = document.createElement("div");
    this.element.className = isVertical ? "fader vertical" : "fader";
    this.element.append(input, this.#text);
    control.observe(() => this.show());
    this.show();
  }

  set name(name) { this.#input.setAttribute("aria-label", name); }

  show() {
    const text = this.#law.text(this.#control.value);
    this.#text.textContent = text;
    this.#input.setAttribute("aria-valuetext", text);
    if (!this.isHeld) this.#input.value = Math.round(this.#law.positionOf(this.#control.value) * steps);
  }
}

/** A button that is on or off as a switch of the unit is. */
export function toggle(text, name, control, isGuest) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.title = name;
  element.setAttribute("aria-label", name);
  element.disabled = isGuest;
  element.addEventListener("click", () => control.move(control.value >= 0.5 ? 0 : 1));
  const show = () => element.setAttribute("aria-pressed", String(control.value >= 0.5));
  control.observe(show);
  show();
  return element;
}
