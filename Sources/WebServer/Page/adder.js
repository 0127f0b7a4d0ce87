// A new unit, or another one in place of one, of a component from a list that is searched.

import { button } from "./button.js";
import { SearchList } from "./search.js";

export class AdderView {
  #ask;
  #send;
  #ids = new Set();
  #isKnown = false;
  /** The component whose files are shown; null for the components. */
  #component = null;
  /** The unit that a choice replaces; null to add one. */
  #replaced = null;
  #summary = document.createElement("summary");
  #found = new SearchList(
    "Search what to add", 200, ({ name, title, tags }) => [name, title, ...(tags ?? [])].join(" "),
    (choice) => this.#item(choice));
  #name = document.createElement("input");
  #back = button("All components", () => this.#look(null));
  #add = button("Add instead", () => this.replace(null));

  /** ask(of): returns the choices; send(request): sends a request, and says what was wrong with it. */
  constructor(ask, send) {
    [this.#ask, this.#send] = [ask, send];
    const details = document.createElement("details");
    details.className = "presets adder";
    this.#name.type = "text";
    this.#name.placeholder = "name";
    this.#name.setAttribute("aria-label", "Name of the new unit");
    const row = document.createElement("div");
    row.className = "row";
    row.append(this.#found.field, this.#name, this.#add, this.#back);
    details.append(this.#summary, row, this.#found.list);
    details.addEventListener("toggle", () => { if (details.open && !this.#isKnown) this.#look(null); });
    this.element = details;
    this.replace(null);
  }

  /** Lets a choice replace a unit; null adds one. */
  replace(unit) {
    this.#replaced = unit;
    this.#summary.textContent = unit === null ? "Add a unit" : `Replace ${unit}`;
    [this.#name.hidden, this.#add.hidden] = [unit !== null, unit === null];
    if (unit === null) return;
    this.element.open = true;
    this.#summary.focus();
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Takes the ids of the units that there are. */
  show(graph) {
    this.#ids = new Set(graph.units.map(({ id }) => id));
    if (!this.#ids.has(this.#replaced)) this.replace(null);
  }

  async #look(component) {
    const choices = await this.#ask(component).catch(() => null);
    this.#isKnown = choices !== null;
    this.#component = component;
    this.#back.hidden = component === null;
    this.#found.field.value = "";
    this.#found.show(choices ?? []);
    if (component !== null) this.#found.field.focus();
  }

  #item(choice) {
    const item = document.createElement("li");
    item.append(button(choice.title ? `${choice.title} (${choice.name})` : choice.name, () => this.#choose(choice)));
    return item;
  }

  #choose({ name }) {
    if (this.#component !== null) {
      return this.#make(this.#component, [`soundfont=${JSON.stringify(name)}`]);
    }
    // A sampler is silent without a SoundFont.
    return name === "sampler" ? this.#look(name) : this.#make(name, []);
  }

  async #make(component, settings) {
    const replaced = this.#replaced;
    const unit = replaced ?? (this.#name.value.trim() || this.#freeName(component));
    await this.#send({ command: replaced === null ? "add" : "replace", unit, component, settings });
    this.#name.value = "";
    this.replace(null);
  }

  /** "delay", or "delay-2" if there is one. */
  #freeName(component) {
    let name = component;
    for (let number = 2; this.#ids.has(name); number++) name = `${component}-${number}`;
    return name;
  }
}
