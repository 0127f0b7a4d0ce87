// The presets of a unit: searched, loaded, saved and deleted.

import { button } from "./button.js";

export class PresetView {
  #unit;
  #send;
  #list = document.createElement("ul");
  #search = document.createElement("input");
  #name = document.createElement("input");
  #presets = [];

  /** send(request): sends a request, returns its answer, and says what was wrong with it. */
  constructor(unit, send) {
    [this.#unit, this.#send] = [unit, send];
    const details = document.createElement("details");
    details.className = "presets";
    const summary = document.createElement("summary");
    summary.textContent = "Presets";
    this.#search.type = "search";
    this.#search.placeholder = "Search";
    this.#search.setAttribute("aria-label", `Search the presets of ${unit}`);
    this.#search.addEventListener("input", () => this.#show());
    this.#name.type = "text";
    this.#name.placeholder = "name";
    this.#name.setAttribute("aria-label", `Name of a new preset of ${unit}`);
    const save = button("Save", () => this.#save());
    save.setAttribute("aria-label", `Save a preset of ${unit}`);
    const row = document.createElement("div");
    row.className = "row";
    row.append(this.#name, save);
    details.append(summary, this.#search, this.#list, row);
    // Nobody asks for them before somebody looks.
    details.addEventListener("toggle", () => { if (details.open) this.#load(); });
    this.element = details;
  }

  async #load() {
    const answer = await this.#send({ command: "preset", unit: this.#unit, action: "list" }).catch(() => null);
    this.#presets = answer?.presets ?? [];
    this.#show();
  }

  #show() {
    const words = this.#search.value.toLowerCase().split(/\s+/);
    const found = this.#presets.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    this.#list.replaceChildren(...found.slice(0, 300).map((preset) => this.#item(preset)));
    if (found.length === 0) this.#list.textContent = this.#presets.length === 0 ? "There are none." : "None is called so.";
  }

  #item({ name, number, isCurrent }) {
    const item = document.createElement("li");
    const load = button(name, () => this.#change({ action: "load", name }));
    if (isCurrent) load.setAttribute("aria-current", "true");
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
