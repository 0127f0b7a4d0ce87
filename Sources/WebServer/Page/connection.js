// The connection to the server. It is opened again when it is lost.

const firstDelay = 500;
const longestDelay = 8000;

export class Connection {
  #socket = null;
  #lastId = 0;
  #answers = new Map();
  #delay = firstDelay;
  #handlers;

  /** handlers: opened(), lost(seconds), notice(notice) */
  constructor(handlers) {
    this.#handlers = handlers;
    this.#open();
  }

  get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

  #open() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#delay = firstDelay;
      this.#handlers.opened();
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = () => {
      for (const { reject } of this.#answers.values()) reject(new Error("the connection is lost"));
      this.#answers.clear();
      const delay = this.#delay;
      this.#delay = Math.min(delay * 2, longestDelay);
      this.#handlers.lost(delay);
      setTimeout(() => this.#open(), delay);
    };
  }

  #take(message) {
    if (message.tick !== undefined) {
      for (const notice of message.notices) this.#handlers.notice(notice);
      // Once it is drawn: a page that cannot keep up gets less.
      const acknowledge = () => {
        if (this.isOpen) this.#socket.send(JSON.stringify({ acknowledge: message.tick }));
      };
      if (document.hidden) acknowledge(); else requestAnimationFrame(acknowledge);
      return;
    }
    const answer = this.#answers.get(message.id);
    if (!answer) return;
    this.#answers.delete(message.id);
    if (message.error) {
      const { message: text, accepted } = message.error;
      answer.reject(new Error(accepted ? `${text}; accepted: ${accepted}` : text));
    } else {
      answer.resolve(message.answer);
    }
  }

  #ask(message) {
    if (!this.isOpen) return Promise.reject(new Error("the connection is lost"));
    const id = ++this.#lastId;
    this.#socket.send(JSON.stringify({ id, ...message }));
    return new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject }));
  }

  sessions() { return this.#ask({ sessions: true }); }

  closeView(path) { return this.#ask({ closeView: path }); }

  request(session, request) { return this.#ask({ session, request }); }
}
