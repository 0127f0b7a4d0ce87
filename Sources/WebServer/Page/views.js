// The views of components that have one, beside the controls of all parameters.

import { decibels, frequencies } from "./axes.js";
import { Curve, Plot, Response } from "./curve.js";
import { EnvironmentView } from "./environment.js";
import { Handle } from "./handle.js";
import { MixerView } from "./mixer.js";
import { delayView, reverbView, toneView } from "./pictures.js";
import { SamplerView } from "./sampler.js";
import { SpectrumArea } from "./spectrum.js";
import { svg } from "./svg.js";
import { playerView, recorderView } from "./transport.js";

/** Frequencies over the whole axis, and some around those of points, where a curve may be narrow. */
function frequencyPoints(centres) {
  const points = Array.from({ length: 161 }, (_, index) => 20 * 1000 ** (index / 160));
  const most = centres.length > 8 ? 1 : 4;
  for (const centre of centres) {
    for (let step = -most; step <= most; step++) points.push(centre * 2 ** (step / 48));
  }
  return points.filter((one) => one >= 20 && one <= 20000).map((one) => Number(one.toFixed(2))).sort((a, b) => a - b);
}

/** Asks for the curve whenever a parameter that is set moves. */
function followed(unit, controls, points, actions, show) {
  const response = new Response(unit.id, points, actions.ask, show);
  for (const control of controls.values()) if (!control.isReading) control.observe(() => response.update());
}

/** Whether all parameters of a view are there: a program may have another component of that name. */
function has(controls, ...paths) { return paths.every((path) => controls.has(path)); }

function filterView(unit, controls, isGuest, actions) {
  const [cutoff, resonance] = [`${unit.id}/cutoff`, `${unit.id}/resonance`];
  if (!has(controls, cutoff, resonance)) return null;
  const plot = new Plot(`Curve of ${unit.id}`, frequencies, decibels(-48, 24, 12));
  const spectrum = new SpectrumArea(plot);
  const curve = new Curve(plot);
  const part = (path) => ({ path, control: controls.get(path) });
  new Handle(plot, "Cutoff and resonance", "", { across: part(cutoff), up: part(resonance) }, isGuest, actions.hold);
  followed(
    unit, controls, () => frequencyPoints([controls.get(cutoff).value]), actions,
    ({ at, decibels }) => curve.show(at, decibels));
  return withSpectrum(plot, spectrum);
}

/** A plot with the spectrum of the unit's output behind it. */
function withSpectrum(plot, spectrum) {
  return { element: plot.element, showSpectrum: (levels) => spectrum.show(levels), draw: () => spectrum.draw() };
}

function equalizerView(unit, controls, isGuest, actions) {
  const plot = new Plot(`Curve of ${unit.id}`, frequencies, decibels(-24, 24, 6));
  const spectrum = new SpectrumArea(plot);
  const bands = [];
  const part = (number, name) => {
    const path = `${unit.id}/bands/${number}/${name}`;
    return { path, control: controls.get(path) };
  };
  for (let number = 1; part(number, "frequency").control; number++) {
    const [kind, bypass] = [part(number, "kind").control, part(number, "bypass").control];
    const band = { frequency: part(number, "frequency").control, curve: new Curve(plot, "band") };
    bands.push(band);
    band.show = () => {
      for (const { element } of [band.curve, band.handle]) element.classList.toggle("bypassed", bypass.value >= 0.5);
      band.handle.show();
    };
    // Passes and stops have no gain.
    band.isFlat = () => !/parametric|shelf/i.test(kind.valueName);
  }
  const sum = new Curve(plot);
  bands.forEach((band, index) => {
    const number = index + 1;
    band.handle = new Handle(
      plot, `Band ${number}`, String(number),
      { across: part(number, "frequency"), up: part(number, "gain"), third: part(number, "bandwidth"), isFlat: band.isFlat },
      isGuest, actions.hold);
    for (const name of ["bypass", "kind"]) part(number, name).control.observe(band.show);
    band.show();
  });
  followed(
    unit, controls, () => frequencyPoints(bands.map(({ frequency }) => frequency.value)), actions,
    ({ at, decibels, parts = [] }) => {
      sum.show(at, decibels);
      bands.forEach((band, index) => band.curve.show(at, parts[index] ?? []));
    });
  return withSpectrum(plot, spectrum);
}

