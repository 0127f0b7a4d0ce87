// The patchbay: units as boxes, and cables between their ports.

import { anchors, boxElement, boxesOf, connectionsOf, portKey } from "./boxes.js";
import { button } from "./button.js";
import { CableLevels, curve } from "./cables.js";
import { isCalm } from "./frames.js";
import { arrange, Kept } from "./kept.js";
import { layout } from "./layout.js";
import { Roving } from "./roving.js";
import { svg } from "./svg.js";
import { slack, Viewport } from "./viewport.js";

/** The least zoom at first: a phone shows a part that can be read. */
const readable = 0.5;
/** The way of a box by a key. */
const stride = 20;
/** The most commands of a request. */
const most = 256;
/** The time after the last key before a box's place is sent, in milliseconds. */
const rest = 600;
/** The time in which news of a place come after the answer, in milliseconds. */
const patience = 500;

export class PatchbayView {
  #isGuest;
  #actions;
  #boxes = [];
  #cables = [];
  #places = new Map();
  /** The places of boxes that nobody has placed. */
  #laidOut = new Map();
  /** The places of units that the session does not have yet, and when they are sent. */
  #held = new Map();
  /** The places of other boxes, kept by the browser; for guests, who change no session, of all. */
  #own;
  #storage;
  #elements = new Map();
  #keptBoxes = new Kept(boxText, (box) => boxElement(box, this.#isGuest, {
    ...this.#actions, press: (port) => this.#choose(port),
    remove: (unit) => this.#actions.send({ command: "remove", unit, ringOut: true }),
  }));
  #keptCables = new Kept(({ key }) => key, (cable) => this.#cableElement(cable));
  #ports = new Map();
  #units = new Map();
  /** The port that waits for another one. */
  #armed = null;
  /** What a pointer drags: `{pointer, port}` or `{pointer, box}`, and its way. */
  #drag = null;
  #isFitted = false;
  /** The boxes and the connections that are shown, as text. */
  #text = "";

  #area = document.createElement("div");
  #svg = svg("svg");
  #world = svg("g");
  #loose = svg("path", { class: "loose" });
  #layer = document.createElement("div");
  #levels = new CableLevels();
  #view = new Viewport(this.#area, () => this.#moved());
  #rovers = {
    heads: new Roving(this.#area, "horizontal"), ports: new Roving(this.#area, "vertical"),
    cables: new Roving(this.#area, "vertical"),
  };

  /** actions: show(unit), bypass(unit, on), replace(unit), send(request), and changed() when something has to be drawn. */
  constructor(session, isGuest, actions) {
    [this.#isGuest, this.#actions] = [isGuest, actions];
    this.#storage = `auricle places ${session}`;
    this.#own = stored(this.#storage);
    this.#area.className = "patchbay";
    this.#area.setAttribute("role", "group");
    this.#area.setAttribute("aria-label", "Patchbay");
    this.#svg.append(this.#world);
    this.#layer.className = "boxes";
    this.#area.append(this.#svg, this.#levels.element, this.#layer);
    this.#area.addEventListener("pointerdown", (event) => this.#press(event));
    this.#area.addEventListener("pointermove", (event) => this.#pull(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.#area.addEventListener(name, (event) => {
        // A finger is captured by what it touched first.
        if (name !== "lostpointercapture" || event.target === this.#area) this.#drop(event, name === "pointerup");
      });
    }
    this.#area.addEventListener("keydown", (event) => this.#type(event));
    this.#area.addEventListener("focusin", ({ target }) => {
      if (target.matches(":focus-visible")) this.#view.reveal(target.querySelector?.(".line") ?? target);
    });
    new ResizeObserver(() => this.#resize()).observe(this.#area);
    this.element = document.createElement("div");
    this.element.append(this.#makeTools(), this.#area);
  }

  #makeTools() {
    const tools = document.createElement("div");
    tools.className = "row tools";
    tools.setAttribute("role", "group");
    tools.setAttribute("aria-label", "View of the patchbay");
    const named = (text, name, action) => {
      const one = button(text, action);
      one.setAttribute("aria-label", name);
      one.title = name;
      return one;
    };
    const legend = document.createElement("span");
    legend.className = "legend kind";
    for (const [kind, text] of [["audio", "Audio"], ["midi", "MIDI"], ["parameters", "Parameters"]]) {
      const line = svg("path", { d: "M2 5H38", class: `line ${kind}` });
      legend.append(svg("svg", { viewBox: "0 0 40 10", "aria-hidden": "true" }, line), text);
    }
    tools.append(
      named("−", "Smaller", () => this.#view.zoomBy(1 / 1.3)), named("+", "Larger", () => this.#view.zoomBy(1.3)),
      button("Fit", () => this.#fit()), button("Lay out again", () => this.#layOutAgain()), legend);
    return tools;
  }

  // The graph

  show(graph) {
    const shown = boxesOf(graph, this.#isGuest);
    const connections = connectionsOf(graph);
    const text = JSON.stringify([shown.map(boxText), shown.map((box) => this.#placed(box)), connections]);
    if (text === this.#text) return;
    this.#text = text;
    this.#boxes = shown;
    const boxes = new Map();
    this.#ports = new Map();
    for (const { id, inputs, outputs } of this.#boxes) {
      for (const port of [...inputs, ...outputs]) {
        boxes.set(port.key, id);
        this.#ports.set(port.key, port);
      }
    }
    if (this.#armed && !this.#ports.has(this.#armed.key)) this.#armed = null;
    this.#cables = connections.map(({ from, to, kind, isForeign = false }) => {
      const cable = { from, to, kind, isForeign, key: `${isForeign ? "foreign " : ""}${kind} ${from} ${to}` };
      if (kind === "parameters") {
        return { ...cable, start: `out parameters ${from}`, end: `in parameters ${to}`, boxes: [from, to] };
      }
      const [start, end] = [portKey(from, true), portKey(to, false)];
      return { ...cable, start, end, boxes: [boxes.get(start), boxes.get(end)] };
    });
    this.#place();
    this.#drawBoxes();
    this.#drawCables();
    if (!this.#isFitted) this.#fit(readable);
  }

  /** Whether the session keeps the place of a box. */
  #isOfSession({ unit }) { return !this.#isGuest && unit !== null && unit.component !== "control"; }

  /** Where somebody has placed a box. */
  #placed(box) {
    const [x, y] = box.unit?.place ?? [];
    const place = x === undefined ? null : { x, y };
    return this.#isOfSession(box) ? place : this.#own[box.id] ?? place;
  }

  /** Boxes that have a place keep it; others are laid out. */
  #place() {
    const edges = this.#cables.map(({ boxes: [from, to] }) => ({ from, to }));
    const laidOut = layout(this.#boxes, edges);
    const former = this.#places;
    this.#places = new Map();
    for (const box of this.#boxes) {
      const { id } = box;
      // What somebody holds stays.
      const held = this.#drag?.box === id && this.#drag.isMoving ? former.get(id) : this.#held.get(id)?.place;
      const place = held ?? this.#placed(box) ?? this.#laidOut.get(id);
      if (place) this.#places.set(id, { ...place });
    }
    const known = new Map(this.#boxes.map((box) => [box.id, box]));
    for (const box of this.#boxes) {
      if (this.#places.has(box.id)) continue;
      const place = { ...laidOut.get(box.id) };
      const isTaken = () => [...this.#places].some(([id, other]) => {
        const { width, height } = known.get(id);
        return place.x < other.x + width && other.x < place.x + box.width
          && place.y < other.y + height && other.y < place.y + box.height;
      });
      while (isTaken()) place.y += stride;
      this.#places.set(box.id, place);
      this.#laidOut.set(box.id, place);
    }
  }

  #drawBoxes() {
    const [head, port] = [this.#rovers.heads.focused, this.#rovers.ports.focused];
    const sorted = [...this.#boxes].sort((one, other) => {
      const [a, b] = [this.#places.get(one.id), this.#places.get(other.id)];
      return a.x - b.x || a.y - b.y;
    });
    const made = this.#keptBoxes.take(sorted);
    this.#elements = new Map(made.map((one, index) => [sorted[index].id, one]));
    arrange(this.#layer, made.map(({ element }) => element));
    for (const id of this.#elements.keys()) this.#putBox(id);
    for (const unit of this.#units.values()) this.showUnit(unit);
    this.#rovers.heads.show(made.flatMap(({ heads }) => heads), head);
    this.#rovers.ports.show(made.flatMap(({ ports }) => ports), port);
    this.#showArmed();
  }

  #putBox(id) {
    const { element } = this.#elements.get(id);
    const { x, y } = this.#places.get(id);
    [element.style.left, element.style.top] = [`${x}px`, `${y}px`];
  }

  #drawCables() {
    const focused = this.#rovers.cables.focused;
    const elements = this.#keptCables.take(this.#cables);
    this.#cables.forEach((cable, index) => { cable.element = elements[index]; });
    arrange(this.#world, [...elements, this.#loose]);
    this.#putCables();
    this.#rovers.cables.show(elements, focused);
  }

  #cableElement(cable) {
    const isFixed = this.#isFixed(cable);
    const text = `${cable.kind} cable from ${cable.from} to ${cable.to}${cable.isForeign ? ", of another program" : ""}`;
    const element = svg(
      "g", {
        class: `cable ${cable.kind}${isFixed ? "" : " removable"}${cable.isForeign ? " foreign" : ""}`, role: isFixed ? "img" : "button",
        "aria-label": isFixed ? text : `Remove the ${text}`,
      },
      ...["reach", "line"].map((name) => svg("path", { class: `${name} ${cable.kind}` })));
    element.dataset.key = cable.key;
    if (!isFixed) element.addEventListener("click", () => this.#cut(cable));
    return element;
  }

  #putCables() {
    const places = anchors(this.#boxes, this.#places);
    for (const cable of this.#cables) {
      const [start, end] = [places.get(cable.start), places.get(cable.end)];
      if (!start || !end) continue;
      cable.d = curve(start, end);
      for (const path of cable.element.children) path.setAttribute("d", cable.d);
    }
    const audio = this.#cables.filter(({ kind, d }) => kind === "audio" && d);
    this.#levels.show(audio.map(({ from, d }) => ({ source: from, d })));
    this.#actions.changed();
  }

  /** Shows the bypass of a unit. */
  showUnit(unit) {
    this.#units.set(unit.id, unit);
    const made = this.#elements.get(unit.id);
    made?.element.querySelector(".bypass")?.setAttribute("aria-pressed", String(unit.isBypassed));
    made?.element.classList.toggle("bypassed", unit.isBypassed);
  }

  showBypass({ unit, on }) { this.showUnit({ ...this.#units.get(unit), id: unit, isBypassed: on }); }

  // Levels

  meter(units) { this.#levels.meter(units); }

  draw(now, colours) { return this.#levels.draw(now, colours, this.#view, isCalm()); }

  // The view

  #moved() {
    const { x, y, zoom } = this.#view;
    this.#world.setAttribute("transform", `translate(${x} ${y}) scale(${zoom})`);
    this.#layer.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    this.#levels.invalidate();
    this.#actions.changed();
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#area;
    if (clientWidth === 0) return;
    this.#levels.resize(clientWidth, clientHeight);
    if (!this.#isFitted && this.#text) this.#fit(readable);
    this.#moved();
  }

  #fit(least) {
    if (this.#area.clientWidth === 0 || this.#boxes.length === 0) return;
    const rectangles = this.#boxes.map(({ id, width, height }) => ({ ...this.#places.get(id), width, height }));
    const left = Math.min(...rectangles.map(({ x }) => x));
    const top = Math.min(...rectangles.map(({ y }) => y));
    this.#view.fit({
      x: left, y: top, width: Math.max(...rectangles.map(({ x, width }) => x + width)) - left,
      height: Math.max(...rectangles.map(({ y, height }) => y + height)) - top,
    }, least);
    this.#isFitted = true;
  }

  #layOutAgain() {
    const commands = this.#boxes.filter((box) => this.#isOfSession(box) && (this.#held.has(box.id) || this.#placed(box)))
      .map(({ id }) => ({ command: "place", unit: id }));
    while (commands.length > 0) {
      this.#actions.send({ command: "together", commands: commands.splice(0, most) }).catch(() => {});
    }
    for (const { timer } of this.#held.values()) clearTimeout(timer);
    this.#held.clear();
    this.#laidOut.clear();
    this.#own = {};
    store(this.#storage, this.#own);
    for (const { unit } of this.#boxes) if (unit) delete unit.place;
    this.#placeAgain();
    this.#fit();
  }

  #placeAgain() {
    this.#place();
    this.#drawBoxes();
    this.#putCables();
  }

  // Connecting

  /** Takes a port that was clicked: the first waits for the second. */
  #choose(port) {
    if (!this.#armed || this.#armed.key === port.key || !this.#fits(this.#armed, port)) {
      this.#armed = this.#armed?.key === port.key ? null : port;
      return this.#showArmed();
    }
    return this.#connect(this.#armed, port);
  }

  #fits(one, other) { return one.kind === other.kind && one.isOutput !== other.isOutput; }

  #connect(one, other) {
    const [from, to] = one.isOutput ? [one, other] : [other, one];
    this.#armed = null;
    this.#showArmed();
    return this.#actions.send({ command: "connect", from: from.end, to: to.end });
  }

  /** Whether the page cannot end a cable: mappings make those of parameters. */
  #isFixed({ kind, isForeign }) { return this.#isGuest || isForeign || kind === "parameters"; }

  #cut(cable) {
    if (this.#isFixed(cable)) return;
    const { from, to } = cable;
    this.#actions.send({ command: "disconnect", from, to }).catch(() => {});
  }

  /** Shows the port that waits, and the ports that fit it. */
  #showArmed() {
    const armed = this.#armed ?? this.#drag?.port;
    for (const { ports } of this.#elements.values()) {
      for (const element of ports) {
        const port = this.#ports.get(element.dataset.key);
        element.setAttribute("aria-pressed", String(port?.key === armed?.key));
        element.classList.toggle("unfit", Boolean(armed && port && port.key !== armed.key && !this.#fits(armed, port)));
      }
    }
  }

  // Pointers

  #press(event) {
    if (event.button !== 0) return;
    // A second finger pinches, whatever the first one held.
    if (this.#drag) {
      this.#view.grab({ pointerId: this.#drag.pointer, clientX: this.#drag.x, clientY: this.#drag.y });
      this.#endDrag();
      return this.#view.grab(event);
    }
    const port = event.target.closest?.(".port");
    const box = event.target.closest?.(".box");
    if ((port || box) && event.isPrimary) {
      this.#drag = {
        pointer: event.pointerId, x: event.clientX, y: event.clientY, isMoving: false,
        port: port && !this.#isGuest ? this.#ports.get(port.dataset.key) : null, box: box.dataset.box,
        from: { ...this.#places.get(box.dataset.box) }, start: this.#view.worldPlace(event),
      };
    } else {
      this.#view.grab(event);
    }
  }

  #pull(event) {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    if (event.buttons === 0) return this.#endDrag();
    if (!drag.isMoving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < slack) return;
      drag.isMoving = true;
      // From here on it is no click.
      this.#area.setPointerCapture(event.pointerId);
      if (drag.port) this.#armed = null;
      this.#showArmed();
    }
    [drag.x, drag.y] = [event.clientX, event.clientY];
    const place = this.#view.worldPlace(event);
    if (drag.port) {
      const own = anchors(this.#boxes, this.#places).get(drag.port.key);
      if (!own) return this.#endDrag();
      this.#loose.setAttribute("d", drag.port.isOutput ? curve(own, place) : curve(place, own));
    } else if (this.#places.has(drag.box)) {
      this.#moveBox(drag.box, drag.from.x + place.x - drag.start.x, drag.from.y + place.y - drag.start.y);
    }
  }

  #drop(event, isDone) {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    this.#endDrag(isDone);
    if (!isDone || !drag.isMoving) return;
    if (!drag.port) return this.#keepPlace(drag.box);
    const element = document.elementFromPoint(event.clientX, event.clientY)?.closest(".port");
    const port = element && this.#ports.get(element.dataset.key);
    if (port && this.#fits(drag.port, port)) this.#connect(drag.port, port).catch(() => {});
  }

  /** isKept: whether a box that was dragged stays where it is. */
  #endDrag(isKept = false) {
    const drag = this.#drag;
    this.#drag = null;
    this.#loose.removeAttribute("d");
    this.#showArmed();
    if (drag?.isMoving && !drag.port && !isKept) this.#placeAgain();
  }

  #moveBox(id, x, y) {
    this.#places.set(id, { x: Math.round(x), y: Math.round(y) });
    this.#putBox(id);
    this.#putCables();
  }

  /** Keeps the place of a box, after a while without another one. */
  #keepPlace(id, delay = 0) {
    const place = this.#places.get(id);
    if (!this.#isOfSession(this.#boxes.find((box) => box.id === id))) {
      this.#own[id] = place;
      return store(this.#storage, this.#own);
    }
    clearTimeout(this.#held.get(id)?.timer);
    const held = { place, timer: setTimeout(() => this.#sendPlace(id, held), delay) };
    this.#held.set(id, held);
  }

  async #sendPlace(id, held) {
    const { x, y } = held.place;
    await this.#actions.send({ command: "place", unit: id, place: [x, y] }).catch(() => {});
    setTimeout(() => {
      if (this.#held.get(id) !== held) return;
      this.#held.delete(id);
      this.#placeAgain();
    }, patience);
  }

  // Keys

  #type(event) {
    if (event.key === "Escape" && (this.#armed || this.#drag)) {
      this.#armed = null;
      return this.#endDrag();
    }
    const cable = this.#cables.find(({ element }) => element === event.target);
    if (cable && ["Delete", "Backspace", "Enter", " "].includes(event.key)) {
      event.preventDefault();
      return this.#cut(cable);
    }
    const id = event.target.closest?.(".box")?.dataset.box;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!id || !way || !event.shiftKey) return;
    event.preventDefault();
    const { x, y } = this.#places.get(id);
    this.#moveBox(id, x + way[0] * stride, y + way[1] * stride);
    this.#keepPlace(id, rest);
    this.#view.reveal(event.target);
  }
}

/** All that a box shows: the JACK ports and the place of its unit are not among it. */
function boxText(box) { return JSON.stringify(box, (key, value) => key === "ports" || key === "place" ? undefined : value); }

function stored(key) {
  try {
    const value = JSON.parse(localStorage.getItem(key)) ?? {};
    const isPlace = (place) => Number.isFinite(place?.x) && Number.isFinite(place?.y);
    return Object.fromEntries(Object.entries(value).filter(([, place]) => isPlace(place)));
  } catch { return {}; }
}

/** Where storage is refused, the places last as long as the page. */
function store(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* see above */ }
}
