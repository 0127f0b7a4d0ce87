// The page: chooses a session, shows it on several pages, and has the commands for all of it.

import { note, wanted } from "./address.js";
import { Connection } from "./connection.js";
import { Frames } from "./frames.js";
import { SessionView } from "./session.js";
import { Tabs } from "./tabs.js";

const state = document.getElementById("state");
const tools = document.getElementById("tools");
const chooser = document.getElementById("chooser");
const select = document.getElementById("session");
const saved = document.getElementById("saved");

let isGuest = false;
/** The session that is shown; null without one. */
let session = null;
/** What is said of a session that has ended, until another one is shown. */
let farewell = "";

const frames = new Frames((now, colours) => session?.draw(tabs.current, now, colours) ?? false);

const tabs = new Tabs(document.getElementById("tabs"), (name) => {
  session?.showPage(name);
  if (session) note(session.name, name);
  frames.request();
});

const panels = Object.fromEntries(tabs.names.map((name) => [name, document.getElementById(name)]));

const connection = new Connection({
  async opened() {
    say("");
    try {
      const answer = await connection.sessions();
      isGuest = answer.isGuest;
      close();
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
    if (notice.from !== session?.name) return;
    if (!notice.ended) return session.take(notice);
    end();
    say(farewell);
  },
});

function say(text) { state.textContent = text; }

function setEnabled(isEnabled) { document.body.toggleAttribute("inert", !isEnabled); }

function showSessions(names) {
  setEnabled(true);
  select.replaceChildren(...names.map((name) => new Option(name, name)));
  chooser.hidden = names.length === 0;
  if (names.includes(session?.name)) return select.value = session.name;
  if (session) end();
  const news = farewell;
  farewell = "";
  if (names.length > 0) {
    choose(names.includes(wanted()[0]) ? wanted()[0] : names[0]);
    say(news);
  } else say(`${news} No session runs. This page shows one as soon as it starts: auricle run`.trim());
}

/** Leaves the session that is shown, which has ended. */
function end() {
  farewell = `The session “${session.name}” has ended.`;
  close();
}

function choose(name) {
  close();
  say("");
  select.value = name;
  session = new SessionView(name, isGuest, connection, panels, {
    say, showState, showPage: (page) => tabs.show(page), changed: () => frames.request(), run,
  });
  tabs.show(tabs.current);
  tools.hidden = isGuest;
  document.title = `${name} – Auricle`;
}

function close() {
  session?.close();
  session = null;
  showState(null);
  tools.hidden = true;
  document.title = "Auricle";
}

/** Shows what all pages tell: whether it is saved, and on the stage's tab whether something is missing. */
function showState(reading) {
  saved.textContent = reading ? reading.isDirty ? "Unsaved changes" : "Saved" : "";
  saved.title = reading?.file ?? "";
  const count = reading?.missing?.length ?? 0;
  document.getElementById("tab-stage").textContent = count > 0 ? `Stage: ${count} missing` : "Stage";
}

select.addEventListener("change", () => choose(select.value));

addEventListener("hashchange", () => {
  const [name, page] = wanted();
  if (tabs.names.includes(page)) tabs.show(page);
  const isKnown = [...select.options].some(({ value }) => value === name);
  if (isKnown && name !== session?.name) choose(name);
});

/** Sends a command for all of the session, and says what it did. */
async function run(request) {
  const answer = await session?.send(request).catch(() => null);
  if (!answer) return;
  const { command } = request;
  if (command === "panic") return say("All notes are ended.");
  if (command === "save") return say(`Saved to ${answer.saved.file}`);
  say((answer.changes ?? []).map((change) => change.text).join("; "));
}

for (const command of ["undo", "redo", "save", "panic"]) {
  document.getElementById(command).addEventListener("click", () => run({ command }));
}

tabs.show(tabs.names.includes(wanted()[1]) ? wanted()[1] : tabs.names[0]);
