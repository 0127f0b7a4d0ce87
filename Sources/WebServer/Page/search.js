// A list that is searched by words.

export class SearchList {
  #all = [];
  #text;
  #item;
  #most;
  #heading;
  field = document.createElement("input");
  list = document.createElement("ul");

  /**
   * text(entry): the text that is searched; item(entry): its element. At most some are shown. heading(entry): what
   * stands before the first of those that have it, "" for nothing.
   */
  constructor(name, most, text, item, heading = () => "") {
    [this.#most, this.#text, this.#item, this.#heading] = [most, text, item, heading];
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
    this.list.replaceChildren();
    let last = "";
    for (const entry of found.slice(0, this.#most)) {
      const heading = this.#heading(entry);
      if (heading !== last && heading !== "") this.#say(heading).className = "heading kind";
      last = heading;
      this.list.append(this.#item(entry));
    }
    if (found.length === 0) this.#say(this.#all.length === 0 ? "There are none." : "None is called so.");
  }

  #say(text) {
    const line = document.createElement("li");
    line.textContent = text;
    this.list.append(line);
    return line;
  }
}
