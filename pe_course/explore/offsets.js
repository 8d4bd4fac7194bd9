// Lesson 08: two positions, and what depends on nothing but the offset between them.
import { chart } from "./chart.js";
import { clock, hand, point, tip } from "./clock.js";
import { element, panel, set, through } from "./elements.js";
import { explorer } from "./explorer.js";
import { dot, frequencies, range, row } from "./numbers.js";

export const POSITIONS = 60;
export const D_MODEL = 16;

/** The dot product of two rows. */
export const product = (first, second) => dot(row(first, D_MODEL), row(second, D_MODEL));

/** The same for any distance, whole or not: the sum of the pairs' cosines. */
const byOffset = (offset) => frequencies(D_MODEL).reduce((sum, f) => sum + Math.cos(offset * f), 0);

export function seen({ first, offset }) {
  const now = product(first, first + offset);
  const rises = offset > 0 && now > product(0, offset - 1);
  return (
    `Positions ${first} and ${first + offset}, offset ${offset}: dot product ${now.toFixed(2)}. ` +
    (offset === 0 ? "A row with itself: the largest." : rises
      ? `More than at offset ${offset - 1}: farther apart, and more alike.`
      : `Less than at offset ${offset - 1}.`)
  );
}

/** What the last move has changed: { name: "same" or "changed" }. */
export const changes = (before, { first, offset }) => ({
  "first hands": before.first === first ? "same" : "changed",
  "second hands": before.first + before.offset === first + offset ? "same" : "changed",
  arcs: before.offset === offset ? "same" : "changed",
  "dot product": before.offset === offset ? "same" : "changed",
});

function draw(scene, steer) {
  const pairs = range(D_MODEL / 2);
  const speeds = frequencies(D_MODEL);
  const thin = pairs.map(() => [hand("c0"), tip("c0")]);
  const thick = pairs.map(() => [hand("c1 thick"), tip("c1")]);
  const arcs = pairs.map(() => element("path", { class: "arc" }));
  const faces = element("div", { class: "clocks", "aria-hidden": true },
    ...pairs.map((k) => clock(k, arcs[k], ...thin[k], ...thick[k])));
  const badges = element("p", { class: "badges", "aria-hidden": true });
  const curve = chart({ from: 0, to: POSITIONS - 1, xlabel: "offset", caption: "Dot product against the offset.",
    drag: (offset) => steer({ offset }) });
  scene.append(panel("Blue: the first position. Red: the second. The arc is what lies between.", faces, badges), curve.panel);
  let before = null;

  return (state) => {
    const { first, offset } = state;
    const [from, to] = [row(first, D_MODEL), row(first + offset, D_MODEL)];
    for (const k of pairs) {
      thin[k].forEach((made) => point(made, from[2 * k], from[2 * k + 1]));
      thick[k].forEach((made) => point(made, to[2 * k], to[2 * k + 1]));
      // Clockwise from the first hand, `offset` steps of this pair: it ends where the second hand stands.
      const angles = range(61).map((n) => speeds[k] * (first + (offset * n) / 60));
      set(arcs[k], { d: through(angles.map((angle) => [0.55 * Math.sin(angle), -0.55 * Math.cos(angle)])) });
    }
    curve.draw({ y: [0, 8.2], curves: [{ f: byOffset, dots: true }], at: offset });
    const moved = before && (before.first !== first || before.offset !== offset);
    if (moved) badges.replaceChildren(...Object.entries(changes(before, state)).map(([name, said]) =>
      element("span", { class: `badge ${said}` }, `${name}: ${said}`)));
    before = { ...state };
    return seen(state);
  };
}

export const widget = explorer({
  question: "Move the position: what stays the same? Then the offset: are rows farther apart always less alike?",
  controls: {
    first: { label: "position", start: 3, max: POSITIONS - 1 },
    offset: { label: "offset", start: 5, max: POSITIONS - 1 },
  },
  draw,
});
export default widget;
