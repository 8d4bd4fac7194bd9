// Lesson 11: which patches of an image are alike, where a patch has one number, and where it has two.
import { element } from "./elements.js";
import { explorer } from "./explorer.js";
import { heat } from "./heat.js";
import { dot, range, row } from "./numbers.js";

export const SIZE = 8; // patches in a row and in a column
export const D_MODEL = 32;

const line = range(SIZE * SIZE).map((n) => row(n, D_MODEL)); // numbered in one line, row after row
const grid = range(SIZE * SIZE).map((n) => [...row(Math.floor(n / SIZE), D_MODEL / 2), ...row(n % SIZE, D_MODEL / 2)]);
export const WAYS = { "one number": line, "two numbers": grid };

/** The dot product of every patch with patch n, in shares of the largest. */
export const similarity = (way, n) => WAYS[way].map((vector) => dot(vector, WAYS[way][n]) / (D_MODEL / 2));

/** The other patches that are most alike; there may be several. */
export function mostAlike(way, n) {
  const values = similarity(way, n).map((value, other) => (other === n ? -Infinity : value));
  const largest = Math.max(...values);
  return range(SIZE * SIZE).filter((other) => values[other] > largest - 1e-9);
}

const place = (n) => `(${Math.floor(n / SIZE)}, ${n % SIZE})`;

export function seen({ r, c }) {
  const n = SIZE * r + c;
  const said = Object.keys(WAYS).map((way) => `by ${way} ${mostAlike(way, n).map(place).join(" ")}`);
  return `Patch ${place(n)}, as (row, column). Most alike: ${said.join("; ")}.`;
}

function draw(scene, steer) {
  const images = Object.keys(WAYS).map((way) => {
    const image = heat({ caption: `By ${way}: red is alike, ● most of all.`, down: "row", across: "column", square: true,
      press: (r, c) => steer({ r, c }) });
    const marks = element("div");
    image.shades.append(marks);
    scene.append(image.panel);
    return { way, image, marks };
  });
  const disc = (n) => {
    const made = element("div", { class: "alike" }, element("span", {}, "●"));
    Object.assign(made.style, { left: `${(100 * (n % SIZE)) / SIZE}%`, top: `${(100 * Math.floor(n / SIZE)) / SIZE}%` });
    return made;
  };

  return (state) => {
    const n = SIZE * state.r + state.c;
    for (const { way, image, marks } of images) {
      const values = similarity(way, n);
      const low = Math.min(...values); // the whole scale of shades, from the least alike to the patch itself, 1
      const spread = values.map((value) => (2 * (value - low)) / (1 - low) - 1);
      const square = (numbers) => range(SIZE).map((r) => numbers.slice(SIZE * r, SIZE * (r + 1)));
      image.draw({ rows: square(spread), read: square(values), cell: [state.r, state.c] });
      marks.replaceChildren(...mostAlike(way, n).map(disc));
    }
    return seen(state);
  };
}

export const widget = explorer({
  question: "Press a patch at the left edge. Which patch, far away in the image, does one number take for a neighbour?",
  controls: {
    r: { label: "row", start: 3, max: SIZE - 1 },
    c: { label: "column", start: 4, max: SIZE - 1 },
  },
  draw,
});
export default widget;
