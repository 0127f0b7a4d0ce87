// Elements that stay while what they show does.

/**
 * Gives a parent these elements, in their order. One that stays is not moved: it keeps the focus, what is held, and a
 * click that has begun.
 */
export function arrange(parent, elements) {
  const staying = new Set(elements);
  for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
  let place = parent.firstElementChild;
  for (const element of elements) {
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
}

/** What was made for each entry: an entry with the same text keeps it. */
export class Kept {
  #made = new Map();
  #text;
  #make;

  /** text(entry): all that is shown of it; make(entry). */
  constructor(text, make) { [this.#text, this.#make] = [text, make]; }

  /** Returns what is made of each entry, in their order. */
  take(entries) {
    const former = this.#made;
    this.#made = new Map(entries.map((entry) => {
      const text = this.#text(entry);
      return [text, former.get(text) ?? this.#make(entry)];
    }));
    return [...this.#made.values()];
  }
}
