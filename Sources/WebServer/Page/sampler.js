// The sounds of a sampler in its box, with the number of its voices.

import { SoundsView } from "./sounds.js";

export class SamplerView extends SoundsView {
  #voices = document.createElement("p");

  constructor(unit, isGuest, actions) {
    super(unit.id, isGuest, actions, "h3");
    this.#voices.className = "kind";
    this.element.classList.add("sounds");
    this.element.firstElementChild.after(this.#voices);
  }

  showStatus({ voices }) { this.#voices.textContent = `Sounding voices: ${voices}`; }
}
