// The paper's table, and what people write in its place: each gives the steps to one cell.
import { range } from "./numbers.js";

const PAIR = (j) => Math.floor(j / 2);
const waves = [Math.sin, Math.cos];

/** name -> { exponent(j, d_model), wave(j), first: the position of row 0, why } */
export const VARIANTS = {
  "the paper's": { exponent: (j, d) => (2 * PAIR(j)) / d },
  "doubled exponent": {
    exponent: (j, d) => (2 * j) / d,
    why: "the column is taken for the pair: 2j in place of 2k",
  },
  "own odd exponent": {
    exponent: (j, d) => j / d,
    why: "an odd column has an exponent of its own: j in place of 2k",
  },
  "lost minus": {
    exponent: (j, d) => (-2 * PAIR(j)) / d,
    why: "multiplied by the power in place of divided",
  },
  "sine and cosine swapped": {
    exponent: (j, d) => (2 * PAIR(j)) / d,
    wave: (j) => 1 - (j % 2),
    why: "cosine stands in the even columns",
  },
  "begins at 1": {
    exponent: (j, d) => (2 * PAIR(j)) / d,
    first: 1,
    why: "row 0 holds position 1",
  },
};

/** The way to a cell: { k, exponent, angle, wave: "sin" or "cos", value }. */
export function steps(name, row, j, d_model, base = 10000) {
  const { exponent, wave = (column) => column % 2, first = 0 } = VARIANTS[name];
  const power = exponent(j, d_model);
  const angle = (row + first) / base ** power;
  return { k: PAIR(j), exponent: power, angle, wave: ["sin", "cos"][wave(j)], value: waves[wave(j)](angle) };
}

/** The whole table of a variant. */
export const tableOf = (name, rows, d_model, base = 10000) =>
  range(rows).map((row) => range(d_model).map((j) => steps(name, row, j, d_model, base).value));
