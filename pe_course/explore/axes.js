// Lesson 06: which rows of the table an expression adds to x, or why it fails.
import { element, panel } from "./elements.js";
import { explorer } from "./explorer.js";
import { range } from "./numbers.js";

export const D_MODEL = 4;

// What is added to x: its shape, and the table's row that stands at an index (sample, token) of the sum. `pe` is
// (1, max_len, d_model); `pe_first`, of sequence-first code, is (max_len, 1, d_model).
const PARTS = {
  "pe[:, :x.shape[1]]": ({ length, max_len }) => perToken(Math.min(length, max_len)),
  pe: ({ max_len }) => perToken(max_len),
  "pe[:x.shape[0]]": ({ max_len }) => perToken(max_len), // its axis 0 has size 1: nothing is cut
  "pe[:, x.shape[1]]": ({ length, max_len }) => length < max_len
    ? { shape: [1, D_MODEL], at: () => length }
    : { error: `IndexError: index ${length} is out of bounds for dimension 1 with size ${max_len}` },
  "pe_first[:x.shape[0]]": ({ batch, max_len }) => perSample(Math.min(batch, max_len)),
  "pe_first[:x.shape[1]]": ({ length, max_len }) => perSample(Math.min(length, max_len)),
};
const perToken = (rows) => ({ shape: [1, rows, D_MODEL], at: (_, token) => token });
const perSample = (rows) => ({ shape: [rows, 1, D_MODEL], at: (sample) => sample });
export const ADDED = Object.keys(PARTS);

const shown = (shape) => `(${shape.join(", ")})`;

/** Two shapes lined up from the right: per axis { a, b, result }; a missing axis is null, and so is a clash. */
export function lineUp(a, b) {
  const axes = Math.max(a.length, b.length);
  const pad = (shape) => [...Array(axes - shape.length).fill(null), ...shape];
  return pad(a).map((m, n) => {
    const other = pad(b)[n];
    const [p, q] = [m ?? 1, other ?? 1];
    return { a: m, b: other, result: p === q || q === 1 ? p : p === 1 ? q : null };
  });
}

/** { verdict, sentence, shape added or null, rows: the table's row for each token of each sample, or null }. */
export function outcome(state) {
  const { batch, length, max_len, added } = state;
  const part = PARTS[added](state);
  const said = (verdict, sentence, rows = null) => ({ verdict, sentence, shape: part.shape ?? null, rows });
  if (part.error) return said("error", part.error);
  const axes = lineUp([batch, length, D_MODEL], part.shape);
  const clash = axes.findLastIndex(({ result }) => result === null);
  if (clash >= 0) {
    const { a, b } = axes[clash];
    return said("error", `RuntimeError: The size of tensor a (${a}) must match the size of tensor b (${b}) ` +
      `at non-singleton dimension ${clash}`);
  }
  const sum = axes.map(({ result }) => result);
  if (sum[0] !== batch || sum[1] !== length) return said("silently wrong", `the sum has grown to ${shown(sum)}`);
  const index = (axis, n) => (axes[axis].b > 1 ? n : 0); // an axis of size 1 is stretched: its only index is 0
  const rows = range(batch).map((s) => range(length).map((t) => part.at(index(0, s), index(1, t))));
  if (rows.every((tokens) => tokens.every((r, t) => r === t))) {
    return said("right", "every token gets the row of its position", rows);
  }
  const one = rows.flat().every((r) => r === rows[0][0]);
  const same = one ? `every token gets row ${rows[0][0]}` : "every token of a sample gets the same row";
  return said("silently wrong", same, rows);
}

const tableOf = ({ max_len, added }) => added.startsWith("pe_first")
  ? { name: "pe_first", shape: [max_len, 1, D_MODEL] }
  : { name: "pe", shape: [1, max_len, D_MODEL] };

function boxes(state, { shape }) {
  const { batch, length, added } = state;
  const table = tableOf(state);
  const whole = line(table.name, table.shape.map((size) => element("td", { class: "whole" }, `${size}`)));
  if (!shape) return [whole];
  const axes = lineUp([batch, length, D_MODEL], shape);
  const cells = (name) => axes.map(({ a, b, result }) => {
    const size = { a, b, result }[name];
    if (result === null) return element("td", { class: "clash" }, `${size ?? "✗"}`);
    if (size === result) return element("td", {}, `${size}`);
    return element("td", { class: "stretched" }, `${size ?? ""} → ${result}`);
  });
  return [whole, line("x", cells("a")), line(added, cells("b")), line("sum", cells("result"))];
}

const line = (label, cells) => element("tr", {}, element("th", {}, label), ...cells);

function draw(scene) {
  const shapes = element("tbody");
  const tokens = element("tbody");
  const verdict = element("p", { class: "verdict" });
  const found = new Set();
  const boxed = (text, rows) => panel(text, element("table", { class: "boxes" }, rows));
  const rowsText = "The row of the table that each token gets; samples down, tokens across; a wrong one is crossed out";
  scene.append(verdict, boxed("The shapes, lined up from the right", shapes), boxed(rowsText, tokens));
  return (state) => {
    const result = outcome(state);
    if (result.verdict === "silently wrong") found.add(state.added);
    const mark = { right: "✔", error: "✘", "silently wrong": "⚠" }[result.verdict];
    verdict.textContent = `${mark} x + ${state.added}: ${result.verdict}`;
    shapes.replaceChildren(...boxes(state, result));
    tokens.replaceChildren(...(result.rows ?? []).map((rows) => element("tr", {},
      ...rows.map((r, token) => element("td", { class: r === token ? "" : "wrong" }, `${r}`)))));
    const { name, shape } = tableOf(state);
    const added = result.shape ? shown(result.shape) : "fails";
    const x = shown([state.batch, state.length, D_MODEL]);
    const sizes = `x is ${x}, ${name} ${shown(shape)}, what is added ${added}`;
    const caught = `Wrong without an error so far: ${found.size} of ${ADDED.length} expressions.`;
    return `${sizes}: ${result.verdict}, ${result.sentence}. ${caught}`;
  };
}

export const widget = explorer({
  question: "How many of these expressions can be wrong without any error? Find sizes for each.",
  controls: {
    batch: { label: "batch", start: 2, min: 1, max: 6 },
    length: { label: "length", start: 5, min: 1, max: 10 },
    max_len: { label: "max_len", start: 8, min: 1, max: 10 },
    added: { label: "x +", start: ADDED[0], values: ADDED, choice: true },
  },
  draw,
});
export default widget;
