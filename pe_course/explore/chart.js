// Curves over positions, with numbers on the axes: smooth, with a dot on every whole position.
import { element, set, through } from "./elements.js";
import { range, written } from "./numbers.js";
import { dragged } from "./play.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [40, 10, 10, 34];

/** Round numbers that divide an axis, five or so. */
export function ticks(low, high, count = 5) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((times) => times * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  return range(Math.floor(high / step + 1e-9) - first + 1).map((n) => Number(((first + n) * step).toFixed(9)));
}

/**
 * { panel, draw }. draw({ y: [low, high], curves, at, marks }) draws curves { f, style, dots } or { points, style }
 * over x from `from` to `to`; `at` is where the upright line stands, and marks are { x, y, text }.
 */
export function chart({ from, to, xlabel, caption, drag, height = 190 }) {
  const svg = element("svg", { class: "chart", height, "aria-hidden": true });
  const text = element("figcaption", {}, caption);
  const panel = element("figure", {}, svg, text);
  let drawn = null;

  const render = () => {
    const width = svg.clientWidth;
    if (!width || !drawn) return;
    const { y: [low, high], curves, at = null, marks = [] } = drawn;
    const right = (x) => LEFT + ((x - from) / (to - from)) * (width - LEFT - RIGHT);
    const down = (y) => TOP + ((high - y) / (high - low)) * (height - TOP - BOTTOM);
    const label = (x, y, words, anchor = "middle") => element("text", { x, y, "text-anchor": anchor }, words);
    const parts = ticks(low, high, 4).flatMap((y) => [
      element("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: down(y), y2: down(y) }),
      label(LEFT - 6, down(y) + 4, written(y, 2).replace(/\.?0+$/, ""), "end")]);
    parts.push(...ticks(from, to, width < 420 ? 5 : 10).map((x) => label(right(x), height - BOTTOM + 16, `${x}`)));
    parts.push(label((LEFT + width) / 2, height - 3, xlabel));
    for (const { f, points, style = "c0", dots } of curves) {
      const smooth = range(2 * (width - LEFT)).map((n) => from + (n / (2 * (width - LEFT) - 1)) * (to - from));
      const places = points ?? smooth.map((x) => [x, f(x)]);
      parts.push(element("path", { class: `line ${style}`, d: through(places.map(([x, y]) => [right(x), down(y)])) }));
      const whole = points ?? range(to - from + 1).map((n) => [from + n, f(from + n)]);
      if (dots) parts.push(...whole.map(([x, y]) => element("circle", { class: `dot ${style}`, cx: right(x), cy: down(y), r: 2 })));
      if (at !== null && f) parts.push(element("circle", { class: `tip ${style}`, cx: right(at), cy: down(f(at)), r: 5 }));
    }
    if (at !== null) parts.push(element("line", { class: "cut", x1: right(at), x2: right(at), y1: TOP, y2: height - BOTTOM }));
    for (const { x, y, text: words } of marks) {
      parts.push(element("path", { class: "flag", d: `M${right(x)},${down(y) - 4}l-5,-8h10z` }));
      const anchor = right(x) > width - 90 ? "end" : right(x) < 90 ? "start" : "middle";
      parts.push(label(right(x), Math.max(11, down(y) - 15), words, anchor));
    }
    svg.replaceChildren(...parts);
  };

  if (drag) {
    dragged(svg, (x) => {
      const place = (x * svg.clientWidth - LEFT) / (svg.clientWidth - LEFT - RIGHT);
      drag(Math.round(from + Math.max(0, Math.min(1, place)) * (to - from)));
    });
  }
  new ResizeObserver(render).observe(svg);
  const draw = (what) => {
    drawn = what;
    set(svg, { viewBox: null });
    render();
  };
  return { panel, draw };
}
