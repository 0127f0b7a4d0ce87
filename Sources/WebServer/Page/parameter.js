// The control of a parameter: a slider, a switch or a list.

const steps = 1000;
/** The shortest time between two values of a moved slider, in milliseconds. */
const interval = 33;
/** A value of one's own is not moved by older ones that are still on their way. */
const rest = 400;

let lastNumber = 0;

export class ParameterControl {
  #reading;
  #set;
  #input;
  #output;
  #isHeld = false;
  #movedAt = -Infinity;
  #waiting = null;
  #timer = null;
  #display;
  #hold;
  #isDisabled;
  #fail;
  #mapping = document.createElement("span");
  #value;
  #observers = [];
  #observedText;

  /**
   * set(value): sends a value, and returns a promise. hold(isOn): begins or ends a gesture.
   * fail(error): shows why a value was refused.
   */
  constructor(reading, name, isDisabled, set, hold, fail) {
    this.#reading = reading;
    this.#value = reading.value;
    this.#display = reading.display ?? {};
    this.#hold = hold;
    this.#isDisabled = isDisabled;
    this.#set = set;
    this.#fail = fail;
    const id = `parameter-${++lastNumber}`;
    const element = document.createElement("div");
    element.className = "parameter";
    const label = document.createElement(reading.isReading ? "span" : "label");
    label.className = "name";
    label.textContent = name;
    this.#mapping.className = "mapping";
    if (!reading.isReading) label.htmlFor = id;
    element.append(label);
    label.append(this.#mapping);
    this.element = element;
    if (reading.isReading) {
      this.#output = document.createElement("output");
      element.append(this.#output);
    } else {
      this.#input = this.#makeInput(element);
      this.#input.id = id;
      this.#input.disabled = isDisabled;
    }
    this.show(reading);
  }

  get reading() { return this.#reading; }
  /** The value that is shown: one's own while it moves. */
  get value() { return this.#value; }
  get minimum() { return this.#reading.minimum; }
  get maximum() { return this.#reading.maximum; }
  /** The name of the value that is shown, if it has one. */
  get valueName() { return this.#reading.values[Math.round(this.#value - this.#reading.minimum)] ?? ""; }
  /** The value as it is shown, with its unit. */
  get shownText() { return this.#input?.getAttribute("aria-valuetext") ?? this.#reading.text; }
  get isReading() { return this.#reading.isReading; }

  /** Calls an action whenever another value or text is shown, and whenever a value was sent. */
  observe(action) { this.#observers.push(action); }

  /** Holds the value, as a finger on the slider does. The gesture is the caller's. */
  begin() { this.#isHeld = true; }

  /** Moves the slider to a value, within its range. */
  move(value) {
    const { minimum, maximum } = this.#reading;
    const limited = Math.min(maximum, Math.max(minimum, value));
    this.#input.value = this.#positionOf(limited);
    this.#move(limited);
  }

  /** Sends the last value, and lets go. */
  end() {
    this.#isHeld = false;
    // The last value is part of the gesture.
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#flush();
    }
    this.#settle();
  }

  /** Sets the value of a new unit. */
  reset() { if (this.#display.standard !== undefined) this.move(this.#display.standard); }

  #showValue(value) {
    this.#value = value;
    this.#notify();
  }

  #notify() {
    this.#observedText = this.shownText;
    for (const action of this.#observers) action();
  }

  get #kind() {
    const { values, text, minimum, maximum } = this.#reading;
    if (values.length === 0 && minimum === 0 && maximum === 1 && ["On", "Off"].includes(text)) return "switch";
    return values.length > 0 ? "list" : "slider";
  }

  #makeInput(element) {
    const reading = this.#reading;
    if (this.#kind === "switch") {
      const input = document.createElement("input");
      input.type = "checkbox";
      input.setAttribute("role", "switch");
      input.addEventListener("change", () => this.#send(input.checked ? 1 : 0));
      element.append(input);
      return input;
    }
    if (this.#kind === "list") {
      const input = document.createElement("select");
      reading.values.forEach((text, index) => input.add(new Option(text, reading.minimum + index)));
      input.addEventListener("change", () => this.#send(Number(input.value)));
      element.append(input);
      return input;
    }
    const input = document.createElement("input");
    this.#output = this.#makeField(input);
    input.type = "range";
    [input.min, input.max, input.step] = this.#display.isWhole
      ? [reading.minimum, reading.maximum, 1] : [0, steps, 1];
    input.addEventListener("pointerdown", () => {
      this.#isHeld = true;
      this.#hold(true);
    });
    input.addEventListener("dblclick", () => this.reset());
    input.addEventListener("keydown", (event) => {
      if (event.key === "Delete") this.reset();
      if (event.key === "Enter") this.#output.select();
    });
    for (const name of ["pointerup", "pointercancel", "blur", "lostpointercapture"]) {
      input.addEventListener(name, () => this.#release());
    }
    input.addEventListener("input", () => this.#move(this.#valueAt(Number(input.value))));
    element.append(this.#output, input);
    return input;
  }

  /** The value as text, to be typed too. Enter on the slider goes to it, so it is no stop of Tab. */
  #makeField(slider) {
    const field = document.createElement("input");
    field.type = "text";
    field.className = "value";
    field.tabIndex = -1;
    field.disabled = this.#isDisabled;
    field.setAttribute("aria-label", `${this.#display.name ?? "Value"}, typed`);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      if (event.key === "Enter") this.#sendText(field.value);
      slider.focus();
    });
    // A text that was left without Enter was not meant.
    field.addEventListener("blur", () => this.#showText(this.#reading.text));
    return field;
  }

  #sendText(text) {
    const value = text.trim();
    this.#set(value).catch((error) => this.#fail(error));
  }

  get #isLogarithmic() {
    return this.#display.isLogarithmic && this.#reading.minimum > 0;
  }

  #valueAt(position) {
    const { minimum, maximum } = this.#reading;
    if (this.#display.isWhole) return position;
    const share = position / steps;
    const value = this.#isLogarithmic
      ? minimum * (maximum / minimum) ** share : minimum + (maximum - minimum) * share;
    return Math.min(maximum, Math.max(minimum, Number(value.toPrecision(6))));
  }

  #positionOf(value) {
    const { minimum, maximum } = this.#reading;
    if (this.#display.isWhole) return Math.round(value);
    if (maximum <= minimum) return 0;
    const share = this.#isLogarithmic
      ? Math.log(value / minimum) / Math.log(maximum / minimum) : (value - minimum) / (maximum - minimum);
    return Math.round(share * steps);
  }

  /** Sends the values of a moving slider no faster than they are heard, and always the last. */
  #move(value) {
    this.#movedAt = performance.now();
    this.#showText(shortNumber(value));
    this.#waiting = value;
    this.#showValue(value);
    if (this.#timer === null) this.#flush();
  }

  #flush() {
    this.#timer = null;
    if (this.#waiting === null) return;
    const value = this.#waiting;
    this.#waiting = null;
    this.#send(value);
    this.#timer = setTimeout(() => this.#flush(), interval);
  }

  #send(value) {
    this.#movedAt = performance.now();
    this.#set(value).catch((error) => {
      this.#movedAt = -Infinity;
      this.show(this.#reading);
      this.#fail(error);
    });
    this.#showValue(value);
  }

  #release() {
    if (!this.#isHeld) return;
    this.end();
    this.#hold(false);
  }

  #settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => { if (!this.#isHeld) this.show(this.#reading); }, rest);
  }

  /** Shows a value from elsewhere; a slider that is held stays under the finger. */
  show(reading) {
    this.#reading = reading;
    if (this.#isHeld) return;
    if (performance.now() - this.#movedAt < rest) {
      this.#showText(reading.text);
      if (this.shownText !== this.#observedText) this.#notify();
      return this.#settle();
    }
    if (this.#kind === "switch") this.#input && (this.#input.checked = reading.value >= 0.5);
    else if (this.#input) {
      this.#input.value = this.#kind === "list" ? Math.round(reading.value) : this.#positionOf(reading.value);
    }
    this.#showText(reading.text);
    if (reading.value !== this.#value || this.shownText !== this.#observedText) this.#showValue(reading.value);
  }

  /** Shows what moves the parameter, such as "controller=74"; "" for nothing. */
  showMapping(text) { this.#mapping.textContent = text === "" ? "" : ` ${text}`; }

  #showText(text) {
    const { unit, values } = this.#reading;
    const whole = unit && values.length === 0 ? `${text} ${unit}` : text;
    if (this.#output?.tagName === "OUTPUT") this.#output.textContent = whole;
    else if (this.#output && document.activeElement !== this.#output) this.#output.value = whole;
    if (this.#kind === "slider" && this.#input) this.#input.setAttribute("aria-valuetext", whole);
  }
}

function shortNumber(value) {
  return String(Number(value.toPrecision(4)));
}
