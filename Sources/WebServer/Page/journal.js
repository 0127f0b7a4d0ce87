// The changes of a session, the newest first.

import { button } from "./button.js";

/** The most changes that are shown. */
const most = 500;
/** The number of changes that are asked for again: a moving controller is one that goes on. */
const open = 20;

export class JournalView {
  #ask;
  #say;
  #changes = new Map();
  #count = 0;
  #isSeen = false;
  #isAsking = false;
  #rest = document.createElement("p");
  #list = document.createElement("ol");

  /** ask(from): returns the journal from the number of a change on; say(text): tells something. */
  constructor(ask, say) {
    [this.#ask, this.#say] = [ask, say];
    this.#list.className = "journal";
    this.#list.tabIndex = 0;
    this.#list.setAttribute("aria-label", "Changes, the newest first");
    this.#rest.className = "kind";
    const row = document.createElement("div");
    row.className = "row";
    row.append(button("Copy as text", () => this.#copy()));
    this.element = document.createElement("div");
    this.element.append(row, this.#list, this.#rest);
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
    try {
      let known = -1;
      // What came meanwhile is asked for again.
      while (known !== this.#count) {
        known = this.#count;
        const newest = Math.max(-1, ...this.#changes.keys());
        const journal = await this.#ask(Math.max(0, known - most, newest + 1 - open));
        for (const change of journal.changes) this.#changes.set(change.number, change);
        this.#draw(journal.forgotten);
      }
    } catch (error) { this.#say(error.message); } finally { this.#isAsking = false; }
  }

  #draw(forgotten) {
    const all = [...this.#changes.values()].sort((one, other) => other.number - one.number);
    for (const { number } of all.slice(most)) this.#changes.delete(number);
    const shown = all.slice(0, most);
    this.#list.replaceChildren(...shown.map((change) => {
      const item = document.createElement("li");
      const time = document.createElement("time");
      const date = new Date(change.time * 1000);
      time.dateTime = date.toISOString();
      time.textContent = date.toLocaleTimeString();
      const author = document.createElement("span");
      author.className = "kind";
      author.textContent = authorOf(change);
      const text = document.createElement("span");
      text.textContent = change.text;
      item.append(time, " ", author, " ", text);
      return item;
    }));
    const older = shown.at(-1)?.number ?? 0;
    if (shown.length === 0) this.#rest.textContent = "Nothing has changed since the session began.";
    else if (older === 0) this.#rest.textContent = "";
    else {
      this.#rest.textContent = `${older} older changes are not shown`
        + (forgotten > 0 ? `; the session has forgotten ${forgotten} of them.` : ".");
    }
  }

  async #copy() {
    const text = [...this.#list.children].map((item) => item.textContent).reverse().join("\n");
    try {
      await navigator.clipboard.writeText(text);
      this.#say("The changes are copied, the oldest first.");
    } catch {
      getSelection().selectAllChildren(this.#list);
      this.#list.focus();
      this.#say("The clipboard is refused. The text is selected: copy it with Ctrl-C.");
    }
  }
}

/** "browser 1", or the source of a change that has no name: "controller". */
function authorOf({ source, client }) {
  if (!client) return source;
  return source === "ctl" ? client : `${client} (${source})`;
}
