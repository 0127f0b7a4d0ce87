// The units of a session, each with its view.

import { arrange } from "./kept.js";
import { Poll } from "./poll.js";
import { UnitView } from "./unit.js";

export class UnitsView {
  #panel;
  #isGuest;
  #actions;
  /** The views by the ids of their units, and what they were made of. */
  #views = new Map();
  /** The views that are seen: others are not drawn. */
  #seen = new Set();
  #isShown = true;
  /** The units whose spectra are asked for, as text. */
  #spectra = "[]";
  #observer;
  /** Whether voices are counted. */
  #hasVoices = false;
  #status;

  /** actions: as for the view of a unit, changed() when something has to be drawn, and watchSpectra(ids), at most eight. */
  constructor(panel, isGuest, actions) {
    [this.#panel, this.#isGuest, this.#actions] = [panel, isGuest, actions];
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.#seen[isIntersecting ? "add" : "delete"](target);
      actions.changed();
      this.#followSpectra();
    });
    this.#status = new Poll(1000, () => actions.ask({ command: "status" }), ({ status }) => {
      for (const unit of status.unitStatus ?? []) this.view(unit.id)?.special?.showStatus?.(unit);
    });
  }

  /** Shows units in their order. Those that are the same keep their views, and what is open there. */
  show(listed, readings) {
    const own = new Map(listed.map(({ id }) => [id, []]));
    for (const reading of readings) own.get(unitOf(reading.path))?.push(reading);
    const former = this.#views;
    this.#views = new Map(listed.map((unit) => {
      const values = own.get(unit.id);
      const made = JSON.stringify([unit.component, values.map(({ value, text, ...fixed }) => fixed)]);
      const known = former.get(unit.id);
      if (known?.made !== made) return [unit.id, { view: this.#make(unit, values), made }];
      former.delete(unit.id);
      for (const reading of values) known.view.show(reading);
      return [unit.id, known];
    }));
    for (const { view } of former.values()) {
      this.#observer.unobserve(view.element);
      this.#seen.delete(view.element);
      view.close();
    }
    arrange(this.#panel, [...this.#views.values()].map(({ view }) => view.element));
    this.#hasVoices = listed.some(({ component }) => component === "sampler");
    this.isShown = this.#isShown;
  }

  #make(unit, values) {
    const view = new UnitView(unit, values, this.#isGuest, this.#actions);
    this.#observer.observe(view.element);
    return view;
  }

  /** Whether their page is shown. */
  set isShown(isShown) {
    this.#isShown = isShown;
    for (const { view } of this.#views.values()) view.isShown = isShown;
    this.#status.isOn = isShown && this.#hasVoices;
    this.#followSpectra();
  }

  /** Asks for the spectra that are seen. */
  #followSpectra() {
    const seen = [...this.#views].filter(([, { view }]) => view.special?.showSpectrum && this.#seen.has(view.element));
    const ids = this.#isShown ? seen.map(([id]) => id).slice(0, 8) : [];
    if (JSON.stringify(ids) === this.#spectra) return;
    this.#spectra = JSON.stringify(ids);
    this.#actions.watchSpectra(ids);
  }

  /** The session has changed. */
  changed() {
    for (const { view } of this.#views.values()) view.special?.renew?.();
  }

  takeMIDI({ units }) {
    for (const [id, events] of Object.entries(units)) this.view(id)?.takeMIDI(events);
  }

  takeSpectra({ units }) {
    for (const [id, { levels }] of Object.entries(units)) this.view(id)?.showSpectrum(levels);
  }

  /** Forgets the keys that others hold. */
  forgetKeys() {
    for (const { view } of this.#views.values()) view.forgetKeys();
  }

  close() {
    for (const { view } of this.#views.values()) view.close();
    this.#observer.disconnect();
    this.#panel.replaceChildren();
  }

  view(id) { return this.#views.get(id)?.view; }

  /** Shows the value of a parameter. Returns whether it is known. */
  change(reading) { return this.view(unitOf(reading.path))?.show(reading) ?? false; }

  /** Shows the mappings of all parameters. */
  showMappings(mappings) {
    for (const [id, { view }] of this.#views) view.showMappings(mappings.filter(({ path }) => unitOf(path) === id));
  }

  showGraph({ units, connections }) {
    for (const unit of units) this.view(unit.id)?.showGraph(unit, connections);
  }

  meter(units) {
    for (const [id, meters] of Object.entries(units)) this.view(id)?.showMeters(meters);
  }

  draw(now, colours) {
    let isMoving = false;
    for (const { view } of this.#views.values()) {
      if (this.#seen.has(view.element)) isMoving = view.draw(now, colours) || isMoving;
    }
    return isMoving;
  }
}

function unitOf(path) { return path.split("/")[0]; }
