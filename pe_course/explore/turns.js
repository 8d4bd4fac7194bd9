// Lesson 09: a query and a key, turned by their positions; the key may have been turned once more, by what was learned.
import { chart } from "./chart.js";
import { clock, hand, point, tip } from "./clock.js";
import { element, panel } from "./elements.js";
import { explorer } from "./explorer.js";
import { dot, frequencies, range } from "./numbers.js";

export const POSITIONS = 60;
export const QUERY = [0.9, 0.4, -0.6, 0.8, 1.1, -0.3, 0.5, 0.9, -0.7, -0.6, 0.2, 1.0, 0.8, -0.5, 0.6, 0.7];

/** RoPE: each pair of neighbours is turned by its own share of the position. */
export const turn = (x, pos) => frequencies(x.length).flatMap((f, k) => {
  const [a, b, cos, sin] = [x[2 * k], x[2 * k + 1], Math.cos(pos * f), Math.sin(pos * f)];
  return [a * cos - b * sin, a * sin + b * cos];
});

/** The score of the query at m with the key at n: the query itself, turned by `extra` positions more. */
export const score = ({ m, n, extra }) => dot(turn(QUERY, m), turn(turn(QUERY, extra), n));

export const scores = (state) => range(POSITIONS).map((n) => score({ ...state, n }));

const highest = (all) => all.indexOf(Math.max(...all));

export function seen(state) {
  const { m, n } = state;
  const all = scores(state);
  const far = m === n ? "at the same place" : `${Math.abs(m - n)} ${m > n ? "back" : "ahead"}`;
  const said = `Query at ${m}, key at ${n}, ${far}: score ${all[n].toFixed(2)}.`;
  return `${said} Of all ${POSITIONS} keys the one at ${highest(all)} scores highest.`;
}

function draw(scene, steer) {
  const pairs = range(QUERY.length / 2);
  const [thin, thick] = [pairs.map(() => [hand("c0"), tip("c0")]), pairs.map(() => [hand("c1 thick"), tip("c1")])];
  const curve = chart({ from: 0, to: POSITIONS - 1, xlabel: "key at", caption: "The score of the key at every place.",
    drag: (n) => steer({ n }) });
  const faces = element("div", { class: "clocks", "aria-hidden": true },
    ...pairs.map((k) => clock(k, ...thick[k], ...thin[k])));
  scene.append(panel("Blue: the query's pairs. Red: the key's. The score is high where they point the same way.", faces),
    curve.panel);

  const show = (hands, x) => hands.forEach((both, k) => {
    const [a, b] = [x[2 * k], x[2 * k + 1]];
    both.forEach((made) => point(made, a / Math.hypot(a, b), b / Math.hypot(a, b)));
  });
  return (state) => {
    show(thin, turn(QUERY, state.m));
    show(thick, turn(QUERY, state.extra + state.n));
    const all = scores(state);
    const best = highest(all);
    curve.draw({ y: [0, 9.5], curves: [{ f: (n) => score({ ...state, n }), dots: true }], at: state.n,
      marks: [{ x: best, y: all[best], text: `highest: ${best}` }] });
    return seen(state);
  };
}

export const widget = explorer({
  question: "Turn the key by 6 more: which key does the query at 20 now look at most, and the query at 30?",
  controls: {
    m: { label: "query at", start: 20, max: POSITIONS - 1 },
    n: { label: "key at", start: 12, max: POSITIONS - 1 },
    extra: { label: "key turned by", start: 0, max: 20 },
  },
  draw,
});
export default widget;
