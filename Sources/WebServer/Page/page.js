// The page: chooses a session, and shows it on several pages.

import { AdderView } from "./adder.js";
import { Connection } from "./connection.js";
import { Frames } from "./frames.js";
import { GraphView } from "./graph.js";
import { JournalView } from "./journal.js";
import { PatchbayView } from "./patchbay.js";
import { StageView } from "./stage.js";
import { Tabs } from "./tabs.js";
import { UnitView } from "./unit.js";

const state = document.getElementById("state");
const tools = document.getElementById("tools");
const chooser = document.getElementById("chooser");
const select = document.getElementById("session");
const saved = document.getElementById("saved");
const panels = Object.fromEntries(
  ["patchbay", "units", "stage", "journal"].map((name) => [name, document.getElementById(name)]));

let session = null;
let isGuest = false;
/** The views of the session but its units; null before there is one. */
let parts = null;
/** The views of the units, by their ids, and what they were made of. */
let views = new Map();
/** Counts the loads, so that a late one is dropped. */
let load = 0;
/** The units that are shown, with their kinds. */
let shown = "";
/** The parts of the session's state that are shown, as text: many notices change none of them. */
let told = new Map();

/** Whether a part of the state differs from the one that was told last. */
function isNew(key, value) {
  const text = JSON.stringify(value);
  if (told.get(key) === text) return false;
  told.set(key, text);
  return true;
}

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
      const { units } = notice.meters;
      for (const [id, meters] of Object.entries(units)) views.get(id)?.view.showMeters(meters);
      parts?.patchbay.meter(units);
      parts?.stage.meter(units);
      frames.request();
    } else if (notice.graph) {
      for (const part of [parts?.patchbay, parts?.graph, parts?.adder]) part?.show(notice.graph);
      parts?.stage.showGraph(notice.graph);
      for (const unit of notice.graph.units) {
        views.get(unit.id)?.view.showKeyboard(unit.takesMIDI && unit.component !== "control");
      }
    } else if (notice.change) {
      const view = views.get(notice.change.path.split("/")[0])?.view;
      if (!view?.show(notice.change)) scheduleLoad();
    } else if (notice.bypass) {
      views.get(notice.bypass.unit)?.view.showBypass(notice.bypass.on);
      parts?.patchbay.showBypass(notice.bypass);
    }
  },
});

/** The meters that are seen: others are not drawn. */
const seen = new Set();
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) isIntersecting ? seen.add(target) : seen.delete(target);
  frames.request();
});

/** Draws what moves on the page that is shown. Returns whether it still does. */
const frames = new Frames((now, colours) => {
  let isMoving = false;
  if (tabs.current === "units") {
    for (const { view } of views.values()) {
      if (seen.has(view.meter.element)) isMoving = view.meter.draw(now, colours) || isMoving;
    }
  } else if (tabs.current === "patchbay" || tabs.current === "stage") {
    isMoving = parts?.[tabs.current].draw(now, colours) ?? false;
  }
  return isMoving;
});

const tabs = new Tabs(document.getElementById("tabs"), (name) => {
  for (const page of ["stage", "journal"]) if (parts) parts[page].isSeen = page === name;
  if (session) noteAddress();
  frames.request();
});

function say(text) { state.textContent = text; }

function setEnabled(isEnabled) { document.body.toggleAttribute("inert", !isEnabled); }

function clear() {
  for (const { view } of views.values()) observer.unobserve(view.meter.element);
  [views, parts, shown, told] = [new Map(), null, "", new Map()];
  for (const panel of Object.values(panels)) panel.replaceChildren();
  saved.textContent = "";
  showReady(null);
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
  else choose(names.includes(wanted()[0]) ? wanted()[0] : names[0]);
}

/** The session and the page of the address: a reload stays with them. */
function wanted() {
  return location.hash.slice(1).split("/").map((text) => {
    try { return decodeURIComponent(text); } catch { return text; }
  });
}

function noteAddress() { history.replaceState(null, "", `#${encodeURIComponent(session)}/${tabs.current}`); }

addEventListener("hashchange", () => {
  const [name, page] = wanted();
  if (tabs.names.includes(page)) tabs.show(page);
  const isKnown = [...select.options].some(({ value }) => value === name);
  if (isKnown && name !== session) choose(name);
});

