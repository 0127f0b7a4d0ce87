// The presets of a unit: searched, loaded, saved and deleted.

import { button } from "./button.js";
import { SearchList } from "./search.js";

export class PresetView {
  #unit;
  #send;
  #found;
  /** The number of the preset that was chosen last. */
  #current;
  #name = document.createElement("input");

  /** send(request): sends a request, returns its answer, and says what was wrong with it. */
  constructor(unit, send) {
    [this.#unit, this.#send] = [unit, send];
    const details = document.createElement("details");
    details.className = "presets";
    const summary = document.createElement("summary");
    summary.textContent = "Presets";
    this.#found = new SearchList(
      `Search the presets of ${unit}`, 300, ({ name, bank, program }) => bank === undefined ? name : `${name} ${bank}:${program}`,
      (preset) => this.#item(preset), ({ bank }) => bank === undefined ? "" : `Bank ${bank}`);
    this.#name.type = "text";
    this.#name.placeholder = "name";
    this.#name.setAttribute("aria-label", `Name of a new preset of ${unit}`);
    const save = button("Save", () => this.#save());
    save.setAttribute("aria-label", `Save a preset of ${unit}`);
    const row = document.createElement("div");
    row.className = "row";
    row.append(this.#name, save);
    details.append(summary, this.#found.field, this.#found.list, row);
    // Nobody asks for them before somebody looks.
    details.addEventListener("toggle", () => { if (details.open) this.#load(); });
    this.element = details;
  }

  async #load() {
    const answer = await this.#send({ command: "preset", unit: this.#unit, action: "list" }).catch(() => null);
    const presets = answer?.presets ?? [];
    this.#current = presets.find(({ isCurrent }) => isCurrent)?.number;
    // Another choice makes no other lines.
    this.#found.show(presets.map(({ isCurrent, ...rest }) => rest));
    for (const one of this.#found.list.querySelectorAll("[data-number]")) this.#mark(one);
  }

  #mark(load) { load.setAttribute("aria-current", String(Number(load.dataset.number) === this.#current)); }

  #item({ name, number, program }) {
    const item = document.createElement("li");
    const load = button(name, () => this.#change({ action: "load", name }));
    if (program !== undefined) load.title = `Program ${program}`;
    load.dataset.number = number;
    this.#mark(load);
    item.append(load);
    // The user's own have numbers below 0.
    if (number < 0) {
      const remove = button("Delete", () => this.#change({ action: "delete", name }));
      remove.setAttribute("aria-label", `Delete the preset ${name}`);
      item.append(remove);
    }
    return item;
  }

  async #change(action) {
    await this.#send({ command: "preset", unit: this.#unit, ...action });
    await this.#load();
  }

  async #save() {
    const name = this.#name.value.trim();
    if (name === "") return this.#name.focus();
    await this.#change({ action: "save", name });
    this.#name.value = "";
  }
}
