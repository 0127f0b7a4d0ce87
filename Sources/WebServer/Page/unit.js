// The generic view of a unit.

import { ControllerView } from "./controllers.js";
import { KeyboardView } from "./keyboard.js";
import { MeterView } from "./meters.js";
import { OwnView } from "./ownview.js";
import { ParameterControl } from "./parameter.js";
import { PresetView } from "./presets.js";
import { specialView } from "./views.js";

export class UnitView {
  #controls = new Map();
  #id;
  #isGuest;
  #actions;
  #isShown = true;
  #keyboard = null;
  #controllers = null;
  #bypass;
  /** The view of its component, or null. */
  special;
  #own = null;
  #kind = document.createElement("div");
  meter = new MeterView();

  /** actions: set(path, value), which returns a promise; hold(path, on, others);
      bypass(unit, on); fail(error); send(request); ask(request), which says nothing;
      followMIDI(part, units), which asks for the MIDI of units on behalf of a part of the page. */
  constructor(unit, readings, isGuest, actions) {
    [this.#id, this.#isGuest, this.#actions] = [unit.id, isGuest, actions];
    const section = document.createElement("section");
    const id = `unit-${unit.id}`;
    section.setAttribute("aria-labelledby", id);
    const header = document.createElement("header");
    const names = document.createElement("div");
    const title = document.createElement("h2");
    title.id = id;
    title.textContent = unit.id;
    this.#kind.className = "kind";
    names.append(title, this.#kind);
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
    }
    section.append(header, this.meter.element);
    if (!isGuest && unit.component !== "control") {
      section.append(new PresetView(unit.id, actions.send).element);
    }
    this.element = section;
    const controls = [];
    const titles = new Map();
    let group = "";
    for (const reading of readings) {
      const parts = reading.path.split("/").slice(1);
      const name = reading.display?.name ?? words(parts.at(-1));
      parts.pop();
      const parent = parts.map(words).join(", ");
      if (parent !== group) {
        const heading = document.createElement("h3");
        heading.textContent = parent;
        controls.push(heading);
        group = parent;
      }
      const control = new ParameterControl(
        reading, name, isGuest, (value) => actions.set(reading.path, value),
        (isOn) => actions.hold(reading.path, isOn), actions.fail);
      this.#controls.set(reading.path, control);
      if (!reading.isReading) titles.set(reading.path, [parent, name].filter(Boolean).join(", "));
      controls.push(control.element);
    }
    this.special = specialView(unit, this.#controls, isGuest, actions);
    if (this.special) this.meter.element.after(this.special.element);
    if (unit.hasView) {
      this.#own = new OwnView(unit, this.#controls, isGuest, actions);
      this.meter.element.after(this.#own.element);
    }
    section.append(...this.special?.isWhole ? [folded("All parameters", controls)] : controls);
    if (!isGuest && titles.size > 0) {
      this.#controllers = new ControllerView(unit.id, titles, actions.send);
      section.append(this.#controllers.element);
    }
    this.showUnit(unit);
  }

  /** Ends its keyboard and its views. */
  close() {
    this.#own?.close();
    this.special?.showPage?.(false);
    this.#endKeyboard();
  }

  show(reading) {
    const control = this.#controls.get(reading.path);
    control?.show(reading);
    return control !== undefined;
  }

  /** Shows its levels, as the session tells them. */
  showMeters(meters) {
    this.meter.show(meters.outputs);
    this.special?.showMeters?.(meters);
    this.#own?.showMeters(meters);
  }

  /** Shows the spectrum of its output. */
  showSpectrum(levels) { this.special?.showSpectrum?.(levels); }

  /** Draws its levels. Returns whether they still move. */
  draw(now, colours) {
    const isMoving = this.meter.draw(now, colours);
    return this.special?.draw?.(now, colours) || isMoving;
  }

  /** Shows what the graph tells of it: a keyboard if the unit takes MIDI. */
  showGraph(unit, connections) {
    this.special?.showGraph?.(unit, connections);
    const takesMIDI = unit.takesMIDI && unit.component !== "control";
    if (!takesMIDI) this.#endKeyboard();
    if (!takesMIDI || this.#keyboard) return;
    const { send, followMIDI } = this.#actions;
    this.#keyboard = new KeyboardView(
      this.#id, this.#isGuest, send, (isFollowed) => followMIDI(`keyboard ${this.#id}`, isFollowed ? [this.#id] : []));
    this.#keyboard.isShown = this.#isShown;
    this.meter.element.after(this.#keyboard.element);
  }

  /** Whether the page of the units is shown. */
  set isShown(isShown) {
    this.#isShown = isShown;
    if (this.#keyboard) this.#keyboard.isShown = isShown;
    this.special?.showPage?.(isShown);
  }

  /** Takes events of its MIDI. */
  takeMIDI(events) { this.#keyboard?.take(events); }

  /** Forgets the keys that others hold. */
  forgetKeys() { this.#keyboard?.clear(); }

  #endKeyboard() {
    this.#keyboard?.close();
    this.#keyboard = null;
  }

  /** Shows its sound and its bypass. */
  showUnit(unit) {
    this.#kind.textContent = [unit.component, unit.chosenByMIDI ?? unit.preset].filter(Boolean).join(", ");
    this.#own?.showState({ preset: unit.preset, chosenByMIDI: unit.chosenByMIDI });
    this.special?.showUnit?.(unit);
    this.showBypass(unit.isBypassed);
  }

  /** Shows what moves the parameters: a list of paths, with the settings of each mapping. */
  showMappings(mappings) {
    const texts = new Map();
    for (const { path, settings } of mappings) {
      texts.set(path, [texts.get(path), settings.join(", ")].filter(Boolean).join("; "));
    }
    for (const [path, control] of this.#controls) control.showMapping(texts.get(path) ?? "");
    this.#controllers?.show(mappings);
  }

  showBypass(isOn) {
    this.#bypass?.setAttribute("aria-pressed", String(isOn));
    this.special?.element.classList.toggle("bypassed", isOn);
    this.#own?.showState({ isBypassed: isOn });
  }
}

/** Elements that are shown once their name is opened. */
function folded(name, elements) {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = name;
  details.append(summary, ...elements);
  return details;
}

/** "attackTime" as "Attack time". */
function words(name) {
  const text = name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
