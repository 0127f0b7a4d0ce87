// A list that is searched by words.

import { arrange, Kept } from "./kept.js";

export class SearchList {
  #all = [];
  #text;
  #lines;
  #most;
  #heading;
  field = document.createElement("input");
  list = document.createElement("ul");

  /**
   * text(entry): the text that is searched; item(entry): its element. At most some are shown. heading(entry): what
   * stands before the first of those that have it, "" for nothing.
   */
  constructor(name, most, text, item, heading = () => "") {
    [this.#most, this.#text, this.#heading] = [most, text, heading];
    this.#lines = new Kept(JSON.stringify, (one) => Array.isArray(one) ? line(...one) : item(one));
    this.field.type = "search";
    this.field.placeholder = "Search";
    this.field.setAttribute("aria-label", name);
    this.field.addEventListener("input", () => this.#draw());
  }

  show(all) {
    this.#all = all;
    this.#draw();
  }

  #draw() {
    const words = this.field.value.toLowerCase().split(/\s+/);
    const found = this.#all.filter((entry) => {
      const text = this.#text(entry).toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const lines = [];
    let last = "";
    for (const entry of found.slice(0, this.#most)) {
      const heading = this.#heading(entry);
      if (heading !== last && heading !== "") lines.push([heading, "heading kind"]);
      last = heading;
      lines.push(entry);
    }
    if (found.length === 0) lines.push([this.#all.length === 0 ? "There are none." : "None is called so.", ""]);
    arrange(this.list, this.#lines.take(lines));
  }
}

function line(text, name) {
  const element = document.createElement("li");
  element.className = name;
  element.textContent = text;
  return element;
}
