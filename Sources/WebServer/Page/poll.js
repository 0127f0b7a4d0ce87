// A question that is asked again and again while somebody looks.

export class Poll {
  #interval;
  #ask;
  #take;
  #isOn = false;
  #isAsking = false;
  #timer = null;

  /** interval: from an answer to the next question, in milliseconds. */
  constructor(interval, ask, take) { [this.#interval, this.#ask, this.#take] = [interval, ask, take]; }

  set isOn(isOn) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    clearTimeout(this.#timer);
    if (isOn && !this.#isAsking) this.#next();
  }

  async #next() {
    this.#isAsking = true;
    const answer = await this.#ask().catch(() => null);
    this.#isAsking = false;
    if (!this.#isOn) return;
    if (answer) this.#take(answer);
    this.#timer = setTimeout(() => this.#next(), this.#interval);
  }
}