/** The transfer curve of a compressor, a limiter or a gate, with the present levels on it. */
function levelView(unit, controls, isGuest, actions) {
  const element = document.createElement("div");
  const axis = decibels(-72, 12, 12);
  const plot = new Plot(`Output level of ${unit.id} by its input level, in dB`, axis, axis);
  const curve = new Curve(plot);
  const point = svg("circle", { class: "level", r: 6 });
  let levels = null;
  function draw() {
    point.toggleAttribute("hidden", levels === null);
    if (levels === null) return;
    const [x, y] = plot.inside(...levels);
    point.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }
  plot.add(point, draw, true);
  followed(unit, controls, () => undefined, actions, ({ at, decibels }) => curve.show(at, decibels));
  const reduction = new Reduction();
  element.append(plot.element, reduction.element);
  const sideChain = controls.get(`${unit.id}/sideChain`);
  return {
    element,
    showMeters({ inputs, outputs, reduction: lowered }) {
      const [input, output] = [inputs[sideChain?.value >= 0.5 ? 1 : 0] ?? [], outputs.flat()].map((all) => Math.max(...all));
      levels = input > axis.from ? [input, output] : null;
      draw();
      reduction.show(lowered ?? 0);
    },
  };
}

/** Gain reduction as a bar and a number. */
class Reduction {
  #bar = document.createElement("div");
  #fill = document.createElement("div");
  #text = document.createElement("span");
  element = document.createElement("div");

  constructor() {
    this.element.className = "reduction";
    const name = document.createElement("span");
    name.textContent = "Gain reduction";
    this.#bar.className = "bar";
    this.#bar.setAttribute("role", "meter");
    this.#bar.setAttribute("aria-label", "Gain reduction");
    this.#bar.setAttribute("aria-valuemin", "0");
    this.#bar.setAttribute("aria-valuemax", "24");
    this.#bar.append(this.#fill);
    this.element.append(name, this.#text, this.#bar);
    this.show(0);
  }

  show(decibels) {
    const limited = Math.min(24, decibels);
    this.#fill.style.width = `${limited / 24 * 100}%`;
    this.#bar.setAttribute("aria-valuenow", String(limited));
    this.#text.textContent = `${decibels === 0 ? "" : "−"}${decibels.toFixed(1)} dB`;
  }
}

function mixerView(unit, controls, isGuest, actions) {
  return has(controls, `${unit.id}/volume`, `${unit.id}/inputs/1/solo`)
    ? new MixerView(unit, controls, isGuest, actions) : null;
}

function environmentView(unit, controls, isGuest, actions) {
  return has(controls, `${unit.id}/listener/yaw`, `${unit.id}/inputs/1/z`)
    ? new EnvironmentView(unit, controls, isGuest, actions) : null;
}

const views = new Map([
  ["filter", filterView], ["eq", equalizerView], ["mixer", mixerView], ["environment", environmentView],
  ["player", playerView], ["tone", toneView], ["delay", delayView], ["reverb", reverbView],
  ["sampler", (unit, controls, isGuest, actions) => new SamplerView(unit, isGuest, actions)],
  ["recorder", recorderView], ["compressor", levelView], ["limiter", levelView], ["gate", levelView],
]);

/**
 * Returns the view of a unit, or null: { element }, and if it needs them: showMeters(meters); draw(now, colours), which
 * returns whether something still moves; showSpectrum(levels), while it is seen; showGraph(unit, connections); showPage(isShown); showUnit(unit);
 * showStatus(unitStatus); renew(), on changes; isWhole, if other controls are rarely needed.
 * controls: a ParameterControl for each path.
 */
export function specialView(unit, controls, isGuest, actions) {
  return views.get(unit.component)?.(unit, controls, isGuest, actions) ?? null;
}
