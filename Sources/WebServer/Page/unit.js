// The generic view of a unit.

import { MeterView } from "./meters.js";
import { ParameterControl } from "./parameter.js";

export class UnitView {
  #controls = new Map();
  #bypass;
  meter = new MeterView();

  /** actions: set(path, value), which returns a promise; hold(path, on);
      bypass(unit, on); fail(error). */
  constructor(unit, readings, isGuest, actions) {
    const section = document.createElement("section");
    const id = `unit-${unit.id}`;
    section.setAttribute("aria-labelledby", id);
    const header = document.createElement("header");
    const names = document.createElement("div");
    const title = document.createElement("h2");
    title.id = id;
    title.textContent = unit.id;
    const kind = document.createElement("div");
    kind.className = "kind";
    kind.textContent = [unit.component, unit.preset].filter(Boolean).join(", ");
    names.append(title, kind);
    header.append(names);
    if (unit.component !== "control") {
      this.#bypass = document.createElement("button");
      this.#bypass.type = "button";
      this.#bypass.textContent = "Bypass";
      this.#bypass.setAttribute("aria-label", `Bypass ${unit.id}`);
      this.#bypass.disabled = isGuest;
      this.#bypass.addEventListener("click", () => {
        actions.bypass(unit.id, this.#bypass.getAttribute("aria-pressed") !== "true");
      });
      header.append(this.#bypass);
      this.showBypass(unit.isBypassed);
    }
    section.append(header, this.meter.element);
    this.element = section;
    let group = "";
    for (const reading of readings) {
      const parts = reading.path.split("/").slice(1);
      const name = reading.display?.name ?? words(parts.at(-1));
      parts.pop();
      const parent = parts.map(words).join(", ");
      if (parent !== group) {
        const heading = document.createElement("h3");
        heading.textContent = parent;
        section.append(heading);
        group = parent;
      }
      const control = new ParameterControl(
        reading, name, isGuest, (value) => actions.set(reading.path, value),
        (isOn) => actions.hold(reading.path, isOn), actions.fail);
      this.#controls.set(reading.path, control);
      section.append(control.element);
    }
  }

  show(reading) {
    const control = this.#controls.get(reading.path);
    control?.show(reading);
    return control !== undefined;
  }

  showBypass(isOn) { this.#bypass?.setAttribute("aria-pressed", String(isOn)); }
}

/** "attackTime" as "Attack time". */
function words(name) {
  const text = name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