function choose(name) {
  session = name;
  say("");
  select.value = name;
  noteAddress();
  clear();
  const ask = (request) => connection.request(name, request);
  let components = null;
  parts = {
    patchbay: new PatchbayView(name, isGuest, { show: showUnit, bypass, send, changed: () => frames.request() }),
    graph: new GraphView(isGuest, send),
    adder: isGuest ? null : new AdderView(async (of) => {
      if (of !== null) return (await ask({ command: "choices", of })).choices;
      return (components ??= (await ask({ command: "choices" })).choices);
    }, send),
    stage: new StageView(isGuest, ask, send, () => run("panic")),
    journal: new JournalView((from) => ask({ command: "journal", from }).then(({ journal }) => journal), say),
  };
  panels.patchbay.append(...[parts.patchbay, parts.adder, parts.graph].filter(Boolean).map(({ element }) => element));
  panels.stage.append(parts.stage.element);
  panels.journal.append(parts.journal.element);
  tabs.show(tabs.current);
  tools.hidden = isGuest;
  document.title = `${name} – Auricle`;
  return loadUnits();
}

/** Goes to the view of a unit. */
function showUnit(id) {
  const element = views.get(id)?.view.element;
  if (!element) return;
  tabs.show("units");
  element.tabIndex = -1;
  element.scrollIntoView({ block: "nearest" });
  element.focus({ preventScroll: true });
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
    const watched = await connection.request(
      name, { command: "watch", paths: ["*"], meters: ["*"], topics: ["session", "graph"] });
    if (number !== load || name !== session) return;
    showUnits(listed, Map.groupBy ? Map.groupBy(watched.parameters, unitOf) : groups(watched.parameters));
    if (isGuest) say("You are a guest: you can look, but not change anything.");
  } catch (error) { if (number === load) say(error.message); }
}

/** Shows the units in their order. Those that are the same keep their views, and what is open there. */
function showUnits(listed, readings) {
  shown = outline(listed);
  const former = views;
  views = new Map();
  for (const unit of listed) {
    const own = readings.get(unit.id) ?? [];
    const made = JSON.stringify([unit.component, own.map(({ value, text, ...fixed }) => fixed)]);
    const known = former.get(unit.id);
    if (known?.made === made) {
      former.delete(unit.id);
      views.set(unit.id, known);
      for (const reading of own) known.view.show(reading);
      continue;
    }
    const view = new UnitView(unit, own, isGuest, { set, hold, bypass, fail, send, ask });
    told.delete("mappings");
    observer.observe(view.meter.element);
    views.set(unit.id, { view, made });
  }
  for (const { view } of former.values()) {
    observer.unobserve(view.meter.element);
    seen.delete(view.meter.element);
    view.element.remove();
  }
  // An element that stays is not moved, so that the focus stays too.
  let place = panels.units.firstElementChild;
  for (const { view: { element } } of views.values()) {
    if (element === place) place = place.nextElementSibling;
    else panels.units.insertBefore(element, place);
  }
}

function outline(listed) { return JSON.stringify(listed.map(({ id, component }) => [id, component])); }

/** Shows the state of the session: its file, what is missing, and the units that came or went. */
function showState(reading) {
  if (shown && outline(reading.units) !== shown) scheduleLoad();
  for (const unit of reading.units) {
    if (!isNew(`unit ${unit.id}`, unit)) continue;
    views.get(unit.id)?.view.showUnit(unit);
    parts?.patchbay.showUnit(unit);
  }
  if (isNew("mappings", reading.mappings)) {
    for (const [id, { view }] of views) {
      view.showMappings(reading.mappings.filter(({ path }) => path.startsWith(`${id}/`)));
    }
  }
  const { changes, ...rest } = reading;
  parts?.journal.show(changes);
  if (!isNew("state", rest)) return;
  saved.textContent = reading.isDirty ? "Unsaved changes" : "Saved";
  saved.title = reading.file ?? "";
  parts?.stage.show(reading);
  showReady(reading);
}

/** The tab of the stage tells from all pages that something is missing. */
function showReady(reading) {
  const count = reading?.missing?.length ?? 0;
  document.getElementById("tab-stage").textContent = count > 0 ? `Stage: ${count} missing` : "Stage";
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

/** Sends a command without keys, and says what it did. */
async function run(command) {
  const answer = await send({ command }).catch(() => null);
  if (answer === null) return;
  if (command === "panic") return say("All notes are ended.");
  if (command === "save") return say(`Saved to ${answer.saved.file}`);
  say((answer.changes ?? []).map((change) => change.text).join("; "));
}

for (const command of ["undo", "redo", "save", "panic"]) {
  document.getElementById(command).addEventListener("click", () => run(command));
}

tabs.show(tabs.names.includes(wanted()[1]) ? wanted()[1] : tabs.names[0]);
