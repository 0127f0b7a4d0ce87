// The MIDI controllers that move a unit's parameters: learned and removed.

import { button } from "./button.js";

/** The time in which a controller has to be moved, in seconds. */
const patience = 30;

export class ControllerView {
  #send;
  #names;
  #list = document.createElement("ul");
  #select = document.createElement("select");
  #learn = button("Learn", () => this.#wait());
  #state = document.createElement("span");

  /** names: the names of the parameters by their paths. send(request): as for presets. */
  constructor(unit, names, send) {
    [this.#names, this.#send] = [names, send];
    const details = document.createElement("details");
    details.className = "presets controllers";
    const summary = document.createElement("summary");
    summary.textContent = "Controllers";
    this.#select.replaceChildren(...[...names].map(([path, name]) => new Option(name, path)));
    this.#select.setAttribute("aria-label", `Parameter of ${unit} for a controller`);
    this.#learn.setAttribute("aria-label", `Learn a controller for ${unit}`);
    this.#state.setAttribute("role", "status");
    const row = document.createElement("div");
    row.className = "row";
    row.append(this.#select, this.#learn, this.#state);
    details.append(summary, this.#list, row);
    this.element = details;
    this.show([]);
  }

  /** Shows the mappings of the unit. */
  show(mappings) {
    this.#list.replaceChildren(...mappings.map(({ path, settings }) => {
      const name = this.#names.get(path) ?? path;
      const item = document.createElement("li");
      const text = document.createElement("span");
      text.textContent = `${name}: ${settings.join(", ")}`;
      const remove = button("Remove", () => this.#send({ command: "unmap", path }));
      remove.setAttribute("aria-label", `Remove the controllers of ${name}`);
      item.append(text, remove);
      return item;
    }));
    if (mappings.length > 0) return;
    const none = document.createElement("li");
    none.textContent = "No controller moves its parameters.";
    this.#list.append(none);
  }

  /** Waits for a controller. The session tells the new mapping to all pages. */
  async #wait() {
    const path = this.#select.value;
    this.#learn.disabled = true;
    this.#state.textContent = `Move a controller for ${this.#names.get(path)} within ${patience} s.`;
    try {
      await this.#send({ command: "learn", path, timeout: patience });
      this.#state.textContent = "Learned.";
    } catch { this.#state.textContent = ""; } finally { this.#learn.disabled = false; }
  }
}
