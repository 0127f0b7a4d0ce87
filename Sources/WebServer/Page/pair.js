// The form for the code that pairs a browser with the server.

const field = document.getElementById("digits");
const state = document.getElementById("state");
let isAsking = false;

document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  // A second request would find the code used.
  if (isAsking) return;
  isAsking = true;
  state.textContent = "";
  const message = await pair(field.value.replace(/\D/g, "")).catch(() => "The server does not answer.");
  // With the cookie, the same address is the page.
  if (message === null) return location.reload();
  isAsking = false;
  state.textContent = message;
  field.setAttribute("aria-invalid", "true");
  field.focus();
  field.select();
});

/** Sends a code, and returns what is wrong with it; null if the server accepts it. */
async function pair(digits) {
  if (digits.length !== 8) return "A pairing code has eight digits.";
  const response = await fetch("/pair", { method: "POST", headers: { "Auricle-Code": digits } });
  return response.ok ? null : response.text();
}
