// Lesson 02: one row of the table as clock hands, as a cut through the waves, and as a row of shades.
import { clock, element, explorer, frequencies, panel, point, range, row, set, shades, through } from "./shared.js";

export const POSITIONS = 50;

/** How often each hand has gone round at a position. */
export const turns = (pos, d_model, base) => frequencies(d_model, base).map((f) => (pos * f) / (2 * Math.PI));

export function seen({ d_model, base, pos }) {
  const now = turns(pos, d_model, base);
  const round = turns(POSITIONS - 1, d_model, base).filter((turn) => turn >= 1).length;
  const slowest = now.length > 1 ? `, the slowest ${now.at(-1).toFixed(4)} times` : "";
  const all = round === now.length ? "all of them" : `${round} of ${now.length}`;
  return (
    `Position ${pos}: hand k = 0 has gone round ${now[0].toFixed(2)} times${slowest}. ` +
    `By position ${POSITIONS - 1} this many go round at least once: ${all}.`
  );
}

function draw(scene) {
  const faces = element("div", { class: "clocks" });
  const waves = element("svg", { viewBox: "0 -1.1 49 2.2", preserveAspectRatio: "none", class: "plot" });
  const canvas = element("canvas");
  const mark = element("div", { class: "row-mark" });
  scene.append(
    faces,
    panel("The sine of each pair, over the positions 0 to 49", waves),
    panel("The table: positions down, columns across; dark is −1, light is 1",
      element("div", { class: "shades" }, canvas, mark)),
  );
  let hands, cut, drawn;

  function rebuild(d_model, base) {
    const rows = range(POSITIONS).map((pos) => row(pos, d_model, base));
    const style = (k) => ({ class: `line c${k % 6} d${(k + Math.floor(k / 6)) % 6}` });
    hands = range(d_model / 2).map((k) => element("line", { ...style(k), x1: 0, y1: 0 }));
    cut = element("path", { d: "M0,-1.1V1.1", class: "cut" });
    faces.replaceChildren(...hands.map((hand, k) => clock(k, hand)));
    const lines = hands.map((_, k) =>
      element("path", { ...style(k), d: through(rows.map((values, pos) => [pos, -values[2 * k]])) }));
    waves.replaceChildren(...lines, cut);
    shades(canvas, rows);
  }

  return (state) => {
    const { d_model, base, pos } = state;
    if (drawn !== `${d_model} ${base}`) rebuild(d_model, base); // a move of the position alone is cheap
    drawn = `${d_model} ${base}`;
    const values = row(pos, d_model, base);
    hands.forEach((hand, k) => point(hand, values[2 * k], values[2 * k + 1]));
    set(cut, { transform: `translate(${pos} 0)` });
    mark.style.top = `${(100 * pos) / POSITIONS}%`;
    return seen(state);
  };
}

export const widget = explorer({
  question: "Can every hand go round at least once within these 50 positions? Find out which sliders decide it.",
  sliders: {
    d_model: { label: "d_model", start: 8, min: 2, max: 16, step: 2 },
    base: { label: "base", start: 10000, values: [10, 100, 1000, 10000, 100000] },
    pos: { label: "position", start: 5, max: POSITIONS - 1 },
  },
  draw,
});
export default widget;
