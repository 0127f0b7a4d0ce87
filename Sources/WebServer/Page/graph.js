// The connections as a table, where they are made and ended.

import { connectionsOf } from "./boxes.js";
import { button } from "./button.js";
import { arrange, Kept } from "./kept.js";

export class GraphView {
  #send;
  #isGuest;
  #lines = document.createElement("tbody");
  #keptLines = new Kept(JSON.stringify, (connection) => this.#line(connection));
  #from = choice("From");
  #to = choice("To");

  /** send(request): sends a request, and says what was wrong with it. */
  constructor(isGuest, send) {
    [this.#isGuest, this.#send] = [isGuest, send];
    const section = document.createElement("section");
    section.setAttribute("aria-labelledby", "graph");
    section.className = "graph";
    const title = document.createElement("h2");
    title.id = "graph";
    title.textContent = "Connections";
    const head = document.createElement("thead");
    head.append(cells("th", ["From", "To", "Kind", ""]));
    const table = document.createElement("table");
    table.append(head, this.#lines);
    section.append(title, table);
    this.element = section;
    if (isGuest) return;
    const connect = button("Connect", () => this.#connect());
    section.append(row("Connect two ends", this.#from.label, this.#to.label, connect));
  }

  show(graph) {
    const focused = this.#lines.contains(document.activeElement) ? document.activeElement : null;
    arrange(this.#lines, this.#keptLines.take(connectionsOf(graph)));
    if (focused && !focused.isConnected) (this.#lines.querySelector("button") ?? this.#from.select).focus();
    this.#fill(this.#from.select, [
      ...graph.units.flatMap((unit) => ends(unit, unit.outputs, unit.sendsMIDI)), "physical:inputs", "physical:midi",
      ...graph.outside.filter(({ isInput }) => !isInput).map(({ name }) => name),
    ]);
    this.#fill(this.#to.select, [
      ...graph.units.flatMap((unit) => ends(unit, unit.inputs, unit.takesMIDI)), "physical:outputs", "physical:midi",
      ...graph.outside.filter(({ isInput }) => isInput).map(({ name }) => name),
    ]);
  }

  #line(connection) {
    const { from, to, kind, isForeign } = connection;
    const line = cells("td", [from, to, isForeign ? `${kind}, of another program` : kind]);
    const last = document.createElement("td");
    if (!this.#isGuest && !isForeign && kind !== "parameters") {
      const end = button("Disconnect", () => this.#disconnect(connection));
      end.setAttribute("aria-label", `Disconnect ${from} from ${to}`);
      last.append(end);
    }
    line.append(last);
    return line;
  }

  #fill(select, names) {
    const former = select.value;
    select.replaceChildren(...names.map((name) => new Option(name, name)));
    if (names.includes(former)) select.value = former;
  }

  #connect() {
    return this.#send({ command: "connect", from: this.#from.select.value, to: this.#to.select.value });
  }

  #disconnect({ from, to }) { return this.#send({ command: "disconnect", from, to }); }
}

/** The ends of a unit as `connect` takes them. */
function ends(unit, busses, hasMIDI) {
  if (unit.component === "control") return [];
  return [...busses.map((bus) => bus.end), ...(hasMIDI ? [`${unit.id}:midi`] : [])];
}

function choice(name) {
  const label = document.createElement("label");
  const select = document.createElement("select");
  label.append(`${name} `, select);
  return { label, select };
}

function row(name, ...elements) {
  const element = document.createElement("div");
  element.className = "row";
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", name);
  element.append(...elements);
  return element;
}

function cells(kind, texts) {
  const line = document.createElement("tr");
  for (const text of texts) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    if (kind === "th") cell.scope = "col";
    line.append(cell);
  }
  return line;
}
