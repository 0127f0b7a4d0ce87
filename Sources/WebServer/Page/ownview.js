// The view that a unit brings, in a frame that reaches nothing but this file.

/** The heights that are offered to a view, in pixels, the smallest first. */
const sizes = [["Small", 160], ["Medium", 320], ["Large", 560]];
/** Further messages of a view in a second are dropped. */
const mostMessages = 120;
/** A view that has not answered so many looks, one a second, is taken down. */
const mostSilence = 5;

export class OwnView {
  #unit;
  #controls;
  #isGuest;
  #actions;
  #button = document.createElement("button");
  #sizes = document.createElement("div");
  #fault = document.createElement("p");
  #frame = null;
  #path = null;
  /** Counts the openings, so that a late one is dropped. */
  #opening = 0;
  #timer = null;
  #silence = 0;
  #messages = 0;
  #wantsMeters = false;
  #isReady = false;
  #state = {};
  #configuration;
  /** The controls that the view holds, by the path that its gesture began with. */
  #held = new Map();
  /** The parameters whose values have to be told. */
  #moved = new Set();
  #take = (event) => { if (event.source === this.#frame?.contentWindow) this.#message(event.data); };
  element = document.createElement("div");

  /** controls: a ParameterControl for each path. actions: as for the view of a unit. */
  constructor(unit, controls, isGuest, actions) {
    [this.#unit, this.#controls, this.#isGuest, this.#actions] = [unit, controls, isGuest, actions];
    this.element.className = "own-view";
    this.#button.type = "button";
    this.#button.textContent = "View";
    this.#button.setAttribute("aria-label", `View of ${unit.id}`);
    this.#button.setAttribute("aria-pressed", "false");
    this.#button.addEventListener("click", () => this.#frame ? this.close() : this.#open());
    this.#sizes.setAttribute("role", "group");
    this.#sizes.setAttribute("aria-label", "Size of the view");
    this.#fault.setAttribute("role", "status");
    this.element.append(this.#button, this.#sizes, this.#fault);
    for (const [path, control] of controls) {
      control.observe(() => {
        this.#moved.add(path);
        if (this.#moved.size === 1 && this.#isReady) requestAnimationFrame(() => this.#tellValues());
      });
    }
  }

  async #open() {
    const number = ++this.#opening;
    this.#fault.textContent = "";
    const width = Math.max(160, Math.floor(this.element.clientWidth));
    const offered = sizes.map(([, height]) => ({ width, height, hostHasController: true }));
    let view;
    try {
      ({ view } = await this.#actions.ask({ command: "view", unit: this.#unit.id, configurations: offered }));
    } catch (error) {
      this.#fault.textContent = error.message;
      return;
    }
    if (number !== this.#opening) return void this.#actions.closeView(view.path);
    const { supported } = view;
    this.#path = view.path;
    this.#button.setAttribute("aria-pressed", "true");
    this.#sizes.replaceChildren(...supported.map((index) => this.#size(sizes[index][0], offered[index])));
    this.#sizes.hidden = supported.length < 2;
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.title = `View of ${this.#unit.id}`;
    frame.src = view.path;
    this.#frame = frame;
    window.addEventListener("message", this.#take);
    this.element.append(frame);
    // One that no size fits is scrolled.
    const first = supported.includes(1) ? 1 : supported[0] ?? 1;
    this.#choose(sizes[first][0], offered[first]);
    this.#silence = 0;
    this.#timer = setInterval(() => this.#look(), 1000);
  }

  #size(name, configuration) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => this.#choose(name, configuration));
    return button;
  }

  #choose(name, configuration) {
    this.#configuration = configuration;
    this.#frame.style.height = `${configuration.height}px`;
    for (const button of this.#sizes.children) {
      button.setAttribute("aria-pressed", String(button.textContent === name));
    }
    this.#post({ type: "configuration", configuration });
  }

  /** Once a second. A page that nobody sees gets no answers, and asks for none. */
  #look() {
    this.#messages = 0;
    if (document.hidden) return;
    if (++this.#silence > mostSilence) {
      this.close();
      this.#fault.textContent = `The view of ${this.#unit.id} does not answer, so it was closed.`;
      return;
    }
    this.#send({ type: "ping" });
  }

  close() {
    this.#opening++;
    clearInterval(this.#timer);
    window.removeEventListener("message", this.#take);
    for (const path of [...this.#held.keys()]) this.#end(path);
    this.#frame?.remove();
    if (this.#path) this.#actions.closeView(this.#path);
    [this.#frame, this.#path, this.#isReady, this.#wantsMeters] = [null, null, false, false];
    this.#sizes.replaceChildren();
    this.#button.setAttribute("aria-pressed", "false");
  }

  showMeters(meters) { if (this.#wantsMeters) this.#post({ type: "meters", meters }); }

  /** Shows the sound and the bypass of the unit. */
  showState(state) {
    this.#state = { ...this.#state, ...state };
    this.#post({ type: "state", state: this.#state });
  }

  #tellValues() {
    const values = [...this.#moved].map((path) => this.#values(path));
    this.#moved.clear();
    this.#post({ type: "values", values });
  }

  #values(path) {
    const control = this.#controls.get(path);
    return { path: this.#short(path), value: control.value, text: control.shownText };
  }

  #short(path) { return path.slice(this.#unit.id.length + 1); }

  #post(message) { if (this.#isReady) this.#send(message); }

  // A sandboxed frame has the origin "null", which cannot be named.
  #send(message) { this.#frame?.contentWindow.postMessage(message, "*"); }

  #message(data) {
    if (typeof data !== "object" || data === null || ++this.#messages > mostMessages) return;
    switch (data.type) {
      case "pong": this.#silence = 0; break;
      case "hello": this.#welcome(); break;
      case "observe": if (data.what === "meters") this.#wantsMeters = true; break;
      case "begin": this.#begin(data.path, Array.isArray(data.others) ? data.others : []); break;
      case "set": this.#set(data); break;
      case "end": this.#end(data.path); break;
      case "ask": this.#ask(data); break;
    }
  }

  #welcome() {
    this.#isReady = true;
    this.#silence = 0;
    this.#moved.clear();
    this.#send({
      type: "unit", id: this.#unit.id, component: this.#unit.component, isGuest: this.#isGuest, state: this.#state,
      configuration: this.#configuration,
      parameters: [...this.#controls].map(([path, { reading }]) => ({
        ...reading, ...reading.display, display: undefined, ...this.#values(path),
      })),
    });
  }

  /** The control of a path that the view names; undefined if it cannot be set. */
  #settable(path) {
    const control = typeof path === "string" ? this.#controls.get(`${this.#unit.id}/${path}`) : undefined;
    return this.#isGuest || control?.isReading ? undefined : control;
  }

  #begin(path, others) {
    if (this.#held.has(path) || !this.#settable(path)) return;
    const held = [path, ...others.filter((one) => one !== path && this.#settable(one))];
    this.#held.set(path, held);
    const [first, ...rest] = held.map((one) => `${this.#unit.id}/${one}`);
    this.#actions.hold(first, true, rest);
    for (const one of held) this.#settable(one).begin();
  }

  #end(path) {
    const held = this.#held.get(path);
    if (!held) return;
    this.#held.delete(path);
    for (const one of held) this.#settable(one).end();
    this.#actions.hold(`${this.#unit.id}/${path}`, false);
  }

  #set({ path, value, ramp }) {
    const control = this.#settable(path);
    if (!control || !Number.isFinite(value)) return;
    if (ramp === undefined) control.move(value);
    else if (Number.isFinite(ramp)) {
      this.#actions.send({ command: "set", path: `${this.#unit.id}/${path}`, value, ramp }).catch(() => {});
    }
  }

  async #ask({ id, what, name, at }) {
    const unit = this.#unit.id;
    const frame = this.#frame;
    let answer;
    try {
      switch (what) {
        case "presets": answer = (await this.#actions.ask({ command: "preset", unit, action: "list" })).presets; break;
        case "loadPreset": await this.#actions.ask({ command: "preset", unit, action: "load", name }); break;
        case "savePreset": await this.#actions.ask({ command: "preset", unit, action: "save", name }); break;
        case "response": answer = (await this.#actions.ask({ command: "response", unit, at })).response; break;
        default: throw new Error(`a view cannot ask for '${what}'`);
      }
      if (frame === this.#frame) this.#send({ type: "answer", id, value: answer });
    } catch (error) {
      if (frame === this.#frame) this.#send({ type: "answer", id, error: error.message });
    }
  }
}
