// Lesson 08: two positions, and what depends on nothing but the offset between them.
import { clock, curve, dot, element, explorer, frequencies, panel, point, range, row, set, through } from "./shared.js";

export const POSITIONS = 60;
export const D_MODEL = 16;

/** The dot product of two rows. */
export const product = (first, second) => dot(row(first, D_MODEL), row(second, D_MODEL));

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

function draw(scene) {
  const pairs = range(D_MODEL / 2);
  const speeds = frequencies(D_MODEL);
  const hand = (style) => element("line", { class: `line ${style}`, x1: 0, y1: 0 });
  const thin = pairs.map(() => hand("c0"));
  const thick = pairs.map(() => hand("c1 thick"));
  const arcs = pairs.map(() => element("path", { class: "face" }));
  const products = range(POSITIONS).map((offset) => product(0, offset));
  const [plot, drawCurve] = curve(`Dot product against the offset, 0 to ${POSITIONS - 1}`, POSITIONS);
  scene.append(
    panel("The first position (thin), the second (thick), and the arc between", element("div", { class: "clocks" },
      ...pairs.map((k) => clock(k, arcs[k], thin[k], thick[k])))),
    plot,
  );

  return (state) => {
    const { first, offset } = state;
    const [from, to] = [row(first, D_MODEL), row(first + offset, D_MODEL)];
    for (const k of pairs) {
      point(thin[k], from[2 * k], from[2 * k + 1]);
      point(thick[k], to[2 * k], to[2 * k + 1]);
      // Clockwise from the first hand, `offset` steps of this pair: it ends where the second hand stands.
      const angles = range(61).map((n) => speeds[k] * (first + (offset * n) / 60));
      set(arcs[k], { d: through(angles.map((angle) => [0.55 * Math.sin(angle), -0.55 * Math.cos(angle)])) });
    }
    drawCurve(products, offset);
    return seen(state);
  };
}

export const widget = explorer({
  question: "Move the position: what stays? Then the offset: are rows that lie farther apart always less alike?",
  sliders: {
    first: { label: "position", start: 3, max: POSITIONS - 1 },
    offset: { label: "offset", start: 5, max: POSITIONS - 1 },
  },
  draw,
});
export default widget;
