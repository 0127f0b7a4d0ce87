// How the session does: load, xruns, faults, peaks, messages, and its MIDI.

import { AnalyserView } from "./analyser.js";
import { button } from "./button.js";
import { MIDIMonitor } from "./midimonitor.js";
import { Poll } from "./poll.js";

/** The seconds of load that are shown. */
const span = 120;
/** The most xruns whose times are shown. */
const mostXruns = 20;
/** The time between two questions for the status, in milliseconds. */
const interval = 2000;

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

export class HealthView {
  #changed;
  #status;
  #monitor;
  #analyser;
  #plot = document.createElement("canvas");
  #now = text("p", "");
  #units = list("Load of the units, the highest first", "bars");
  #xruns = text("p", "");
  #times = list("Xruns seen by this page, the newest first");
  #faults = list("Faults");
  #peaks = list("Peaks of the outputs");
  #notices = list("Messages of the log, the newest first", "lines");
  #loads = [];
  #former = null;
  #seenXruns = [];
  #newXruns = 0;
  #highest = new Map();
  #isSeen = false;
  #isDrawn = false;

  /** ask(request): returns its answer; watch(units): asks for their MIDI;
      watchSpectra(units, scopes): asks for their spectra, and for the frames of some; changed(): something has to be drawn. */
  constructor({ ask, watch, watchSpectra, changed }) {
    this.#changed = changed;
    this.#status = new Poll(interval, () => ask({ command: "status" }), ({ status }) => this.#showStatus(status));
    this.#monitor = new MIDIMonitor(watch);
    this.#analyser = new AnalyserView(watchSpectra);
    [this.#plot.width, this.#plot.height, this.#plot.className] = [960, 160, "plot"];
    this.#plot.setAttribute("aria-hidden", "true");
    this.#notices.element.tabIndex = 0;
    this.element = document.createElement("div");
    this.element.className = "health";
    this.element.append(
      card("Load", this.#now, this.#plot, this.#units.element),
      card("Xruns", this.#xruns, this.#times.element),
      card("Faults since the session began", this.#faults.element),
      card("Peaks since this page was opened", button("Reset peaks", () => {
        this.#highest.clear();
        this.#showPeaks();
      }), this.#peaks.element),
      card("Spectrum, loudness and scope", this.#analyser.element), card("Messages", this.#notices.element), card("MIDI", this.#monitor.element));
    this.#faults.show([line("Nothing is known yet.")]);
  }

  /** Asks only while somebody looks. */
  set isSeen(isSeen) {
    const begins = isSeen && !this.#isSeen;
    this.#isSeen = isSeen;
    this.#monitor.isSeen = isSeen;
    this.#analyser.isSeen = isSeen;
    this.#status.isOn = isSeen;
    if (!begins) return;
    this.#isDrawn = false;
    this.#showLoad();
    this.#showPeaks();
    this.#changed();
  }

  /** Shows the ids of the units. */
  showUnits(ids) { this.#monitor.showUnits(ids); }

  showGraph(graph) { this.#analyser.showGraph(graph); }

  takeSpectra(spectra) { this.#analyser.take(spectra); }

  takeMIDI(midi) { this.#monitor.take(midi); }

  /** Takes the load, once a second, also while nobody looks. */
  takeLoad(reading) {
    const units = Object.entries(reading.units);
    // Without a server's measure it is that of the units.
    const load = reading.load ?? units.reduce((sum, [, unit]) => sum + unit.load, 0);
    this.#loads.push(load);
    this.#loads.splice(0, this.#loads.length - span);
    const more = this.#former ? reading.xruns - this.#former.xruns : 0;
    this.#former = reading;
    if (more > 0) {
      this.#newXruns += more;
      const [id, worst] = units.sort(([, one], [, other]) => other.worstLoad - one.worstLoad)[0] ?? [];
      const hint = worst ? `; ${id} took up to ${worst.worstLoad.toFixed(0)} % of a cycle` : "";
      this.#seenXruns.unshift(`${clock.format(new Date())}: ${more}${hint}`);
      this.#seenXruns.splice(mostXruns);
    }
    this.#isDrawn = false;
    if (!this.#isSeen) return;
    this.#showLoad();
    this.#showPeaks();
    this.#changed();
  }

  /** Takes the levels, also while nobody looks. */
  meter(units) {
    for (const [id, { outputs }] of Object.entries(units)) {
      outputs.forEach((channels, index) => {
        const name = outputs.length > 1 ? `${id}:${index + 1}` : id;
        const peak = Math.max(...channels);
        if (!(peak <= this.#highest.get(name))) this.#highest.set(name, peak);
      });
    }
  }

  /** Draws the load and the spectrum. Nothing moves between two readings. */
  draw(now, colours) {
    this.#analyser.draw(now);
    if (this.#isDrawn) return false;
    this.#isDrawn = true;
    const { width, height } = this.#plot;
    const context = this.#plot.getContext("2d");
    context.clearRect(0, 0, width, height);
    const step = width / span;
    this.#loads.forEach((load, index) => {
      const size = Math.max(1, height * Math.min(1, load / 100));
      context.fillStyle = load >= 80 ? colours.danger : colours.accent;
      context.fillRect(width - (this.#loads.length - index) * step, height - size, step - 2, size);
    });
    return false;
  }

  #showLoad() {
    if (!this.#former) return;
    const { sampleRate, period, xruns, units } = this.#former;
    this.#now.textContent = `${this.#loads.at(-1).toFixed(1)} % now, ${Math.max(...this.#loads).toFixed(1)} % at most in `
      + `the last ${this.#loads.length} s; ${sampleRate} Hz, ${period} frames`;
    this.#xruns.textContent = `${xruns} at this server, ${this.#newXruns} since this page was opened`;
    this.#times.show(this.#seenXruns.map(line));
    const sorted = Object.entries(units).sort(([, one], [, other]) => other.load - one.load);
    this.#units.show(sorted.map(([id, { load, worstLoad }]) => {
      const item = line(`${id}  ${load.toFixed(2)} %, at most ${worstLoad.toFixed(1)} % of a cycle`);
      const bar = document.createElement("div");
      bar.className = "bar";
      for (const part of [worstLoad, load]) {
        bar.append(document.createElement("div"));
        bar.lastChild.style.width = `${Math.min(100, part)}%`;
      }
      item.append(bar);
      return item;
    }));
  }

  #showPeaks() {
    const sorted = [...this.#highest].sort(([one], [other]) => one.localeCompare(other, undefined, { numeric: true }));
    this.#peaks.show(sorted.map(([name, peak]) => {
      const item = line(`${name}  ${peak <= -200 ? "silent" : `${peak.toFixed(1)} dBFS`}`);
      if (peak >= 0) item.className = "lost";
      return item;
    }));
  }

  #showStatus({ counts, notices }) {
    this.#faults.show(counts.length > 0 ? counts.map(line) : [line("There are none.")]);
    this.#notices.show([...notices ?? []].reverse().map(({ time, level, text }) => {
      const item = line(`${clock.format(new Date(time * 1000))}  ${level}: ${text}`);
      if (level !== "notice") item.className = "lost";
      return item;
    }));
  }
}

function text(name, content) {
  const element = document.createElement(name);
  element.textContent = content;
  return element;
}

function line(content) { return text("li", content); }

/** A list that changes only if its words do: what is selected there stays. */
function list(name, className = "plain") {
  const element = document.createElement("ul");
  element.className = className;
  element.setAttribute("aria-label", name);
  let shown = "";
  return {
    element,
    show(items) {
      const words = items.map(({ textContent }) => textContent).join("\n");
      if (words === shown) return;
      shown = words;
      element.replaceChildren(...items);
    },
  };
}

function card(name, ...parts) {
  const element = document.createElement("div");
  element.className = "card";
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", name);
  element.append(text("h2", name), ...parts);
  return element;
}
