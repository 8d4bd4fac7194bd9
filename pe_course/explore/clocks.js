// Clocks turn and paint the table, row by row: each stands above the two columns that it writes.
import { clock, hand, point, tip } from "./clock.js";
import { element, set } from "./elements.js";
import { range, row } from "./numbers.js";
import { dragged, player } from "./play.js";
import { paint } from "./shades.js";

const WIDTH = 16;
const ROWS = 40;
const START = 12;

/** Put the toy into an element. */
export function clocks(root) {
  const pairs = range(WIDTH / 2);
  const hands = pairs.map(() => [hand("c1"), tip("c1")]);
  const faces = element("div", { class: "clocks", "aria-hidden": true }, ...hands.map((both, k) => clock(k, ...both)));
  const canvas = element("canvas", { "aria-hidden": true });
  const mark = element("div", { class: "row-mark" });
  const table = element("div", { class: "shades" }, canvas, mark);
  const slider = element("input", { type: "range", min: 0, max: ROWS - 1, step: 1, "aria-label": "position" });
  slider.setAttribute("data-lm-suppress-shortcuts", true);
  const shown = element("output", { "aria-hidden": true });
  const rows = range(ROWS).map((pos) => row(pos, WIDTH));
  let pos = null, painted = null;

  const go = (next) => {
    pos = next;
    const whole = Math.floor(pos);
    row(pos, WIDTH).forEach((value, column, all) => column % 2 === 0
      && hands[column / 2].forEach((made) => point(made, value, all[column + 1])));
    slider.value = whole;
    if (painted === whole) return; // between two rows only the hands move
    painted = whole;
    shown.textContent = `pos ${whole}`;
    set(slider, { "aria-valuetext": `row ${whole} of ${ROWS - 1}` });
    paint(canvas, rows.map((values, n) => (n <= whole ? values : values.map(() => null))));
    mark.style.top = `${(100 * whole) / ROWS}%`;
  };
  const play = player({ get: () => pos, go, end: ROWS - 1, speed: 6, what: "the clocks turn and paint the table" });
  slider.addEventListener("input", () => {
    const to = Number(slider.value); // before play stops: that moves the slider
    play.stop();
    go(to);
  });
  dragged(table, (_, y) => {
    play.stop();
    go(Math.min(ROWS - 1, Math.floor(y * ROWS)));
  });
  mark.style.height = `${100 / ROWS}%`;
  root.append(element("div", { class: "playing" }, play.button, slider, shown), faces, table,
    element("p", { class: "said" }, "Every row of the table is the clocks at one position: sine and cosine of each hand."));
  go(START);
  return () => {
    painted = null;
    go(pos);
  };
}
