// The boxes of the patchbay: units with their ports, and what lies outside.

import { button } from "./button.js";
import { unitOf } from "./ends.js";

const head = 46;
/** Ports are as high as a finger is wide. */
const row = 44;
const foot = 6;
const unitWidth = 250;
const outsideWidth = 190;

/** The ends outside that can always be reached, and the sides where they stand. */
const machine = [
  { end: "physical:inputs", side: "left", kind: "audio" }, { end: "physical:midi", side: "left", kind: "midi" },
  { end: "physical:outputs", side: "right", kind: "audio" }, { end: "physical:midi", side: "right", kind: "midi" },
];

/**
 * The boxes of a graph: `{id, title, unit, side, inputs, outputs, width, height}`. Ports are
 * `{key, end, name, kind, isOutput}`.
 */
export function boxesOf(graph, isGuest) {
  const units = new Set(graph.units.map(({ id }) => id));
  const boxes = [...graph.units.map((unit) => unitBox(unit)), ...clientBoxes(graph.outside)];
  // The ends that have a port already.
  const known = new Set(boxes.flatMap(({ side, inputs, outputs }) =>
    [...inputs, ...outputs].map(({ end }) => `${side} ${end}`)));
  const addOutside = (end, side, kind) => {
    const id = `${side} ${end}`;
    if (known.has(id)) return;
    known.add(id);
    const isOutput = side === "left";
    const port = { key: portKey(end, isOutput), end, name: kind === "midi" ? "MIDI" : "audio", kind, isOutput };
    boxes.push(sized({
      id, title: end, unit: null, side, inputs: isOutput ? [] : [port], outputs: isOutput ? [port] : [],
    }));
  };
  if (!isGuest) for (const { end, side, kind } of machine) addOutside(end, side, kind);
  for (const { from, to, kind } of connectionsOf(graph)) {
    if (kind === "parameters") continue;
    if (!units.has(unitOf(from))) addOutside(from, "left", kind);
    if (!units.has(unitOf(to))) addOutside(to, "right", kind);
  }
  return boxes;
}

/** All connections of a graph. Those that the session does not request are `isForeign`: it cannot end them. */
export function connectionsOf({ connections, foreign = [] }) {
  return [...connections, ...foreign.map((one) => ({ ...one, isForeign: true }))];
}

/** The other clients: those with outputs at the left, those with inputs at the right. */
function clientBoxes(ports) {
  const boxes = new Map();
  for (const { name, isMIDI, isInput } of ports) {
    const [client] = name.split(":", 1);
    const side = isInput ? "right" : "left";
    const id = `${side} client ${client}`;
    if (!boxes.has(id)) boxes.set(id, { id, title: client, unit: null, side, inputs: [], outputs: [] });
    boxes.get(id)[isInput ? "inputs" : "outputs"].push({
      key: portKey(name, !isInput), end: name, name: name.slice(client.length + 1),
      kind: isMIDI ? "midi" : "audio", isOutput: !isInput,
    });
  }
  return [...boxes.values()].map(sized);
}

export function portKey(end, isOutput) { return `${isOutput ? "out" : "in"} ${end}`; }

function unitBox(unit) {
  const isControl = unit.component === "control";
  const port = (end, name, kind, isOutput) => ({ key: portKey(end, isOutput), end, name, kind, isOutput });
  const named = (bus) => bus.channels > 1 ? `${bus.name} (${bus.channels})` : bus.name;
  const inputs = unit.inputs.map((bus) => port(bus.end, named(bus), "audio", false));
  const outputs = unit.outputs.map((bus) => port(bus.end, named(bus), "audio", true));
  if (unit.takesMIDI && !isControl) inputs.push(port(`${unit.id}:midi`, "MIDI", "midi", false));
  if (unit.sendsMIDI && !isControl) outputs.push(port(`${unit.id}:midi`, "MIDI", "midi", true));
  return sized({ id: unit.id, title: unit.id, unit, side: null, inputs, outputs });
}

