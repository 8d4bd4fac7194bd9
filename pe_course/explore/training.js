// Lesson 07: a toy learns to reverse. Loss, share right and attention at one step, together.
import { chart } from "./chart.js";
import { explorer } from "./explorer.js";
import { heat } from "./heat.js";
import { range } from "./numbers.js";
import { RUNS, RUN_STEPS } from "./training_runs.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
const LENGTH = 12;
const LAST = RUNS.none.loss.length - 1;
const nearest = (step) => Math.min(LAST, Math.round(step / RUN_STEPS));

/** The attention at a step: rows are queries, columns keys, shares from 0 to 1. */
export const attentionAt = (encoding, step) => range(LENGTH).map((query) =>
  range(LENGTH).map((key) => DIGITS.indexOf(RUNS[encoding].attention[nearest(step)][LENGTH * query + key]) / 63));

/** How many positions look most at the position that they have to copy: the one as far from the other end. */
export const found = (rows) => rows.filter((shares, query) =>
  shares.indexOf(Math.max(...shares)) === LENGTH - 1 - query).length;

export function seen({ encoding, step }) {
  const n = nearest(step);
  const { loss, right } = RUNS[encoding];
  const looks = found(attentionAt(encoding, step));
  return `Step ${n * RUN_STEPS}, ${encoding}: loss ${loss[n].toFixed(2)}, ${Math.round(100 * right[n])} % right. ` +
    `${looks} of ${LENGTH} positions look most at the one to copy.`;
}

function draw(scene, steer) {
  const to = LAST * RUN_STEPS;
  const losses = chart({ from: 0, to, xlabel: "step", caption: "Loss. Blue: no encoding. Red: the paper's. Green: doubled exponent.",
    drag: (step) => steer({ step }) });
  const image = heat({ caption: "Attention: red is a large share.", down: "query", across: "key", square: true });
  scene.append(losses.panel, image.panel);
  const curves = Object.values(RUNS).map(({ loss }, n) => ({ style: `c${n}`, points: loss.map((one, at) => [at * RUN_STEPS, one]) }));

  return (state) => {
    const n = nearest(state.step);
    const value = RUNS[state.encoding].loss[n];
    losses.draw({ y: [0, 2.6], curves, at: state.step, marks: [{ x: n * RUN_STEPS, y: value, text: value.toFixed(2) }] });
    image.draw({ rows: attentionAt(state.encoding, state.step) });
    return seen(state);
  };
}

export const widget = explorer({
  question: "At which step does the toy find out where to look? Does a wrong exponent stop it?",
  controls: {
    encoding: { label: "encoding", start: "the paper's", values: Object.keys(RUNS), choice: true },
    step: { label: "step", start: 0, max: LAST * RUN_STEPS, step: RUN_STEPS },
  },
  play: { name: "step", speed: 40 },
  draw,
});
export default widget;
