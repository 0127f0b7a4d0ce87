// The connections as a table, and what changes them.

import { button } from "./button.js";

export class GraphView {
  #graph = null;
  #send;
  #components;
  #isGuest;
  #table = document.createElement("table");
  #from = choice("From");
  #to = choice("To");
  #component = choice("Component");
  #id = document.createElement("input");
  #removed = choice("Unit");

  /** send(request): sends a request, and says what was wrong with it. */
  constructor(isGuest, components, send) {
    [this.#isGuest, this.#components, this.#send] = [isGuest, components, send];
    const section = document.createElement("section");
    section.setAttribute("aria-labelledby", "graph");
    section.className = "graph";
    const title = document.createElement("h2");
    title.id = "graph";
    title.textContent = "Connections";
    section.append(title, this.#table);
    this.element = section;
    if (isGuest) return;
    const connect = button("Connect", () => this.#connect());
    section.append(row("Connect two ends", this.#from.label, this.#to.label, connect));
    this.#id.type = "text";
    this.#id.placeholder = "name";
    this.#id.setAttribute("aria-label", "Name of the new unit");
    this.#component.select.replaceChildren(
      ...components.map(({ name, title }) => new Option(title ? `${title} (${name})` : name, name)));
    section.append(
      row("Add a unit", this.#component.label, this.#id, button("Add", () => this.#add())),
      row("Remove a unit", this.#removed.label, button("Remove", () => this.#remove())));
  }

  show(graph) {
    this.#graph = graph;
    const focused = document.activeElement?.dataset?.connection;
    const head = document.createElement("thead");
    head.append(cells("th", ["From", "To", "Kind", ""]));
    const body = document.createElement("tbody");
    for (const connection of graph.connections) {
      const line = cells("td", [connection.from, connection.to, connection.kind]);
      const last = document.createElement("td");
      if (!this.#isGuest && connection.kind !== "parameters") {
        const end = button("Disconnect", () => this.#disconnect(connection));
        end.dataset.connection = `${connection.from} ${connection.to}`;
        end.setAttribute("aria-label", `Disconnect ${connection.from} from ${connection.to}`);
        last.append(end);
      }
      line.append(last);
      body.append(line);
    }
    this.#table.replaceChildren(head, body);
    if (focused) {
      const again = [...body.querySelectorAll("button")].find((one) => one.dataset.connection === focused);
      (again ?? body.querySelector("button") ?? this.#from.select).focus();
    }
    this.#fill(this.#from.select, [
      ...graph.units.flatMap((unit) => ends(unit, unit.outputs, unit.sendsMIDI)), "physical:inputs", "physical:midi",
    ]);
    this.#fill(this.#to.select, [
      ...graph.units.flatMap((unit) => ends(unit, unit.inputs, unit.takesMIDI)), "physical:outputs", "physical:midi",
    ]);
    this.#fill(this.#removed.select, graph.units.filter((unit) => unit.component !== "control").map((unit) => unit.id));
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

  async #add() {
    const component = this.#component.select.value;
    const unit = this.#id.value.trim() || this.#freeName(component);
    await this.#send({ command: "add", unit, component });
    this.#id.value = "";
  }

  /** "delay", or "delay-2" if there is one. */
  #freeName(component) {
    const known = new Set(this.#graph?.units.map((unit) => unit.id));
    let name = component;
    for (let number = 2; known.has(name); number++) name = `${component}-${number}`;
    return name;
  }

  #remove() {
    return this.#send({ command: "remove", unit: this.#removed.select.value, ringOut: true });
  }
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
