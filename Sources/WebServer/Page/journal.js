// The changes of a session, the newest first.

import { button } from "./button.js";
import { Roving } from "./roving.js";

/** The most changes that are shown. */
const most = 500;
/** The least time between two requests, in milliseconds: a moving slider is many changes. */
const interval = 500;
/** The number of changes that are asked for again: a moving controller is one that goes on. */
const open = 20;

export class JournalView {
  #ask;
  #say;
  #undo;
  /** The shown changes by their numbers, the oldest first: their elements, and what these show. */
  #shown = new Map();
  /** The number of the next change. */
  #next = 0;
  #count = 0;
  #isSeen = false;
  #isAsking = false;
  #rest = document.createElement("p");
  #list = document.createElement("ol");
  #text = document.createElement("pre");
  #rover = new Roving(this.#list, "vertical");
  /** The change that is chosen, as its element. */
  #chosen = null;
  #back = button("Undo to here", () => this.#undo(Number(this.#chosen.dataset.key)));

  /**
   * ask(from): returns the journal from the number of a change on; say(text): tells something;
   * undo(number): undoes all changes after one, or null for guests.
   */
  constructor(ask, say, undo) {
    [this.#ask, this.#say, this.#undo] = [ask, say, undo];
    this.#list.className = "journal";
    this.#list.setAttribute("role", "listbox");
    this.#list.setAttribute("aria-label", "Changes, the newest first");
    this.#list.addEventListener("click", ({ target }) => this.#choose(target.closest("li")));
    this.#list.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.#choose(event.target.closest("li"));
    });
    this.#back.disabled = true;
    this.#rest.className = "kind";
    const row = document.createElement("div");
    row.className = "row";
    row.append(
      button("Copy as text", () => this.#copy([...this.#shown.values()].map(({ item }) => item.textContent))),
      button("Copy as commands", () => this.#copyCommands()), ...(undo ? [this.#back] : []));
    this.element = document.createElement("div");
    this.element.append(row, this.#list, this.#rest, this.#text);
  }

  #choose(item) {
    if (!item) return;
    this.#chosen?.setAttribute("aria-selected", "false");
    this.#chosen = item;
    item.setAttribute("aria-selected", "true");
    this.#back.disabled = false;
  }

  /** Asks for changes only while somebody looks. */
  set isSeen(isSeen) {
    this.#isSeen = isSeen;
    if (isSeen) this.#load();
  }

  /** Takes the number of changes so far. */
  show(count) {
    if (count === this.#count) return;
    this.#count = count;
    if (this.#isSeen) this.#load();
  }

  async #load() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    let known = -1;
    // What came meanwhile is asked for again.
    while (this.#isSeen && known !== this.#count) {
      known = this.#count;
      try {
        const journal = await this.#ask(Math.max(0, known - most, this.#next - open));
        this.#draw(journal.changes, journal.forgotten);
        this.#next = Math.max(this.#next, (journal.changes.at(-1)?.number ?? -1) + 1);
      } catch (error) {
        this.#say(error.message);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
    this.#isAsking = false;
  }

  #draw(changes, forgotten) {
    const { focused } = this.#rover;
    for (const change of changes) {
      const text = JSON.stringify(change);
      const known = this.#shown.get(change.number);
      if (known?.text === text) continue;
      const item = itemOf(change);
      if (known) known.item.replaceWith(item); else this.#list.prepend(item);
      if (known && known.item === this.#chosen) this.#choose(item);
      this.#shown.set(change.number, { item, text });
    }
    for (const [number, { item }] of this.#shown) {
      if (this.#shown.size <= most) break;
      item.remove();
      this.#shown.delete(number);
    }
    this.#rover.show([...this.#list.children], focused);
    const older = this.#shown.keys().next().value ?? 0;
    if (this.#shown.size === 0) this.#rest.textContent = "Nothing has changed since the session began.";
    else if (older === 0) this.#rest.textContent = "";
    else {
      this.#rest.textContent = `${older} older changes are not shown`
        + (forgotten > 0 ? `; the session has forgotten ${forgotten} of them.` : ".");
    }
  }

  /** From the chosen change on; undone ones have lost theirs by now. */
  async #copyCommands() {
    const first = Math.max(this.#shown.keys().next().value ?? 0, this.#chosen?.dataset.key ?? 0);
    try { await this.#copy((await this.#ask(first)).changes.map(lineOf)); } catch (error) { this.#say(error.message); }
  }

  async #copy(lines) {
    const text = lines.join("\n");
    try {
      await navigator.clipboard.writeText(text);
      this.#text.textContent = "";
      this.#say("The changes are copied, the oldest first.");
    } catch {
      this.#text.textContent = text;
      getSelection().selectAllChildren(this.#text);
      this.#say("The clipboard is refused. The text is selected: copy it with Ctrl-C.");
    }
  }
}

/** Made once: a format for each change would be slow. */
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** A comment is harmless in shells without them. */
const lineOf = (one) => one.command ? `auricle ctl ${one.command}`
  : `# ${itemOf(one).textContent.replace(/[`$;&|<>()\\!"']/g, "_")}`;

function itemOf(change) {
  const item = document.createElement("li");
  item.dataset.key = change.number;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  const time = document.createElement("time");
  const date = new Date(change.time * 1000);
  time.dateTime = date.toISOString();
  time.textContent = clock.format(date);
  const author = document.createElement("span");
  author.className = "kind";
  author.textContent = authorOf(change);
  item.append(time, " ", author, " ", change.text);
  return item;
}

/** "browser 1", or the source of a change that has no name: "controller". */
function authorOf({ source, client }) {
  if (!client) return source;
  return source === "ctl" ? client : `${client} (${source})`;
}
