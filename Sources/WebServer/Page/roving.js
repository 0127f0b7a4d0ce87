// Groups of controls that are one stop of Tab, with arrows within.

export class Roving {
  #items = [];
  #current = null;
  #along;

  /**
   * along: the arrows that go from control to control: "vertical" or "horizontal". The others go
   * from group to group (`data-group`).
   */
  constructor(root, along) {
    this.#along = along;
    root.addEventListener("focusin", ({ target }) => {
      if (this.#items.includes(target)) this.#choose(target);
    });
    root.addEventListener("keydown", (event) => this.#take(event));
  }

  /** The key of the focused control; null if none of the group has the focus. */
  get focused() {
    return this.#items.includes(document.activeElement) ? document.activeElement.dataset.key : null;
  }

  /**
   * Shows other controls, in their order, each with a `data-key`. The one with the key `focused`
   * gets the focus again, or else the one in its place.
   */
  show(items, focused) {
    const former = Math.max(0, this.#items.findIndex(({ dataset }) => dataset.key === (focused ?? this.#current)));
    const key = focused ?? this.#current;
    this.#items = items;
    for (const item of items) item.setAttribute("tabindex", -1);
    const next = items.find(({ dataset }) => dataset.key === key) ?? items[Math.min(former, items.length - 1)];
    if (!next) return;
    this.#choose(next);
    if (focused !== null) next.focus({ preventScroll: true });
  }

  #choose(item) {
    this.#items.find(({ dataset }) => dataset.key === this.#current)?.setAttribute("tabindex", -1);
    this.#current = item.dataset.key;
    item.setAttribute("tabindex", 0);
  }

  #take(event) {
    const index = this.#items.indexOf(event.target);
    if (index < 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const next = this.#items[this.#next(event.key, index)];
    if (!next) return;
    event.preventDefault();
    next.focus({ preventScroll: true });
  }

  #next(key, index) {
    const isVertical = key === "ArrowUp" || key === "ArrowDown";
    const isAlong = isVertical === (this.#along === "vertical");
    const last = this.#items.length - 1;
    switch (key) {
      case "Home": return 0;
      case "End": return last;
      case "ArrowDown": case "ArrowRight": return isAlong ? index + 1 : this.#group(index, 1);
      case "ArrowUp": case "ArrowLeft": return isAlong ? index - 1 : this.#group(index, -1);
      default: return -1;
    }
  }

  /** The first control of the group before or after the one of a control. */
  #group(index, step) {
    const groupOf = (place) => this.#items[place]?.dataset.group;
    const own = groupOf(index);
    if (own === undefined) return index + step;
    let place = index;
    while (groupOf(place) === own) place += step;
    const other = groupOf(place);
    if (other === undefined) return -1;
    while (groupOf(place - 1) === other) place--;
    return place;
  }
}
