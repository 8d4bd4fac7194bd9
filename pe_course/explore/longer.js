// Lesson 10: toys that were trained on short texts, at longer ones; and the pair of RoPE that meets new angles.
import { chart } from "./chart.js";
import { clock, hand, point, tip } from "./clock.js";
import { element, panel, set, through } from "./elements.js";
import { explorer } from "./explorer.js";
import { LENGTHS, SCORES, TRAINED } from "./longer_runs.js";
import { frequencies, range } from "./numbers.js";

export const HEAD_DIM = 8;
const SPEEDS = frequencies(HEAD_DIM);
const FULL = 2 * Math.PI;
const [SHORTEST, LONGEST] = [LENGTHS[0], LENGTHS.at(-1)];

/** The pairs whose angles between query and key at this length are new: training has not shown them, modulo a turn. */
export const breaking = (length) => SPEEDS.flatMap((speed, k) => {
  const [seen, now] = [(TRAINED - 1) * speed, (length - 1) * speed];
  return seen < FULL && now > seen ? [k] : [];
});

/** The share right at a length, between the lengths that were measured on a straight line. */
export function scoreAt(name, length) {
  const place = Math.min(LENGTHS.length - 2, LENGTHS.findLastIndex((one) => one <= length));
  const [from, to] = [LENGTHS[place], LENGTHS[place + 1]];
  const [a, b] = [SCORES[name][place], SCORES[name][place + 1]];
  return a + ((length - from) / (to - from)) * (b - a);
}

export function seen({ length }) {
  const shares = Object.keys(SCORES).map((name) => `${name} ${Math.round(100 * scoreAt(name, length))} %`);
  if (length <= TRAINED) return `Length ${length}, as in training: ${shares.join(", ")}.`;
  const pairs = breaking(length);
  const angle = ((length - 1) * SPEEDS[pairs[0]]).toFixed(2);
  const known = ((TRAINED - 1) * SPEEDS[pairs[0]]).toFixed(2);
  return `Length ${length}, at the new positions: ${shares.join(", ")}. Pair k = ${pairs[0]} breaks first: ` +
    `it turns by up to ${angle}, and training ended at ${known}.`;
}

const arc = (from, to) => through(range(61).map((n) => {
  const angle = from + ((to - from) * n) / 60;
  return [0.75 * Math.sin(angle), -0.75 * Math.cos(angle)];
}));

function draw(scene, steer) {
  const names = Object.keys(SCORES);
  const shares = chart({ from: SHORTEST, to: LONGEST, xlabel: "length", height: 240,
    caption: `Share right. Trained up to ${TRAINED} tokens; beyond, at the new positions alone.`,
    drag: (length) => steer({ length }) });
  const legend = element("p", { class: "legend", "aria-hidden": true }, ...names.map((name, n) =>
    element("span", {}, element("i", { class: `key k${n}` }), name)));
  shares.panel.append(legend);
  const known = SPEEDS.map(() => element("path", { class: "arc" }));
  const fresh = SPEEDS.map(() => element("path", { class: "arc fresh" }));
  const hands = SPEEDS.map(() => [hand("c0"), tip("c0")]);
  const faces = element("div", { class: "clocks", "aria-hidden": true },
    ...SPEEDS.map((_, k) => clock(k, known[k], fresh[k], ...hands[k])));
  scene.append(shares.panel, panel("RoPE's pairs: how far they turn over the text. Green: seen in training. Red: new.", faces));
  const curves = names.map((name, n) => ({ style: `c${n} d${n}`, dots: true,
    points: LENGTHS.map((length, at) => [length, SCORES[name][at]]) }));

  return (state) => {
    const length = Math.round(state.length);
    shares.draw({ y: [0, 1.05], curves, at: state.length });
    const broken = breaking(length);
    SPEEDS.forEach((speed, k) => {
      const [end, now] = [Math.min(FULL, (TRAINED - 1) * speed), (length - 1) * speed];
      set(known[k], { d: arc(0, Math.min(end, now)) });
      set(fresh[k], { d: broken.includes(k) ? arc(end, Math.min(now, FULL)) : "M0,0" });
      hands[k].forEach((made) => point(made, Math.sin(now), Math.cos(now)));
    });
    return seen({ length });
  };
}

export const widget = explorer({
  question: "Drag the length past training: which encodings hold, and which pair of RoPE meets angles that are new?",
  controls: { length: { label: "length", start: TRAINED, min: SHORTEST, max: LONGEST } },
  play: { name: "length", speed: 12 },
  draw,
});
export default widget;
