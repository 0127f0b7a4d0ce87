// A keyboard that plays a unit: by mouse, touch, or the keys of the computer. It shows what others play.

import { button } from "./button.js";
import { HeldKeys } from "./heldkeys.js";

const names = ["C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B"];
const blacks = new Set([1, 3, 6, 8, 10]);
const keyCount = 25;
/** The physical keys of two rows, from C on, wherever letters are. */
const codes = [
  "KeyA", "KeyW", "KeyS", "KeyE", "KeyD", "KeyF", "KeyT", "KeyG", "KeyY", "KeyH", "KeyU", "KeyJ", "KeyK", "KeyO", "KeyL",
  "KeyP", "Semicolon",
];

export class KeyboardView {
  #unit;
  #send;
  #follow;
  #details = document.createElement("details");
  #isShown = true;
  #isFollowed = false;
  #first = 48;
  #keys = document.createElement("div");
  /** The keys that sound, by what holds them: a pointer or a key of the computer. */
  #held = new Map();
  /** The keys that the unit's MIDI holds. */
  #played = new HeldKeys();
  #names = document.createElement("p");

  /**
   * send(request): sends a request, and says what was wrong with it. follow(isFollowed): asks for the unit's MIDI, or
   * no longer.
   */
  constructor(unit, isGuest, send, follow) {
    [this.#unit, this.#send, this.#follow] = [unit, send, follow];
    const details = this.#details;
    details.className = "keyboard";
    const summary = document.createElement("summary");
    summary.textContent = "Keyboard";
    const row = document.createElement("div");
    row.className = "row";
    const hint = document.createElement("span");
    hint.className = "kind";
    hint.textContent = isGuest ? "" : "Letters A to L play, Z and X change the octave.";
    row.append(button("Octave down", () => this.#move(-12)), button("Octave up", () => this.#move(12)), hint);
    this.#keys.className = "keys";
    this.#keys.tabIndex = 0;
    this.#keys.setAttribute("role", "group");
    this.#names.className = "kind";
    if (!isGuest) this.#listen();
    details.addEventListener("toggle", () => {
      if (!details.open) this.#releaseAll();
      this.#update();
    });
    details.append(summary, this.#keys, this.#names, row);
    this.element = details;
    this.#show();
  }

  /** Whether its page is shown: others' keys are followed only then, while it is open. */
  set isShown(isShown) {
    this.#isShown = isShown;
    this.#update();
  }

  /** Takes events of the unit's MIDI. */
  take(events) {
    this.#played.take(events);
    this.#lightAll();
  }

  /** Forgets the keys that others hold: some of their events may be lost. */
  clear() {
    this.#played.clear();
    this.#lightAll();
  }

  /** Ends it, once the unit is gone. */
  close() {
    this.#details.open = false;
    this.#update();
    this.element.remove();
  }

  #update() {
    const isFollowed = this.#isShown && this.#details.open;
    if (isFollowed === this.#isFollowed) return;
    this.#isFollowed = isFollowed;
    this.clear();
    this.#follow(isFollowed);
  }

  #listen() {
    this.#keys.addEventListener("pointerdown", (event) => {
      this.#keys.setPointerCapture(event.pointerId);
      this.#point(event);
    });
    this.#keys.addEventListener("pointermove", (event) => {
      if (this.#held.has(event.pointerId)) this.#point(event);
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.#keys.addEventListener(name, (event) => this.#release(event.pointerId));
    }
    this.#keys.addEventListener("keydown", (event) => this.#type(event));
    this.#keys.addEventListener("keyup", (event) => this.#release(event.code));
    this.#keys.addEventListener("blur", () => this.#releaseAll());
  }

  #show() {
    this.#keys.setAttribute(
      "aria-label", `Keyboard of ${this.#unit}, from ${nameOf(this.#first)} to ${nameOf(this.#first + keyCount - 1)}`);
    this.#keys.replaceChildren(...Array.from({ length: keyCount }, (_, index) => {
      const key = document.createElement("div");
      const number = this.#first + index;
      key.className = blacks.has(number % 12) ? "black" : "white";
      key.dataset.key = number;
      key.title = nameOf(number);
      return key;
    }));
    this.#lightAll();
  }

  #move(keys) {
    const first = this.#first + keys;
    if (first < 0 || first + keyCount > 128) return;
    this.#releaseAll();
    this.#first = first;
    this.#show();
  }

  #point(event) {
    const key = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-key]");
    if (!key || !this.#keys.contains(key)) return this.#release(event.pointerId);
    const box = key.getBoundingClientRect();
    // Near the front edge it is louder.
    const share = Math.min(1, Math.max(0, (event.clientY - box.top) / box.height));
    this.#press(event.pointerId, Number(key.dataset.key), Math.round(40 + 87 * share));
  }

  #type(event) {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.code === "KeyZ") return this.#move(-12);
    if (event.code === "KeyX") return this.#move(12);
    const index = codes.indexOf(event.code);
    if (index < 0) return;
    event.preventDefault();
    this.#press(event.code, this.#first + index, 100);
  }

  #press(holder, key, velocity) {
    if (this.#held.get(holder) === key) return;
    this.#release(holder);
    this.#held.set(holder, key);
    this.#lightAll();
    this.#play([0x90, key, velocity]);
  }

  #release(holder) {
    const key = this.#held.get(holder);
    if (key === undefined) return;
    this.#held.delete(holder);
    this.#lightAll();
    this.#play([0x80, key, 64]);
  }

  #releaseAll() { for (const holder of [...this.#held.keys()]) this.#release(holder); }

  #lightAll() {
    const own = [...this.#held.values()];
    const lit = Array.from({ length: 128 }, (_, key) => key).filter((key) => own.includes(key) || this.#played.has(key));
    for (const key of this.#keys.children) key.classList.toggle("down", lit.includes(Number(key.dataset.key)));
    // Also those beside the keys that are shown.
    this.#names.textContent = lit.length > 0 ? `Held: ${lit.map(nameOf).join(", ")}` : "No key is held.";
  }

  #play(bytes) { this.#send({ command: "midi", unit: this.#unit, bytes }).catch(() => {}); }
}

function nameOf(key) { return `${names[key % 12]} ${Math.floor(key / 12) - 1}`; }
