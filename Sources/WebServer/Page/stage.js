// What is needed on a stage: scenes and sounds as large buttons, levels, panic, and what is missing.

import { button } from "./button.js";
import { unitOf } from "./ends.js";
import { MeterView } from "./meters.js";
import { SoundsView, group, large } from "./sounds.js";

export class StageView {
  #isGuest;
  #actions;
  #ready = document.createElement("ul");
  #scenes = group("Scenes");
  #sounds = document.createElement("div");
  #meters = document.createElement("div");
  #levels = new Map();
  /** The sounds of samplers, by the ids of these. */
  #samplers = new Map();
  #isSeen = false;
  #state = null;

  /**
   * ask(request): sends a request, and returns its answer; send(request): the same, and says what
   * was wrong with it; panic(): ends all notes.
   */
  constructor(isGuest, ask, send, panic) {
    [this.#isGuest, this.#actions] = [isGuest, { ask, send }];
    const stop = button("Panic: end all notes", panic);
    stop.className = "danger large";
    stop.disabled = isGuest;
    this.#ready.className = "ready";
    this.#ready.setAttribute("aria-label", "Ready for stage");
    this.#meters.className = "levels";
    this.element = document.createElement("div");
    this.element.className = "stage";
    this.element.append(this.#ready, this.#scenes.element, stop, this.#meters, this.#sounds);
  }

  /** Asks for sounds only while somebody looks. */
  set isSeen(isSeen) {
    this.#isSeen = isSeen;
    for (const view of this.#samplers.values()) view.showPage(isSeen);
    this.#showSounds();
  }

  /** The session has changed: samplers may have other sounds. */
  changed() {
    for (const view of this.#samplers.values()) view.renew();
  }

  /** Shows the state of the session. */
  show(state) {
    const former = this.#state;
    this.#state = state;
    const lines = (state.missing ?? []).map((text) => ["missing", `✗ Missing: ${text}`]);
    if (lines.length === 0) lines.push(["there", "✓ Ready: nothing is missing"]);
    lines.push(state.isDirty ? ["open", "● Unsaved changes"] : ["there", "✓ Saved"]);
    this.#ready.replaceChildren(...lines.map(([name, text]) => {
      const item = document.createElement("li");
      item.className = name;
      item.textContent = text;
      return item;
    }));
    if (JSON.stringify(former?.scenes) !== JSON.stringify(state.scenes)) {
      this.#scenes.show(state.scenes.map((name) =>
        large(name, this.#isGuest, () => this.#actions.send({ command: "scene", action: "load", name }))));
    }
    this.#showSounds();
  }

  /** Shows the levels of the units that go to other programs. */
  showGraph(graph) {
    const units = new Set(graph.units.map(({ id }) => id));
    const last = graph.connections.filter(({ kind, to }) => kind === "audio" && !units.has(unitOf(to)))
      .map(({ from }) => unitOf(from));
    const ids = [...new Set(last)].filter((id) => units.has(id));
    if (JSON.stringify(ids) === JSON.stringify([...this.#levels.keys()])) return;
    this.#levels = new Map(ids.map((id) => [id, new MeterView()]));
    this.#meters.replaceChildren(...ids.map((id) => {
      const line = document.createElement("div");
      line.append(id, this.#levels.get(id).element);
      return line;
    }));
  }

  meter(units) {
    for (const [id, view] of this.#levels) if (units[id]) view.show(units[id].outputs);
  }

  draw(now, colours) {
    let isMoving = false;
    for (const view of this.#levels.values()) isMoving = view.draw(now, colours) || isMoving;
    return isMoving;
  }

  /** Shows the sounds of each sampler. */
  #showSounds() {
    if (!this.#isSeen || !this.#state) return;
    const units = this.#state.units.filter(({ component }) => component === "sampler");
    const ids = JSON.stringify(units.map(({ id }) => id));
    if (this.#sounds.dataset.units !== ids) {
      this.#sounds.dataset.units = ids;
      for (const view of this.#samplers.values()) view.showPage(false);
      this.#samplers = new Map(units.map(({ id }) => [id, new SoundsView(id, this.#isGuest, this.#actions)]));
      this.#sounds.replaceChildren(...[...this.#samplers.values()].map(({ element }) => element));
    }
    for (const unit of units) {
      const view = this.#samplers.get(unit.id);
      view.showUnit(unit);
      view.showPage(true);
    }
  }
}
