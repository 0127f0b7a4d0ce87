// One session, on all pages.

import { AdderView } from "./adder.js";
import { GraphView } from "./graph.js";
import { HealthView } from "./health.js";
import { JournalView } from "./journal.js";
import { PatchbayView } from "./patchbay.js";
import { StageView } from "./stage.js";
import { UnitsView } from "./units.js";

export class SessionView {
  name;
  #isGuest;
  #connection;
  #actions;
  #panels;
  #units;
  #patchbay;
  #graph;
  #adder;
  #stage;
  #journal;
  #health;
  /** The units whose MIDI, spectra and frames are asked for. */
  #midi = new Wanted(() => {
    if (this.#ids && JSON.stringify(this.#wantedMIDI) !== this.#watchedMIDI) this.#watch().catch(() => {});
  });
  #spectra = new Wanted(() => this.#watchSpectra());
  #scopes = new Wanted(() => this.#watchSpectra());
  #watchedMIDI = "[]";
  /** Counts the loads, so that a late one is dropped. */
  #load = 0;
  #planned = null;
  /** The ids of the units; null until they are listed. */
  #ids = null;
  /** The units that are shown, with their kinds. */
  #shown = "";
  /** The number of changes so far. */
  #changes;
  /** The parts of the session's state that are shown, as text: many notices change none of them. */
  #told = new Map();

  /**
   * panels: the elements of the pages by their names. actions: say(text); showPage(name); showState(reading), the
   * state of the session when it has changed; changed() when something has to be drawn; run(request), which says what it did.
   */
  constructor(name, isGuest, connection, panels, actions) {
    [this.name, this.#isGuest, this.#connection, this.#panels, this.#actions] =
      [name, isGuest, connection, panels, actions];
    const ask = (request) => this.#ask(request);
    const send = (request) => this.send(request);
    const bypass = (unit, on) => this.send({ command: "bypass", unit, on }).catch(() => {});
    this.#units = new UnitsView(panels.units, isGuest, {
      send, ask, bypass, changed: actions.changed, fail: (error) => actions.say(error.message),
      closeView: (path) => connection.closeView(path).catch(() => {}),
      followMIDI: (part, units) => this.#midi.set(part, units),
      watchSpectra: (units) => this.#spectra.set("units", units),
      set: (path, value) => this.#ask({ command: "set", path, value }),
      hold: (path, on, others) => this.#ask({ command: "gesture", path, on, with: others }).catch(() => {}),
    });
    this.#patchbay = new PatchbayView(
      name, isGuest, {
        send, bypass, changed: actions.changed, show: (id) => this.#showUnit(id),
        replace: (id) => this.#adder.replace(id),
      });
    this.#graph = new GraphView(isGuest, send);
    let components = null;
    this.#adder = isGuest ? null : new AdderView(async (of) => {
      if (of !== null) return (await ask({ command: "choices", of })).choices;
      return (components ??= (await ask({ command: "choices" })).choices);
    }, send);
    this.#stage = new StageView(isGuest, ask, send, () => actions.run({ command: "panic" }));
    this.#journal = new JournalView(
      (from) => ask({ command: "journal", from }).then(({ journal }) => journal), actions.say,
      isGuest ? null : (to) => actions.run({ command: "undo", to }));
    const patchbay = [this.#patchbay, this.#adder, this.#graph].filter(Boolean);
    panels.patchbay.append(...patchbay.map(({ element }) => element));
    panels.stage.append(this.#stage.element);
    panels.journal.append(this.#journal.element);
    this.#health = new HealthView({
      ask, changed: actions.changed,
      watch: (units) => this.#midi.set("monitor", units),
      watchSpectra: (units, scopes) => {
        this.#spectra.set("health", units);
        this.#scopes.set("health", scopes);
      },
    });
    panels.health.append(this.#health.element);
    this.#loadUnits();
  }

  close() {
    this.#load++;
    clearTimeout(this.#planned);
    this.#units.isShown = false;
    this.#units.close();
    this.#stage.isSeen = false;
    this.#journal.isSeen = false;
    this.#health.isSeen = false;
    for (const panel of Object.values(this.#panels)) panel.replaceChildren();
  }

  /** Takes what the session tells. */
  take({ session, meters, graph, change, bypass, load, midi, spectra }) {
    if (session) {
      this.#showState(session);
    } else if (meters) {
      for (const part of [this.#units, this.#patchbay, this.#stage, this.#health]) part.meter(meters.units);
      this.#actions.changed();
    } else if (graph) {
      for (const part of [this.#patchbay, this.#graph, this.#adder]) part?.show(graph);
      for (const part of [this.#stage, this.#units, this.#health]) part.showGraph(graph);
    } else if (change) {
      if (!this.#units.change(change)) this.#scheduleLoad();
    } else if (bypass) {
      this.#units.view(bypass.unit)?.showBypass(bypass.on);
      this.#patchbay.showBypass(bypass);
    } else if (load) {
      this.#health.takeLoad(load);
    } else if (spectra) {
      for (const part of [this.#units, this.#health]) part.takeSpectra(spectra);
      this.#actions.changed();
    } else if (midi) {
      for (const part of [this.#health, this.#units]) part.takeMIDI(midi);
    }
  }

  /** Takes the page that is shown: some ask only while somebody looks. */
  showPage(name) {
    this.#units.isShown = name === "units";
    this.#stage.isSeen = name === "stage";
    this.#journal.isSeen = name === "journal";
    this.#health.isSeen = name === "health";
  }

  /** Draws what moves on a page. Returns whether it still does. */
  draw(page, now, colours) {
    const part = { units: this.#units, patchbay: this.#patchbay, stage: this.#stage, health: this.#health }[page];
    return part?.draw(now, colours) ?? false;
  }

  /** Sends a request, and says what was wrong with it. */
  async send(request) {
    try {
      const answer = await this.#ask(request);
      this.#actions.say("");
      return answer;
    } catch (error) {
      this.#actions.say(error.message);
      throw error;
    }
  }

  #ask(request) { return this.#connection.request(this.name, request); }

  /** Goes to the view of a unit. */
  #showUnit(id) {
    const element = this.#units.view(id)?.element;
    if (!element) return;
    this.#actions.showPage("units");
    element.tabIndex = -1;
    element.scrollIntoView({ block: "nearest" });
    element.focus({ preventScroll: true });
  }

  /** Units came or went: they are listed again, once for several. */
  #scheduleLoad() {
    this.#planned ??= setTimeout(() => { this.#planned = null; this.#loadUnits(); }, 200);
  }

  /** A watch of a unit that is gone would be refused. */
  get #wantedMIDI() {
    return this.#midi.units.filter((id) => id === "*" || this.#ids.has(id)).sort();
  }

  /** Another watch ends the former one. */
  async #watch() {
    const midi = this.#wantedMIDI;
    this.#watchedMIDI = JSON.stringify(midi);
    const watched = await this.#ask({
      command: "watch", paths: ["*"], meters: ["*"], topics: ["session", "graph", "load"], midi,
    });
    // Events between the two watches are lost.
    this.#units.forgetKeys();
    return watched;
  }

  #watchSpectra() {
    this.#ask({ command: "watch", spectra: this.#spectra.units, scopes: this.#scopes.units }).catch(() => {});
  }

  async #loadUnits() {
    const number = ++this.#load;
    try {
      const listed = (await this.#ask({ command: "list" })).units;
      this.#ids = new Set(listed.map(({ id }) => id));
      const watched = await this.#watch();
      if (number !== this.#load) return;
      this.#health.showUnits(listed.map(({ id }) => id));
      this.#shown = outline(listed);
      this.#units.show(listed, watched.parameters);
      this.#told.delete("mappings");
      if (this.#isGuest) this.#actions.say("You are a guest: you can look, but not change anything.");
    } catch (error) { if (number === this.#load) this.#actions.say(error.message); }
  }

  /** Shows the state of the session: its file, what is missing, and the units that came or went. */
  #showState(reading) {
    if (this.#shown && outline(reading.units) !== this.#shown) this.#scheduleLoad();
    for (const unit of reading.units) {
      if (!this.#isNew(`unit ${unit.id}`, unit)) continue;
      this.#units.view(unit.id)?.showUnit(unit);
      this.#patchbay.showUnit(unit);
    }
    if (this.#isNew("mappings", reading.mappings)) this.#units.showMappings(reading.mappings);
    const { changes, ...rest } = reading;
    this.#journal.show(changes);
    // The first number may come after a change that what is listed already does not have.
    if (changes !== this.#changes) {
      for (const part of [this.#stage, this.#units]) part.changed();
    }
    this.#changes = changes;
    if (!this.#isNew("state", rest)) return;
    this.#stage.show(reading);
    this.#actions.showState(reading);
  }

  /** Whether a part of the state differs from the one that was told last. */
  #isNew(key, value) {
    const text = JSON.stringify(value);
    if (this.#told.get(key) === text) return false;
    this.#told.set(key, text);
    return true;
  }
}

/** The units that parts of the page ask for. */
class Wanted {
  #parts = new Map();
  #told = "[]";
  #changed;

  /** changed(): called once after several parts have changed. */
  constructor(changed) { this.#changed = changed; }

  set(part, units) {
    this.#parts.set(part, units);
    queueMicrotask(() => {
      const text = JSON.stringify(this.units);
      if (text !== this.#told) this.#changed();
      this.#told = text;
    });
  }

  get units() { return [...new Set([...this.#parts.values()].flat())]; }
}

function outline(listed) { return JSON.stringify(listed.map(({ id, component }) => [id, component])); }
