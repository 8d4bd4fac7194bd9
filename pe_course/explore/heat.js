// A table of numbers as shades, with numbers on its axes; a cell can be pointed at, and pressed.
import { ticks } from "./chart.js";
import { element } from "./elements.js";
import { range, written } from "./numbers.js";
import { dragged } from "./play.js";
import { paint } from "./shades.js";

/**
 * { panel, draw }. draw({ rows, row, cell, read }) shades rows of numbers from −1 to 1, and outlines a row or a cell
 * [row, column]; `read` holds the numbers that are read out, where they are others. press(row, column) is called where a pointer presses or drags. `down` and `across` name the axes.
 */
export function heat({ caption, down = "pos", across = "column j", press, square = false, height = "13em" }) {
  const canvas = element("canvas", { "aria-hidden": true });
  const mark = element("div", { class: "row-mark" });
  const shades = element("div", { class: "shades" }, canvas, mark);
  const [left, below] = [element("div", { class: "axis left" }), element("div", { class: "axis below" })];
  const read = element("p", { class: "read", "aria-hidden": true }); // a line of its own: nothing moves when it is written
  const panel = element("figure", { class: square ? "heat square" : "heat" },
    left, shades, below, element("figcaption", {}, caption), read);
  if (!square) canvas.style.height = height;
  let shown = [[0]];

  const place = (x, y) => [[y, shown.length], [x, shown[0].length]].map(([share, count]) =>
    Math.min(count - 1, Math.floor(share * count)));
  if (press) dragged(shades, (x, y) => press(...place(x, y)));
  shades.addEventListener("pointermove", (event) => {
    const box = shades.getBoundingClientRect();
    const [r, c] = place((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    const value = shown[r]?.[c];
    read.textContent = value === undefined || value === null ? "" : `${down} ${r}, ${across} ${c}: ${written(value, 4)}`;
  });
  shades.addEventListener("pointerleave", () => (read.textContent = ""));

  const number = (axis, count, name) => (text) => {
    const made = element("span", {}, `${text}`);
    made.style[name] = `${(100 * (text + 0.5)) / count}%`;
    axis.append(made);
  };
  function draw({ rows, row = null, cell = null, read: said = rows }) {
    const [height, width] = [rows.length, rows[0].length];
    if (height !== shown.length || width !== shown[0].length || !left.childNodes.length) {
      [left, below].forEach((axis) => axis.replaceChildren());
      const few = (count) => (count <= 16 ? range(count) : ticks(0, count - 1, 5));
      few(height).forEach(number(left, height, "top"));
      few(width).forEach(number(below, width, "left"));
    }
    shown = said;
    paint(canvas, rows);
    const [r, c, tall, wide] = cell ? [...cell, 1, 1] : [row ?? 0, 0, 1, width];
    mark.hidden = row === null && cell === null;
    Object.assign(mark.style, { top: `${(100 * r) / height}%`, height: `${(100 * tall) / height}%`,
      left: `${(100 * c) / width}%`, width: `${(100 * wide) / width}%` });
  }
  return { panel, shades, draw };
}
