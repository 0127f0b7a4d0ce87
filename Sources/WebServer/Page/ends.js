// Ends of connections, as the session names them.

/** The unit of an end: "keys" of "keys:1" and of "keys:midi"; undefined for an end that names no bus. */
export function unitOf(end) { return end.match(/^(.*):(?:\d+|midi)$/)?.[1]; }

/** The number of the input of an end: 3 of "desk:3"; NaN for an end that names none. */
export function inputOf(end) { return Number(end.match(/:(\d+)$/)?.[1]); }

/** The sources of an input's audio, by the ids of their units: "hum" of "hum:1". */
export function sourcesOf(end, connections) {
  return connections.filter(({ to, kind }) => to === end && kind === "audio")
    .map(({ from }) => unitOf(from) ?? from);
}
