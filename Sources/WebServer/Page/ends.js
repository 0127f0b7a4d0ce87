// Ends of connections, as the session names them.

/** The unit of an end: "keys" of "keys:1" and of "keys:midi"; undefined for an end that names no bus. */
export function unitOf(end) { return end.match(/^(.*):(?:\d+|midi)$/)?.[1]; }
