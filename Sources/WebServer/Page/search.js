// A list that is searched by words.

export class SearchList {
  #all = [];
  #text;
  #item;
  #most;
  field = document.createElement("input");
  list = document.createElement("ul");

  /** text(entry): the text that is searched; item(entry): its element. At most some are shown. */
  constructor(name, most, text, item) {
    [this.#most, this.#text, this.#item] = [most, text, item];
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
    this.list.replaceChildren(...found.slice(0, this.#most).map((entry) => this.#item(entry)));
    if (found.length > 0) return;
    const none = document.createElement("li");
    none.textContent = this.#all.length === 0 ? "There are none." : "None is called so.";
    this.list.append(none);
  }
}
