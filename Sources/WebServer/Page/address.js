// The session and the page of the address: a reload and a bookmark stay with them.

/** The names of the session and of the page that the address asks for, or undefined. */
export function wanted() {
  return location.hash.slice(1).split("/").map((text) => {
    try { return decodeURIComponent(text); } catch { return text; }
  });
}

export function note(session, page) { history.replaceState(null, "", `#${encodeURIComponent(session)}/${page}`); }
