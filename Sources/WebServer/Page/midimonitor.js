// The MIDI that units receive and send, the newest first.

import { button } from "./button.js";
import { describe, kinds } from "./midiwords.js";

/** The most lines that are shown. */
const most = 500;
/** The most events that are kept, so that other filters find some. */
const kept = 5000;
/** The least time between two changes of the list, in milliseconds. */
const interval = 100;

export class MIDIMonitor {
  #watch;
  #units = document.createElement("select");
  #list = document.createElement("ol");
  #pause = button("Pause", () => this.#setPaused(!this.#isPaused));
  #shownKinds = new Set([...kinds.keys()].filter((kind) => kind !== "clock"));
  #events = [];
  /** The events that the list does not show yet. */
  #new = [];
  #planned = null;
  #isSeen = false;
  #isPaused = false;
  #watched = "[]";

  /** watch(units): asks for the MIDI of these units, "*" for all, or of none. */
  constructor(watch) {
    this.#watch = watch;
    this.#units.setAttribute("aria-label", "Units whose MIDI is shown");
    this.#units.addEventListener("change", () => this.#ask());
    this.#pause.setAttribute("aria-pressed", "false");
    this.#list.className = "lines";
    this.#list.tabIndex = 0;
    this.#list.setAttribute("aria-label", "MIDI, the newest first");
    const clear = button("Clear", () => {
      this.#events = [];
      this.#drawAll();
    });
    const filters = row(...[...kinds].map(([kind, name]) => this.#filter(kind, name)));
    filters.setAttribute("role", "group");
    filters.setAttribute("aria-label", "Kinds of messages that are shown");
    this.element = document.createElement("div");
    this.element.append(row(this.#units, this.#pause, clear), filters, this.#list);
    this.showUnits([]);
  }

  /** Asks for MIDI only while somebody looks. */
  set isSeen(isSeen) {
    this.#isSeen = isSeen;
    this.#ask();
  }

  /** Shows the ids of the units to choose from. */
  showUnits(ids) {
    const wanted = this.#units.value;
    this.#units.replaceChildren(new Option("All units", "*"), ...ids.map((id) => new Option(id, id)));
    this.#units.value = ids.includes(wanted) ? wanted : "*";
    this.#ask();
  }

  /** Takes a notice of MIDI. */
  take({ sampleRate, units }) {
    if (this.#isPaused || !this.#isSeen) return;
    const lines = [];
    for (const [unit, { events, lost }] of Object.entries(units)) {
      // Others are asked for by keyboards.
      if (!["*", unit].includes(this.#units.value)) continue;
      for (const event of events) {
        lines.push({ ...event, ...describe(event), unit, seconds: event.frame / sampleRate });
      }
      const { frame } = events.at(-1) ?? { frame: Infinity };
      if (lost > 0) lines.push({ unit, frame, kind: null, text: `${lost} events are lost: more came than could be sent` });
    }
    // Infinity − Infinity is no number.
    lines.sort((one, other) => one.frame - other.frame || 0);
    this.#events.push(...lines);
    this.#events.splice(0, this.#events.length - kept);
    this.#new.push(...lines.filter((line) => this.#shows(line)));
    this.#new.splice(0, this.#new.length - most);
    this.#planned ??= setTimeout(() => this.#drawNew(), interval);
  }

  #filter(kind, name) {
    const one = button(name, () => {
      if (!this.#shownKinds.delete(kind)) this.#shownKinds.add(kind);
      one.setAttribute("aria-pressed", String(this.#shownKinds.has(kind)));
      this.#drawAll();
    });
    one.setAttribute("aria-pressed", String(this.#shownKinds.has(kind)));
    return one;
  }

  #shows({ kind }) { return kind === null || this.#shownKinds.has(kind); }

  #setPaused(isPaused) {
    this.#isPaused = isPaused;
    this.#pause.setAttribute("aria-pressed", String(isPaused));
    this.#ask();
  }

  #ask() {
    const units = this.#isSeen && !this.#isPaused ? [this.#units.value] : [];
    const text = JSON.stringify(units);
    if (text === this.#watched) return;
    this.#watched = text;
    this.#watch(units);
  }

  #drawAll() {
    this.#list.replaceChildren();
    this.#new = this.#events.filter((line) => this.#shows(line)).slice(-most);
    this.#drawNew();
  }

  #drawNew() {
    clearTimeout(this.#planned);
    this.#planned = null;
    this.#list.prepend(...this.#new.reverse().map((line) => this.#item(line)));
    this.#new = [];
    while (this.#list.childElementCount > most) this.#list.lastChild.remove();
  }

  #item({ unit, frame, seconds, isSent, channel, kind, text }) {
    const item = document.createElement("li");
    if (kind === null) {
      item.className = "lost";
      item.textContent = `${unit}: ${text}`;
      return item;
    }
    const from = channel === null ? "" : `  channel ${channel}`;
    item.textContent = `${seconds.toFixed(3)}  ${frame}  ${unit} ${isSent ? "sent" : "received"}${from}  ${text}`;
    return item;
  }
}

function row(...parts) {
  const element = document.createElement("div");
  element.className = "row";
  element.append(...parts);
  return element;
}
