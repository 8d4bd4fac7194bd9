// Lesson 02: one row of the table is all clock hands at one position.
import { chart } from "./chart.js";
import { clock, hand, point, tip } from "./clock.js";
import { element } from "./elements.js";
import { explorer } from "./explorer.js";
import { heat } from "./heat.js";
import { frequencies, range, row } from "./numbers.js";

export const POSITIONS = 50;

/** How often each hand has gone round at a position. */
export const turns = (pos, d_model, base) => frequencies(d_model, base).map((f) => (pos * f) / (2 * Math.PI));

export function seen({ d_model, base, pos }) {
  const at = Math.round(pos);
  const now = turns(at, d_model, base);
  const round = turns(POSITIONS - 1, d_model, base).filter((turn) => turn >= 1).length;
  const slowest = now.length > 1 ? `, the slowest ${now.at(-1).toFixed(4)} times` : "";
  const all = round === now.length ? "all of them" : `${round} of ${now.length}`;
  return (
    `Position ${at}: hand k = 0 has gone round ${now[0].toFixed(2)} times${slowest}. ` +
    `By position ${POSITIONS - 1} this many go round at least once: ${all}.`
  );
}

export const style = (k) => `c${k % 6} d${(k + Math.floor(k / 6)) % 6}`;

function draw(scene, steer) {
  const faces = element("div", { class: "clocks", "aria-hidden": true });
  const table = heat({ caption: "The table. Drag: every row is all the hands at one position.", height: "15em",
    press: (pos) => steer({ pos }) });
  table.panel.prepend(faces);
  const waves = chart({ from: 0, to: POSITIONS - 1, xlabel: "pos", caption: "The sine of every pair.", height: 250,
    drag: (pos) => steer({ pos }) });
  scene.append(table.panel, waves.panel);
  let hands, rows, drawn;

  function rebuild(d_model, base) {
    rows = range(POSITIONS).map((pos) => row(pos, d_model, base));
    hands = range(d_model / 2).map((k) => [hand(style(k)), tip(style(k))]);
    faces.replaceChildren(...hands.map((both, k) => clock(k, ...both)));
  }

  return (state) => {
    const { d_model, base, pos } = state;
    if (drawn !== `${d_model} ${base}`) rebuild(d_model, base); // a move of the position alone is cheap
    drawn = `${d_model} ${base}`;
    const values = row(pos, d_model, base);
    hands.forEach((both, k) => both.forEach((made) => point(made, values[2 * k], values[2 * k + 1])));
    table.draw({ rows, row: Math.round(pos) });
    const curves = frequencies(d_model, base).map((f, k) => ({ f: (x) => Math.sin(x * f), style: style(k), dots: k === 0 }));
    waves.draw({ y: [-1.05, 1.05], curves, at: pos });
    return seen(state);
  };
}

export const widget = explorer({
  question: "At position 44 hand k = 0 stands almost where it began. Which hands tell row 44 from row 0?",
  controls: {
    pos: { label: "position", start: 5, max: POSITIONS - 1 },
    d_model: { label: "d_model", start: 8, min: 2, max: 16, step: 2 },
    base: { label: "base", start: 10000, values: [10, 100, 1000, 10000, 100000] },
  },
  play: { name: "pos", speed: 4 },
  draw,
});
export default widget;