function sized(box) {
  const rows = Math.max(box.inputs.length, box.outputs.length);
  return { ...box, width: box.unit ? unitWidth : outsideWidth, height: head + rows * row + (rows > 0 ? foot : 0) };
}

/** The places of all ports by their keys, with the boxes at their places. */
export function anchors(boxes, places) {
  const result = new Map();
  for (const box of boxes) {
    const { x, y } = places.get(box.id);
    box.inputs.forEach(({ key }, index) => result.set(key, { x, y: y + head + row * (index + 0.5) }));
    box.outputs.forEach(({ key }, index) => result.set(key, { x: x + box.width, y: y + head + row * (index + 0.5) }));
    // Parameters are no ports: their cables end at the heads.
    result.set(`in parameters ${box.id}`, { x, y: y + head / 2 });
    result.set(`out parameters ${box.id}`, { x: x + box.width, y: y + head / 2 });
  }
  return result;
}

/** Makes the elements of a box. actions: show(unit), bypass(unit, on), replace(unit), remove(unit), press(port). */
export function boxElement(box, isGuest, actions) {
  const element = document.createElement("div");
  element.className = box.unit ? "box" : "box outside";
  element.dataset.box = box.id;
  element.style.width = `${box.width}px`;
  element.style.height = `${box.height}px`;
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", box.title);
  const heads = [];
  const header = document.createElement("div");
  header.className = "head";
  if (box.unit && box.unit.component !== "control") {
    const name = button(box.title, () => actions.show(box.id));
    name.className = "title";
    name.title = `${box.title}: ${box.unit.component}`;
    name.setAttribute("aria-label", `${box.title}, ${box.unit.component}: its parameters`);
    heads.push(name);
    const isOn = () => bypass.getAttribute("aria-pressed") === "true";
    const bypass = button("Byp", () => isGuest || actions.bypass(box.id, !isOn()));
    bypass.className = "bypass";
    bypass.title = "Bypass";
    bypass.setAttribute("aria-label", `Bypass ${box.id}`);
    bypass.setAttribute("aria-pressed", "false");
    // Guests reach it to hear its state.
    bypass.setAttribute("aria-disabled", String(isGuest));
    heads.push(bypass);
    if (!isGuest) {
      for (const [text, name] of [["⇄", "Replace"], ["×", "Remove"]]) {
        const one = button(text, () => actions[name.toLowerCase()](box.id));
        one.title = name;
        one.setAttribute("aria-label", `${name} ${box.id}`);
        heads.push(one);
      }
    }
    heads.forEach((one, index) => {
      one.dataset.key = `${index} ${box.id}`;
      one.dataset.group = box.id;
    });
    header.append(...heads);
  } else {
    const name = document.createElement("span");
    name.className = "title";
    name.textContent = box.title;
    header.append(name);
  }
  element.append(header);
  const ports = [];
  for (const [name, list] of [["ins", box.inputs], ["outs", box.outputs]]) {
    const column = document.createElement("div");
    column.className = name;
    for (const port of list) {
      const one = portElement(port, box, isGuest, actions);
      ports.push(one);
      column.append(one);
    }
    element.append(column);
  }
  return { element, heads, ports };
}

function portElement(port, box, isGuest, actions) {
  const element = button(port.name, () => isGuest || actions.press(port));
  element.className = `port ${kindOf(port)}`;
  element.dataset.key = port.key;
  element.dataset.group = box.id;
  element.setAttribute("aria-label", `${box.title}, ${port.isOutput ? "output" : "input"} ${port.name}`);
  element.setAttribute("aria-pressed", "false");
  element.setAttribute("aria-disabled", String(isGuest));
  element.title = port.name;
  return element;
}

function kindOf({ kind, name }) {
  return kind === "audio" && /^side/i.test(name) ? "audio side" : kind;
}
