// Attention over three words, without a mask: the small vectors are drawn once with a seed (tests/test_explore.py).
import { dot, range, row } from "./numbers.js";

export const WORDS = ["dog", "bites", "man"];
export const D_MODEL = 4;
// Seed 2271: the outputs differ in the two digits that are shown, and no output is larger than 1.
const VECTORS = {
  dog: [0.31, -0.68, -0.83, 0.01],
  bites: [0.33, -0.39, -0.86, 0.92],
  man: [0.58, 0.53, 0.89, -0.08],
};
const QUERY_MATRIX = [[0.32, -0.26, 0.66, 0.32], [0.26, 0.25, 0.18, 0.85], [0.73, 0.31, 0.36, -0.27], [0.4, 0.43, 0.21, 0.95]];
const KEY_MATRIX = [[-0.51, 0.44, -0.42, -0.18], [0.64, 0.15, 0.91, 0.11], [0.51, -0.77, 0.69, 0.12], [-0.69, -0.88, -0.9, -0.81]];
const VALUE_MATRIX = [[0.66, -0.43, -0.52, 0.52], [0.45, 0.72, -0.23, 0.71], [-0.99, -0.98, 0.67, -0.96], [-0.55, 0.65, 1, -0.02]];

const times = (x, matrix) => range(matrix[0].length).map((column) => dot(x, matrix.map((line) => line[column])));

function softmax(scores) {
  const shares = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = shares.reduce((a, b) => a + b);
  return shares.map((share) => share / sum);
}

/** { word: its output } of a sentence, an order of WORDS; `table` adds the table of positions to what goes in. */
export function attend(order, table) {
  const x = order.map((word, pos) => {
    const position = row(pos, D_MODEL);
    return VECTORS[word].map((value, column) => value + (table ? position[column] : 0));
  });
  const [queries, keys, values] = [QUERY_MATRIX, KEY_MATRIX, VALUE_MATRIX].map((matrix) => x.map((vector) => times(vector, matrix)));
  const outputs = queries.map((query) => {
    const shares = softmax(keys.map((key) => dot(query, key) / Math.sqrt(D_MODEL)));
    return range(D_MODEL).map((column) => dot(shares, values.map((value) => value[column])));
  });
  return Object.fromEntries(order.map((word, pos) => [word, outputs[pos]]));
}

/** Equal number for number: sums in another order may differ in their last, sixteenth digit. */
export const equal = (a, b) => a.every((value, n) => Math.abs(value - b[n]) < 1e-12);
