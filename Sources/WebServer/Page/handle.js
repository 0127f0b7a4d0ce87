// A point of a plot that sets two parameters.

import { svg } from "./svg.js";

/** Half the size of the target, in pixels. */
const reach = 22;

/** The ways of keys: a semitone across, half a decibel up, six by the page, and a tenth for the third parameter. */
const musical = {
  across: (value, sign) => value * 2 ** (sign / 12), up: (value, sign) => value + sign / 2,
  page: (value, sign) => value + 6 * sign, third: (value, sign) => value * 1.1 ** sign,
};

/**
 * A slider in two dimensions: arrows left and right move it across, arrows up and down move it up and down.
 * The sliders of the two parameters do the same, one dimension each, with names and texts of their own.
 */
export class Handle {
  #plot;
  #across;
  #up;
  #third;
  #hold;
  #grip = null;
  #isFlat = () => false;
  #moves;

  /**
   * across, up: paths and controls of the two parameters, { path, control }; third, if any: that of the wheel
   * and of Shift with arrows. hold(path, on, others): begins or ends a gesture. isFlat(): whether it stays at 0 dB.
   * moves: the value after a key, in each direction.
   */
  constructor(plot, name, label, { across, up, third, isFlat, moves = musical }, isGuest, hold) {
    this.#moves = moves;
    [this.#plot, this.#across, this.#up, this.#third, this.#hold] = [plot, across, up, third, hold];
    if (isFlat) this.#isFlat = isFlat;
    this.element = svg(
      "g", { class: "handle", role: "slider", "aria-label": name, "aria-disabled": String(isGuest) },
      svg("circle", { class: "target", r: reach }), svg("circle", { class: "point", r: label ? 11 : 9 }));
    if (label) this.element.append(svg("text", { "text-anchor": "middle", y: 4, "aria-hidden": "true" }, label));
    plot.add(this.element, () => this.show());
    for (const { control } of this.#parts) control.observe(() => this.show());
    if (!isGuest) this.#listen();
  }

  set name(name) { this.element.setAttribute("aria-label", name); }

  get isHeld() { return this.#grip !== null; }

  get #parts() { return [this.#across, this.#up, this.#third].filter(Boolean); }

  #listen() {
    const element = this.element;
    element.setAttribute("tabindex", "0");
    // Without this a finger scrolls the page: "touch-action" has no effect within SVG.
    element.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.#grip) return;
      event.preventDefault();
      element.focus({ focusVisible: false });
      element.setPointerCapture(event.pointerId);
      const [x, y] = this.#place;
      // The point does not jump to the middle of the finger, nor when the page moves beneath it.
      this.#grip = { pointer: event.pointerId, x: x - event.clientX, y: y - event.clientY };
      this.#begin(true);
    });
    element.addEventListener("pointermove", (event) => {
      if (event.pointerId !== this.#grip?.pointer) return;
      this.#moveAcross(this.#plot.acrossAt(event.clientX + this.#grip.x));
      this.#moveUp(this.#plot.upAt(event.clientY + this.#grip.y));
    });
    element.addEventListener("lostpointercapture", (event) => {
      if (event.pointerId !== this.#grip?.pointer) return;
      this.#grip = null;
      this.#begin(false);
    });
    element.addEventListener("dblclick", () => this.#reset());
    element.addEventListener("keydown", (event) => { if (this.#key(event)) event.preventDefault(); });
    if (!this.#third) return;
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.deltaY !== 0) this.#moveThird(event.deltaY < 0 ? 1 : -1);
    }, { passive: false });
  }

  /** Holds both values, or lets them go. What is held is one gesture. */
  #begin(isOn) {
    const [{ path }, ...others] = [this.#across, this.#up];
    if (isOn) this.#hold(path, true, others.map((part) => part.path));
    for (const { control } of [this.#across, this.#up]) isOn ? control.begin() : control.end();
    if (!isOn) this.#hold(path, false);
  }

  #key({ key, shiftKey, altKey, ctrlKey, metaKey }) {
    if (altKey || ctrlKey || metaKey) return false;
    const [across, up] = [this.#across.control, this.#up.control];
    const sign = ["ArrowRight", "ArrowUp", "PageUp"].includes(key) ? 1 : -1;
    if (shiftKey && this.#third && key.startsWith("Arrow")) this.#moveThird(sign);
    else if (["ArrowLeft", "ArrowRight"].includes(key)) this.#moveAcross(this.#moves.across(across.value, sign));
    else if (["ArrowUp", "ArrowDown"].includes(key)) this.#moveUp(this.#moves.up(up.value, sign));
    else if (["PageUp", "PageDown"].includes(key)) this.#moveUp(this.#moves.page(up.value, sign));
    else if (key === "Home") this.#moveAcross(across.minimum);
    else if (key === "End") this.#moveAcross(across.maximum);
    else if (key === "Delete") this.#reset();
    else return false;
    return true;
  }

  #moveAcross(value) {
    const rounded = Number(value.toPrecision(4));
    if (rounded !== this.#across.control.value) this.#across.control.move(rounded);
  }

  #moveUp(value) {
    const rounded = Number(value.toFixed(1));
    if (!this.#isFlat() && rounded !== this.#up.control.value) this.#up.control.move(rounded);
  }

  #moveThird(steps) {
    const { control } = this.#third;
    control.move(Number(this.#moves.third(control.value, steps).toPrecision(3)));
  }

  #reset() { for (const { control } of this.#parts) control.reset(); }

  get #place() {
    return this.#plot.inside(this.#across.control.value, this.#isFlat() ? 0 : this.#up.control.value);
  }

  /** Draws it where its values are. */
  show() {
    this.element.setAttribute("transform", `translate(${this.#place.map((one) => one.toFixed(1)).join(" ")})`);
    const { value, minimum, maximum } = this.#across.control;
    const texts = this.#parts.map(({ control }) => control.shownText);
    const attributes = {
      "aria-valuenow": value, "aria-valuemin": minimum, "aria-valuemax": maximum, "aria-valuetext": texts.join(", "),
    };
    for (const [key, text] of Object.entries(attributes)) this.element.setAttribute(key, text);
  }
}
