// A new unit, of a component from a list that is searched.

import { button } from "./button.js";

const most = 200;

export class AdderView {
  #ask;
  #send;
  #ids = new Set();
  #choices = null;
  /** The component whose files are shown; null for the components. */
  #component = null;
  #list = document.createElement("ul");
  #search = document.createElement("input");
  #name = document.createElement("input");
  #back = button("All components", () => this.#look(null));

  /** ask(of): returns the choices; send(request): sends a request, and says what was wrong with it. */
  constructor(ask, send) {
    [this.#ask, this.#send] = [ask, send];
    const details = document.createElement("details");
    details.className = "presets adder";
    const summary = document.createElement("summary");
    summary.textContent = "Add a unit";
    this.#search.type = "search";
    this.#search.placeholder = "Search";
    this.#search.setAttribute("aria-label", "Search what to add");
    this.#search.addEventListener("input", () => this.#show());
    this.#name.type = "text";
    this.#name.placeholder = "name";
    this.#name.setAttribute("aria-label", "Name of the new unit");
    const row = document.createElement("div");
    row.className = "row";
    row.append(this.#search, this.#name, this.#back);
    details.append(summary, row, this.#list);
    details.addEventListener("toggle", () => { if (details.open && !this.#choices) this.#look(null); });
    this.element = details;
  }

  /** Takes the ids of the units that there are. */
  show(graph) { this.#ids = new Set(graph.units.map(({ id }) => id)); }

  async #look(component) {
    this.#choices = await this.#ask(component).catch(() => null);
    this.#component = component;
    this.#back.hidden = component === null;
    this.#search.value = "";
    this.#show();
    if (component !== null) this.#search.focus();
  }

  #show() {
    const words = this.#search.value.toLowerCase().split(/\s+/);
    const all = this.#choices ?? [];
    const found = all.filter(({ name, title, tags }) => {
      const text = [name, title, ...(tags ?? [])].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.#list.replaceChildren(...found.slice(0, most).map((choice) => {
      const item = document.createElement("li");
      item.append(button(choice.title ? `${choice.title} (${choice.name})` : choice.name, () => this.#choose(choice)));
      return item;
    }));
    if (found.length === 0) this.#list.textContent = all.length === 0 ? "There are none." : "None is called so.";
  }

  #choose({ name }) {
    if (this.#component !== null) {
      return this.#add(this.#component, [`soundfont=${JSON.stringify(name)}`]);
    }
    // A sampler is silent without a SoundFont.
    return name === "sampler" ? this.#look(name) : this.#add(name, []);
  }

  async #add(component, settings) {
    const unit = this.#name.value.trim() || this.#freeName(component);
    await this.#send({ command: "add", unit, component, settings });
    this.#name.value = "";
  }

  /** "delay", or "delay-2" if there is one. */
  #freeName(component) {
    let name = component;
    for (let number = 2; this.#ids.has(name); number++) name = `${component}-${number}`;
    return name;
  }
}
