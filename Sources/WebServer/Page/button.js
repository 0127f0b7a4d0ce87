// Buttons.

/** A button that calls an action; what goes wrong there is said by the action itself. */
export function button(text, action) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.addEventListener("click", () => Promise.resolve(action()).catch(() => {}));
  return element;
}
