// Lessons 03 and 04: press a cell of the table, and see how it is computed; the paper's way, and how people get it wrong.
import { element } from "./elements.js";
import { explorer } from "./explorer.js";
import { heat } from "./heat.js";
import { written } from "./numbers.js";
import { steps, tableOf, VARIANTS } from "./variants.js";

export const ROWS = 16;
export const D_MODEL = 8;

const digits = (value) => written(value, 4).replace(/\.?0+$/, "");

export function seen({ pos, j, table }) {
  const { k, exponent, angle, wave, value } = steps(table, pos, j, D_MODEL);
  const way = `Row ${pos}, column ${j}: pair k = ${j} // 2 = ${k}, exponent ${digits(exponent)}, ` +
    `angle ${digits(angle)}, ${wave} ${digits(angle)} = ${written(value, 4)}.`;
  const { why } = VARIANTS[table];
  if (!why) return `${way} This is the paper's table.`;
  const paper = steps("the paper's", pos, j, D_MODEL).value;
  const off = Math.abs(value - paper) < 1e-9 ? "the same here" : `${written(paper, 4)} in the paper`;
  return `${way} ${off[0].toUpperCase()}${off.slice(1)}. The mistake: ${why}.`;
}

function draw(scene, steer) {
  const chain = element("div", { class: "chain", "aria-hidden": true });
  const press = (pos, j) => steer({ pos, j });
  const table = heat({ caption: "The table: press a cell.", press, height: "16em" });
  const difference = heat({ caption: "Half the difference from the paper's.", press, height: "16em" });
  scene.append(chain, table.panel, difference.panel);
  const paper = tableOf("the paper's", ROWS, D_MODEL);

  return (state) => {
    const { pos, j } = state;
    const { k, exponent, angle, wave, value } = steps(state.table, pos, j, D_MODEL);
    const link = (name, result) => element("span", { class: "link" }, element("small", {}, name), element("b", {}, result));
    chain.replaceChildren(link("row, column", `${pos}, ${j}`), link("k = j // 2", `${k}`), link("exponent", digits(exponent)),
      link("angle", digits(angle)), link(wave, written(value, 4)));
    const rows = tableOf(state.table, ROWS, D_MODEL);
    table.draw({ rows, cell: [pos, j] });
    difference.draw({ rows: rows.map((line, r) => line.map((cell, c) => (cell - paper[r][c]) / 2)), cell: [pos, j] });
    return seen(state);
  };
}

export const widget = explorer({
  question: "Which of these wrong tables is right in columns 0 and 1, so that a short test misses it?",
  controls: {
    table: { label: "table", start: "the paper's", values: Object.keys(VARIANTS), choice: true },
    pos: { label: "row", start: 5, max: ROWS - 1 },
    j: { label: "column", start: 3, max: D_MODEL - 1 },
  },
  draw,
});
export default widget;
