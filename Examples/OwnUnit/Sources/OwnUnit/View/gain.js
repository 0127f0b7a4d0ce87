// A pad that is dragged across: the gain, with the unit's level behind it.

import { connect } from "./auricle-view.js";

const unit = await connect();
const gain = unit.parameters.get("gain");
const [pad, bar, level, output] = ["#pad", "#bar", "#level", "output"].map((one) => document.querySelector(one));

function show() {
  bar.style.width = `${100 * (gain.value - gain.minimum) / (gain.maximum - gain.minimum)}%`;
  output.textContent = `× ${gain.value.toFixed(2)}`;
  pad.setAttribute("aria-valuetext", output.textContent);
  for (const [key, value] of [["now", gain.value], ["min", gain.minimum], ["max", gain.maximum]]) {
    pad.setAttribute(`aria-value${key}`, value);
  }
}

function move(value) {
  gain.set(value);
  show();
}

function drag({ clientX }) {
  move(gain.minimum + (gain.maximum - gain.minimum) * clientX / pad.clientWidth);
}

gain.observe(show);
unit.meters.observe(({ outputs }) => {
  const loudest = Math.max(-60, ...outputs.flat());
  level.style.height = `${100 * (loudest + 60) / 60}%`;
});
if (unit.isGuest) pad.setAttribute("aria-disabled", "true");
else {
  pad.addEventListener("pointerdown", (event) => {
    pad.setPointerCapture(event.pointerId);
    gain.begin();
    drag(event);
  });
  pad.addEventListener("pointermove", (event) => { if (pad.hasPointerCapture(event.pointerId)) drag(event); });
  pad.addEventListener("lostpointercapture", () => gain.end());
  pad.addEventListener("dblclick", () => move(gain.standard));
  pad.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 0.05, ArrowUp: 0.05, ArrowLeft: -0.05, ArrowDown: -0.05 }[key];
    if (step) move(gain.value + step);
  });
}
show();
