// Pictures of a tone, of echoes and of a room, made of their parameters.

import { decibels } from "./axes.js";
import { Curve, Plot } from "./curve.js";
import { svg } from "./svg.js";

/** The height of a picture in pixels. */
const height = 140;
/** The lowest level that is shown, in decibels. */
const lowest = -60;
const levels = decibels(lowest, 0, 20);

/** The waves by number, at a share of their period. */
const waves = [
  (share) => Math.sin(2 * Math.PI * share), (share) => 1 - 4 * Math.abs((share + 0.25) % 1 - 0.5),
  (share) => 2 * (share < 0.5 ? share : share - 1), (share) => (share < 0.5 ? 1 : -1),
];

/** An axis of seconds, in quarters. */
function seconds(least) {
  const to = [0.25, 0.5, 1, 2, 4, 8].find((one) => one >= least) ?? 20;
  return { from: 0, to, unit: "", ticks: [0, 1, 2, 3, 4].map((part) => [part * to / 4, `${part * to / 4} s`]) };
}

/** Shows a plot with words below it; both follow the parameters with these names, or there is none. */
function picture(unit, controls, plot, names, show) {
  const followed = names.map((name) => controls.get(`${unit.id}/${name}`));
  if (!followed.every(Boolean)) return null;
  const words = document.createElement("p");
  words.className = "kind";
  const update = () => { words.textContent = show(...followed.map(({ value }) => value)); };
  for (const control of followed) control.observe(update);
  update();
  const element = document.createElement("div");
  element.append(plot.element, words);
  return { element };
}

/** Two periods of the wave, and the frequency that is tuned. */
export function toneView(unit, controls) {
  const plot = new Plot(
    `Wave of ${unit.id}`, { from: 0, to: 2, unit: "", ticks: [[0, "0"], [1, "1 period"], [2, "2"]] },
    { from: -1, to: 1, unit: "", ticks: [[-1, "−1"], [0, "0"], [1, "1"]] }, height);
  const curve = new Curve(plot);
  const at = Array.from({ length: 401 }, (_, index) => index / 200);
  return picture(
    unit, controls, plot, ["waveform", "amplitude", "pitch", "key", "tuning", "fine", "frequency"],
    (wave, amplitude, pitch, key, tuning, fine, frequency) => {
      curve.show(at, at.map((share) => amplitude * waves[Math.round(wave)](share % 1)));
      const tuned = pitch >= 0.5 ? frequency : tuning * 2 ** ((Math.round(key) - 69) / 12 + fine / 1200);
      return `${tuned.toFixed(2)} Hz`;
    });
}

/** The input and its echoes by time. */
export function delayView(unit, controls) {
  const plot = new Plot(`Echoes of ${unit.id}`, seconds(1), levels, height);
  let echoes = [];
  const bars = svg("path", { class: "curve" });
  plot.add(bars, () => {
    bars.setAttribute("d", echoes.map(([time, level]) => `M${plot.xOf(time)} ${plot.yAt(0)}V${plot.yOf(level)}`).join(""));
  }, true);
  return picture(unit, controls, plot, ["delay", "feedback", "mix"], (delay, feedback, mix) => {
    const level = (gain) => 20 * Math.log10(gain);
    echoes = [[0, level(1 - mix / 100)]];
    // A delay is two frames at least.
    const step = Math.max(delay, 0.001);
    for (let [time, gain] = [step, mix / 100]; level(gain) > lowest && time <= 8; gain *= Math.abs(feedback) / 100) {
      echoes.push([time, level(gain)]);
      time += step;
    }
    echoes = echoes.filter(([, level]) => level > lowest);
    const end = echoes.at(-1)?.[0] ?? 0;
    plot.setAxes(seconds(end * 1.02), levels);
    return end > 8 - step ? "The echoes last longer than 8 s." : `The last echo above −60 dB is after ${end.toFixed(2)} s.`;
  });
}

/** The fall of the lowest and of the highest frequencies by time. */
export function reverbView(unit, controls) {
  const plot = new Plot(`Decay of ${unit.id}`, seconds(1), levels, height);
  const [low, high] = [new Curve(plot), new Curve(plot, "band")];
  return picture(unit, controls, plot, ["decay", "damping", "mix"], (decay, damping, mix) => {
    const damped = decay * (1 - 0.95 * damping / 100);
    const start = Math.max(lowest, 20 * Math.log10(mix / 100));
    plot.setAxes(seconds(decay), levels);
    for (const [curve, time] of [[low, decay], [high, damped]]) {
      curve.show([0, time * (start - lowest) / 60], [start, lowest]);
    }
    return `The lowest frequencies fall by 60 dB in ${decay.toFixed(2)} s, the highest in ${damped.toFixed(2)} s.`;
  });
}
