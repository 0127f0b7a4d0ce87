// Axes of plots.

/** The frequencies that are heard, in hertz. */
export const frequencies = {
  from: 20, to: 20000, isLogarithmic: true, unit: "Hz",
  ticks: [[20, "20"], [50, "50"], [100, "100"], [200, "200"], [500, "500"], [1000, "1k"], [2000, "2k"], [5000, "5k"],
    [10000, "10k"], [20000, "20k"]],
};

export function decibels(from, to, step) {
  const ticks = [];
  for (let value = from; value <= to; value += step) ticks.push([value, String(value).replace("-", "−")]);
  return { from, to, ticks, unit: "dB" };
}
