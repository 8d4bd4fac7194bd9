// Lesson 05: sines and cosines become one table. Tiles move as stack and flatten move the numbers.
import { element, set } from "./elements.js";
import { explorer } from "./explorer.js";
import { range } from "./numbers.js";

export const ROWS = 2;
export const PAIRS = 4;
const TILES = range(2 * ROWS * PAIRS).map((n) => ({
  wave: Math.floor(n / (ROWS * PAIRS)), pos: Math.floor(n / PAIRS) % ROWS, k: n % PAIRS }));

// Where a tile stands after the first step: its index in a tensor of this shape.
export const WAYS = {
  "torch.stack((sin, cos), dim=2)": { shape: [ROWS, PAIRS, 2], at: ({ wave, pos, k }) => [pos, k, wave] },
  "torch.stack((sin, cos), dim=1)": { shape: [ROWS, 2, PAIRS], at: ({ wave, pos, k }) => [pos, wave, k] },
  "torch.stack((sin, cos), dim=0)": { shape: [2, ROWS, PAIRS], at: ({ wave, pos, k }) => [wave, pos, k] },
  "torch.cat((sin, cos), dim=1)": { shape: [ROWS, 2 * PAIRS], at: ({ wave, pos, k }) => [pos, wave * PAIRS + k] },
};

/** The tiles in the order that flatten(1) gives them, row by row: names such as "sin 0,1" for position 0, pair 1. */
export function flat(way) {
  const { shape, at } = WAYS[way];
  const place = (tile) => at(tile).reduce((sum, index, axis) => sum * shape[axis] + index, 0);
  const sorted = [...TILES].sort((a, b) => place(a) - place(b)).map(named);
  return range(shape[0]).map((row) => sorted.slice((row * sorted.length) / shape[0], ((row + 1) * sorted.length) / shape[0]));
}

const named = ({ wave, pos, k }) => `${["sin", "cos"][wave]} ${pos},${k}`;

const SAID = {
  "torch.stack((sin, cos), dim=2)": "Each sine stands beside its cosine: the paper's table.",
  "torch.stack((sin, cos), dim=1)": "All sines, then all cosines: the halves. A known design, but not the paper's order.",
  "torch.stack((sin, cos), dim=0)": "One row holds the sines of both positions. The shape is right and the table is wrong.",
  "torch.cat((sin, cos), dim=1)": "All sines, then all cosines: the halves. A known design, but not the paper's order.",
};

export function seen({ way, step }) {
  const { shape } = WAYS[way];
  const text = (sizes) => `(${sizes.join(", ")})`;
  if (step === 0) return `sin and cos, ${text([ROWS, PAIRS])} each: one row for each position, one column for each pair.`;
  if (step === 1) return `${way} has shape ${text(shape)}.`;
  return `Flattened from axis 1 on: ${text([shape[0], (2 * ROWS * PAIRS) / shape[0]])}. ${SAID[way]}`;
}

/** Where each tile is drawn, in tiles across and down. */
function spot(tile, way, step) {
  if (step === 0) return [tile.k + tile.wave * (PAIRS + 0.5), tile.pos];
  const { shape, at } = WAYS[way];
  const index = at(tile);
  if (step === 2) {
    const place = index.slice(1).reduce((sum, one, axis) => sum * shape[axis + 1] + one, 0);
    return [place, index[0]];
  }
  if (index.length === 2) return [index[1], index[0]];
  return [index[2] + index[1] * (shape[2] + 0.35), index[0] * 1.25]; // the last axis across, gaps between the others
}

function draw(scene) {
  const tiles = TILES.map((tile) => element("span", { class: `move wave${tile.wave} pos${tile.pos}` }, named(tile)));
  scene.append(element("div", { class: "moves", "aria-hidden": true }, ...tiles));
  return (state) => {
    const step = Math.round(state.step);
    tiles.forEach((made, n) => {
      const [x, y] = spot(TILES[n], state.way, step);
      set(made, { style: `left: ${(100 * x) / 9.1}%; top: ${y * 2.4}rem` });
    });
    return seen({ ...state, step });
  };
}

export const widget = explorer({
  question: "Which of these give a table of the right shape with the wrong numbers in it?",
  controls: {
    way: { label: "join", start: Object.keys(WAYS)[0], values: Object.keys(WAYS), choice: true },
    step: { label: "step", start: 0, max: 2 },
  },
  play: { name: "step", speed: 0.7 },
  draw,
});
export default widget;
