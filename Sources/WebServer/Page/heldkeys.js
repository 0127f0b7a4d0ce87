// The keys that MIDI holds.

export class HeldKeys {
  /** Channel · 128 + key, of channels from 0. */
  #held = new Set();

  /** Takes a unit's events, as a watch tells them. After lost ones nothing is known to be held. */
  take({ events, lost }) {
    for (const { bytes: [status, first, second], isSent } of events) if (!isSent) this.#event(status, first, second);
    if (lost > 0) this.clear();
  }

  clear() { this.#held.clear(); }

  has(key) { return [...this.#held].some((note) => note % 128 === key); }

  #event(status, first, second) {
    if (status === 0xff) return this.clear();
    const channel = status & 15;
    switch (status >> 4) {
      case 8: return this.#held.delete(channel * 128 + first);
      case 9: return this.#held[second > 0 ? "add" : "delete"](channel * 128 + first);
      case 11:
        // All sound off, all notes off, and the modes that end all notes.
        if (first !== 120 && first < 123) return;
        for (const note of this.#held) if (note >> 7 === channel) this.#held.delete(note);
    }
  }
}
