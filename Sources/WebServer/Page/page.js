// The page: chooses a session, and shows its units.

import { button } from "./button.js";
import { Connection } from "./connection.js";
import { GraphView } from "./graph.js";
import { UnitView } from "./unit.js";

const state = document.getElementById("state");
const units = document.getElementById("units");
const tools = document.getElementById("tools");
const chooser = document.getElementById("chooser");
const select = document.getElementById("session");
const saved = document.getElementById("saved");
const missing = document.getElementById("missing");
const scenes = document.getElementById("scenes");

let session = null;
let isGuest = false;
let views = new Map();
let graphView = null;
/** Counts the loads, so that a late one is dropped. */
let load = 0;
/** The units that are shown, with their kinds. */
let shown = "";

const connection = new Connection({
  async opened() {
    say("");
    try {
      const answer = await connection.sessions();
      isGuest = answer.isGuest;
      session = null;
      showSessions(answer.sessions);
    } catch (error) { say(error.message); }
  },
  lost(delay) {
    setEnabled(false);
    say(`The connection is lost. The next attempt is in ${Math.ceil(delay / 1000)} s. If it stays lost, `
      + "ask for another address: auricle web --link");
  },
  notice(notice) {
    if (notice.sessions) return showSessions(notice.sessions);
    if (notice.from !== session) return;
    if (notice.session) {
      showState(notice.session);
    } else if (notice.ended) {
      session = null;
      clear();
      say(`The session “${notice.from}” has ended.`);
    } else if (notice.meters) {
      for (const [id, meters] of Object.entries(notice.meters.units)) views.get(id)?.showMeters(meters);
    } else if (notice.graph) {
      graphView?.show(notice.graph);
      for (const unit of notice.graph.units) {
        views.get(unit.id)?.showKeyboard(unit.takesMIDI && unit.component !== "control");
      }
    } else if (notice.change) {
      const view = views.get(notice.change.path.split("/")[0]);
      if (!view?.show(notice.change)) scheduleLoad();
    } else if (notice.bypass) {
      views.get(notice.bypass.unit)?.showBypass(notice.bypass.on);
    }
  },
});

/** Draws all that moves, once for each frame of the screen. */
function draw(now) {
  const style = getComputedStyle(document.documentElement);
  const colours = { accent: style.getPropertyValue("--accent"), danger: style.getPropertyValue("--danger") };
  for (const view of views.values()) view.meter.draw(now, colours);
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);

function say(text) { state.textContent = text; }

function setEnabled(isEnabled) { document.body.toggleAttribute("inert", !isEnabled); }

function clear() {
  [views, graphView] = [new Map(), null];
  units.replaceChildren();
  for (const element of [saved, missing]) element.textContent = "";
  scenes.hidden = true;
  delete scenes.dataset.names;
  tools.hidden = true;
  document.title = "Auricle";
}

function showSessions(names) {
  setEnabled(true);
  select.replaceChildren(...names.map((name) => new Option(name, name)));
  chooser.hidden = names.length === 0;
  if (names.length === 0) {
    session = null;
    clear();
    return say("No session runs. This page shows one as soon as it starts: auricle run");
  }
  if (names.includes(session)) select.value = session;
  else choose(names.includes(wanted()) ? wanted() : names[0]);
}

/** The session of the address: a reload stays with it. */
function wanted() { return decodeURIComponent(location.hash.slice(1)); }

function choose(name) {
  session = name;
  say("");
  select.value = name;
  history.replaceState(null, "", `#${encodeURIComponent(name)}`);
  return loadUnits();
}

select.addEventListener("change", () => choose(select.value));

let planned = null;
/** Units came or went: they are listed again, once for several. */
function scheduleLoad() {
  planned ??= setTimeout(() => { planned = null; loadUnits(); }, 200);
}

async function loadUnits() {
  const name = session;
  if (!name) return;
  const number = ++load;
  try {
    const listed = (await connection.request(name, { command: "list" })).units;
    const components = (await connection.request(name, { command: "choices" })).choices;
    const watched = await connection.request(
      name, { command: "watch", paths: ["*"], meters: ["*"], topics: ["session", "graph"] });
    if (number !== load || name !== session) return;
    const readings = Map.groupBy
      ? Map.groupBy(watched.parameters, unitOf) : groups(watched.parameters);
    clear();
    shown = outline(listed);
    for (const unit of listed) {
      const view = new UnitView(unit, readings.get(unit.id) ?? [], isGuest, { set, hold, bypass, fail, send, ask });
      views.set(unit.id, view);
      units.append(view.element);
    }
    graphView = new GraphView(isGuest, components, send);
    units.append(graphView.element);
    tools.hidden = isGuest;
    document.title = `${name} – Auricle`;
    if (isGuest) say("You are a guest: you can look, but not change anything.");
  } catch (error) { if (number === load) say(error.message); }
}

function outline(listed) { return JSON.stringify(listed.map(({ id, component }) => [id, component])); }

/** Shows the state of the session: its scenes, its file, and the units that came or went. */
function showState(reading) {
  if (shown && outline(reading.units) !== shown) scheduleLoad();
  saved.textContent = reading.isDirty ? "Unsaved changes" : "Saved";
  saved.title = reading.file ?? "";
  for (const unit of reading.units) views.get(unit.id)?.showUnit(unit);
  for (const [id, view] of views) {
    view.showMappings(reading.mappings.filter(({ path }) => path.startsWith(`${id}/`)));
  }
  missing.textContent = reading.missing ? `Missing: ${reading.missing.join("; ")}` : "";
  if (scenes.dataset.names === JSON.stringify(reading.scenes)) return;
  scenes.dataset.names = JSON.stringify(reading.scenes);
  scenes.hidden = reading.scenes.length === 0;
  scenes.replaceChildren(...reading.scenes.map((name) => {
    const scene = button(name, () => send({ command: "scene", action: "load", name }));
    scene.disabled = isGuest;
    return scene;
  }));
}

function unitOf(reading) { return reading.path.split("/")[0]; }

function groups(readings) {
  const result = new Map();
  for (const reading of readings) {
    const unit = unitOf(reading);
    if (!result.has(unit)) result.set(unit, []);
    result.get(unit).push(reading);
  }
  return result;
}

/** Sends a request, and says what was wrong with it. */
async function send(request) {
  try {
    const answer = await connection.request(session, request);
    say("");
    return answer;
  } catch (error) {
    say(error.message);
    throw error;
  }
}

function set(path, value) { return connection.request(session, { command: "set", path, value }); }

/** Begins or ends a gesture on a parameter, and on those that move with it: others, or undefined. */
function hold(path, on, others) {
  connection.request(session, { command: "gesture", path, on, with: others }).catch(() => {});
}

/** Sends a request that says nothing on the page. */
function ask(request) { return connection.request(session, request); }

function fail(error) { say(error.message); }

function bypass(unit, on) { return send({ command: "bypass", unit, on }).catch(() => {}); }

for (const command of ["undo", "redo", "save", "panic"]) {
  document.getElementById(command).addEventListener("click", async () => {
    try {
      const answer = await send({ command });
      if (command === "panic") return say("All notes are ended.");
      if (command === "save") return say(`Saved to ${answer.saved.file}`);
      say((answer.changes ?? []).map((change) => change.text).join("; "));
    } catch { /* said already */ }
  });
}
