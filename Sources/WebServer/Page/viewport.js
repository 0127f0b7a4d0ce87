// The part of the patchbay that is seen: moved, and made larger and smaller.

const smallest = 0.15;
const largest = 2;
/** What moves less than this is a click. */
export const slack = 6;

export class Viewport {
  x = 0;
  y = 0;
  zoom = 1;
  #element;
  #changed;
  /** The pointers on the background, or two that pinch: their last places, and whether they moved. */
  #pointers = new Map();

  /** changed(): called after each change. */
  constructor(element, changed) {
    [this.#element, this.#changed] = [element, changed];
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 0 ? event.deltaY : event.deltaY * 20;
      this.zoomBy(Math.exp(-lines * 0.0015), this.#place(event));
    }, { passive: false });
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      element.addEventListener(name, (event) => {
        // A finger is captured by what it touched first.
        if (name !== "lostpointercapture" || event.target === element) this.#pointers.delete(event.pointerId);
      });
    }
  }

  #place({ clientX, clientY }) {
    const box = this.#element.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  }

  /** The place of a pointer among the boxes. */
  worldPlace(event) {
    const place = this.#place(event);
    return { x: (place.x - this.x) / this.zoom, y: (place.y - this.y) / this.zoom };
  }

  /** Lets a pointer move the view; two of them pinch. */
  grab(event) { this.#pointers.set(event.pointerId, this.#place(event)); }

  #move(event) {
    const former = this.#pointers.get(event.pointerId);
    if (!former) return;
    if (event.buttons === 0) return this.#pointers.delete(event.pointerId);
    const now = { ...this.#place(event), isMoving: true };
    if (!former.isMoving) {
      // What moves less is a click.
      if (this.#pointers.size < 2 && Math.hypot(now.x - former.x, now.y - former.y) < slack) return;
      this.#element.setPointerCapture(event.pointerId);
    }
    this.#pointers.set(event.pointerId, now);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return this.#set(this.x + now.x - former.x, this.y + now.y - former.y, this.zoom);
    const distance = (one) => Math.max(10, Math.hypot(one.x - other.x, one.y - other.y));
    const middle = (one) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
    const [before, after] = [middle(former), middle(now)];
    this.#set(this.x + after.x - before.x, this.y + after.y - before.y, this.zoom);
    this.zoomBy(distance(now) / distance(former), after);
  }

  /** Makes all larger by a factor, about a place of the element, or its middle. */
  zoomBy(factor, place = { x: this.#element.clientWidth / 2, y: this.#element.clientHeight / 2 }) {
    const zoom = Math.min(largest, Math.max(smallest, this.zoom * factor));
    const share = zoom / this.zoom;
    this.#set(place.x - (place.x - this.x) * share, place.y - (place.y - this.y) * share, zoom);
  }

  /** Shows a rectangle whole, no larger than it is, or its left end if it would be too small to read. */
  fit({ x, y, width, height }, least = smallest) {
    const margin = 16;
    const { clientWidth, clientHeight } = this.#element;
    if (clientWidth === 0 || width <= 0 || height <= 0) return;
    const zoom = Math.max(least, Math.min(
      1, (clientWidth - 2 * margin) / width, (clientHeight - 2 * margin) / height));
    const start = (space, length) => Math.max(margin, (space - length * zoom) / 2);
    this.#set(start(clientWidth, width) - x * zoom, start(clientHeight, height) - y * zoom, zoom);
  }

  /** Moves no further than it takes to see an element. */
  reveal(element) {
    const [inner, outer] = [element.getBoundingClientRect(), this.#element.getBoundingClientRect()];
    const way = (start, end, first, last) => (
      start < first ? first - start : Math.min(0, Math.max(last - end, first - start)));
    const across = way(inner.left - 12, inner.right + 12, outer.left, outer.right);
    const down = way(inner.top - 12, inner.bottom + 12, outer.top, outer.bottom);
    if (across !== 0 || down !== 0) this.#set(this.x + across, this.y + down, this.zoom);
  }

  #set(x, y, zoom) {
    [this.x, this.y, this.zoom] = [x, y, zoom];
    this.#changed();
  }
}
