// The library for the views of units. A view imports it, and awaits connect().

const interval = 33;
const page = window.parent;
const asked = new Map();
let lastId = 0;
let unit = null;
let connected;
const connection = new Promise((resolve) => { connected = resolve; });

function send(message) { page.postMessage(message, "*"); }

function ask(what, values = {}) {
  const id = ++lastId;
  send({ type: "ask", id, what, ...values });
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
}

/** Calls functions with news. */
class Observable {
  #observers = new Set();

  /** Calls a function with each news. Returns a function that ends it. */
  observe(action) {
    this.#observers.add(action);
    return () => this.#observers.delete(action);
  }

  tell(news) { for (const action of this.#observers) action(news); }
}

/** A parameter of the unit. */
class Parameter extends Observable {
  #waiting = null;
  #timer = null;

  constructor(fields) {
    super();
    Object.assign(this, fields);
  }

  /** Begins a gesture: what is set until its end is one step of undo. others: paths that it moves too. */
  begin(others = []) { send({ type: "begin", path: this.path, others }); }

  /** Sets the value, within the range; ramp: in milliseconds. Of many values the last is always sent. */
  set(value, { ramp } = {}) {
    if (ramp !== undefined) {
      send({ type: "set", path: this.path, value, ramp });
      return;
    }
    this.value = Math.min(this.maximum, Math.max(this.minimum, value));
    this.#waiting = this.value;
    if (this.#timer === null) this.#flush();
  }

  /** Ends the gesture. */
  end() {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#flush();
    }
    send({ type: "end", path: this.path });
  }

  #flush() {
    this.#timer = null;
    if (this.#waiting === null) return;
    send({ type: "set", path: this.path, value: this.#waiting });
    this.#waiting = null;
    this.#timer = setTimeout(() => this.#flush(), interval);
  }

  take({ value, text }) {
    // What is on its way is newer.
    if (this.#waiting === null) this.value = value;
    this.text = text;
    this.tell(this);
  }
}

class Meters extends Observable {
  observe(action) {
    send({ type: "observe", what: "meters" });
    return super.observe(action);
  }
}

class Unit {
  parameters;
  /** { preset, chosenByMIDI, isBypassed } */
  state;
  /** { width, height, hostHasController } */
  configuration;
  meters = new Meters();
  states = new Observable();
  configurations = new Observable();

  constructor({ id, component, isGuest, parameters, state, configuration }) {
    [this.id, this.component, this.isGuest] = [id, component, isGuest];
    [this.state, this.configuration] = [state, configuration];
    this.parameters = new Map(parameters.map((fields) => [fields.path, new Parameter(fields)]));
  }

  presets() { return ask("presets"); }
  loadPreset(name) { return ask("loadPreset", { name }); }
  savePreset(name) { return ask("savePreset", { name }); }
  /** The curve of a filter or a compressor; at: frequencies in Hz, or levels in dB. */
  response(at) { return ask("response", { at }); }
}

/** Returns the unit once the page has told it. */
export function connect() {
  send({ type: "hello" });
  return connection;
}

window.addEventListener("message", ({ source, data }) => {
  if (source !== page) return;
  if (data.type === "ping") send({ type: "pong" });
  else if (data.type === "unit") connected(unit ??= new Unit(data));
  else if (data.type === "answer") {
    const { resolve, reject } = asked.get(data.id) ?? {};
    asked.delete(data.id);
    if (data.error === undefined) resolve?.(data.value); else reject?.(new Error(data.error));
  } else if (!unit) return;
  else if (data.type === "values") for (const news of data.values) unit.parameters.get(news.path)?.take(news);
  else if (data.type === "meters") unit.meters.tell(data.meters);
  else if (data.type === "state") unit.states.tell(unit.state = data.state);
  else if (data.type === "configuration") unit.configurations.tell(unit.configuration = data.configuration);
});
