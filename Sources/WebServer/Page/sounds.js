// The sounds of a sampler as large buttons.

import { button } from "./button.js";

/** The most sounds that are shown. */
const most = 64;
/** The least time between two lists, in milliseconds. */
const interval = 1000;

/** The sounds are the entries of a live set, or else the presets of the SoundFont. */
export class SoundsView {
  #unit;
  #isGuest;
  #actions;
  #group;
  #listed = "[]";
  #current = null;
  #isSeen = false;
  #isOld = true;
  #timer = null;

  /** actions: ask(request); send(request), which says what was wrong. level: that of the heading. */
  constructor(unit, isGuest, actions, level) {
    [this.#unit, this.#isGuest, this.#actions] = [unit, isGuest, actions];
    this.#group = group(`Sounds of ${unit}`, level);
    this.element = this.#group.element;
  }

  /** Asks for sounds only while somebody looks. */
  showPage(isShown) {
    this.#isSeen = isShown;
    this.#list();
  }

  /** Lists them again: another SoundFont may be loaded. */
  renew() {
    this.#isOld = true;
    this.#list();
  }

  /** Marks the sound that plays. */
  showUnit({ preset, chosenByMIDI }) {
    this.#current = chosenByMIDI ? null : preset;
    for (const one of this.element.querySelectorAll("button")) {
      one.setAttribute("aria-current", String(one.textContent === this.#current));
    }
  }

  async #list() {
    if (!this.#isSeen || !this.#isOld || this.#timer !== null) return;
    this.#isOld = false;
    this.#timer = setTimeout(() => { this.#timer = null; this.#list(); }, interval);
    const unit = this.#unit;
    const { ask, send } = this.#actions;
    const answer = await ask({ command: "preset", unit, action: "list" }).catch(() => null);
    // Refused while the sampler changes: asked for again after the interval.
    if (!answer) return void (this.#isOld = true);
    const names = answer.presets.filter(({ number }) => number >= 0).map(({ name }) => name);
    const text = JSON.stringify(names);
    // The same buttons keep the focus.
    if (text === this.#listed) return;
    this.#listed = text;
    const rest = names.length - most;
    this.#group.show(
      names.slice(0, most).map((name) =>
        large(name, this.#isGuest, () => send({ command: "preset", unit, action: "load", name }))),
      rest > 0 ? `${rest} more are among the presets of ${unit}.` : "");
    this.showUnit({ preset: this.#current });
  }
}

/** A button for a finger that is in a hurry. */
export function large(name, isGuest, action) {
  const one = button(name, action);
  one.className = "large";
  one.disabled = isGuest;
  return one;
}

/** A group of buttons below its name, which is hidden without buttons. */
export function group(name, level = "h2") {
  const element = document.createElement("div");
  const title = document.createElement(level);
  title.textContent = name;
  const row = document.createElement("div");
  row.className = "row";
  const remark = document.createElement("p");
  remark.className = "kind";
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", name);
  element.append(title, row, remark);
  element.hidden = true;
  return {
    element,
    show(buttons, text = "") {
      row.replaceChildren(...buttons);
      remark.textContent = text;
      element.hidden = buttons.length === 0;
    },
  };
}
