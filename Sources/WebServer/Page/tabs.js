// Pages of the page, chosen by tabs.

export class Tabs {
  #tabs;
  #chosen;

  /** chosen(name): called after each choice. */
  constructor(list, chosen) {
    this.#tabs = [...list.querySelectorAll("[role=tab]")];
    this.#chosen = chosen;
    for (const tab of this.#tabs) tab.addEventListener("click", () => this.show(tab.dataset.page));
    list.addEventListener("keydown", (event) => {
      const index = this.#tabs.indexOf(event.target);
      const next = {
        ArrowRight: index + 1, ArrowLeft: index - 1 + this.#tabs.length, Home: 0, End: this.#tabs.length - 1,
      }[event.key];
      if (index < 0 || next === undefined) return;
      event.preventDefault();
      const tab = this.#tabs[next % this.#tabs.length];
      tab.focus();
      this.show(tab.dataset.page);
    });
  }

  get names() { return this.#tabs.map(({ dataset }) => dataset.page); }

  get current() { return this.#tabs.find((tab) => tab.getAttribute("aria-selected") === "true")?.dataset.page; }

  show(name) {
    for (const tab of this.#tabs) {
      const isChosen = tab.dataset.page === name;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
    this.#chosen(name);
  }
}
