// Levels as they are shown: a peak is shown at once, and falls slowly.

/** The lowest level that is shown, in dBFS. */
export const lowest = -60;
/** The fall of a shown level, in decibels a second. */
const fall = 20;

/** The level to show now, some milliseconds after another one was shown. */
export function fallen(level, shown, passed) {
  return Math.max(level, shown - fall * Math.min(passed, 1000) / 1000, lowest);
}
