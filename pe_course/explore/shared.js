// What the explorers share: the numbers, and sliders above a drawing. One file is put before each of them by widget.py.

export const frequencies = (d_model, base = 10000) =>
  Array.from({ length: Math.ceil(d_model / 2) }, (_, k) => base ** ((-2 * k) / d_model));

/** One row of the table. */
export const row = (pos, d_model, base = 10000) =>
  frequencies(d_model, base).flatMap((f) => [Math.sin(pos * f), Math.cos(pos * f)]);

export const dot = (a, b) => a.reduce((sum, value, n) => sum + value * b[n], 0);

export const range = (count) => Array.from({ length: count }, (_, n) => n);

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "path", "circle", "line", "text"]);

/** A new element of HTML or SVG; children are elements or text. */
export function element(tag, attributes = {}, ...children) {
  const made = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  set(made, attributes).append(...children);
  return made;
}

export function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** "M0,1 L1,2 …" through points (x, y). */
export const through = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}`;

/** A drawing with a line of text below it. */
export const panel = (text, ...drawn) => element("figure", {}, ...drawn, element("figcaption", {}, text));

/** A clock face for pair k with empty hands; sine goes to the right and cosine upwards. */
export function clock(k, ...hands) {
  const face = [element("circle", { r: 1, class: "face" }), element("path", { d: "M0,-1V-0.85", class: "face" })];
  const drawn = element("svg", { viewBox: "-1.1 -1.1 2.2 2.2" }, ...face, ...hands);
  return element("div", { class: "clock" }, drawn, `k = ${k}`);
}

export const point = (hand, sine, cosine) => set(hand, { x2: sine.toFixed(4), y2: (-cosine).toFixed(4) });

/** A curve over 0, 1, …, count - 1 with a place marked: its panel, and a function of (values, place) that draws it. */
export function curve(text, count) {
  const line = element("path", { class: "line c0" });
  const plot = element("svg", { viewBox: `-1 -5 ${count + 1} 110`, preserveAspectRatio: "none", class: "plot" }, line);
  const mark = element("div", { class: "mark" });
  const draw = (values, place) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const depth = (value) => (100 * (high - value)) / (high - low);
    set(line, { d: through(values.map((value, n) => [n, depth(value)])) });
    mark.style.left = `${(100 * (place + 1)) / (count + 1)}%`;
    mark.style.top = `${(100 * (depth(values[place]) + 5)) / 110}%`;
  };
  return [panel(text, element("div", { class: "marked" }, plot, mark)), draw];
}

/** Shades from dark, -1, over grey to light, 1: in order for every eye, and on paper without colour. */
export function shades(canvas, rows) {
  const [height, width] = [rows.length, rows[0].length];
  Object.assign(canvas, { width, height });
  const pixels = new ImageData(width, height);
  rows.flat().forEach((value, n) => pixels.data.set([...shade(value), 255], 4 * n));
  canvas.getContext("2d").putImageData(pixels, 0, 0);
}

function shade(value) {
  const [from, to] = value < 0 ? [[124, 123, 120], [0, 32, 77]] : [[124, 123, 120], [255, 234, 70]];
  return from.map((start, n) => start + Math.min(1, Math.abs(value)) * (to[n] - start));
}

/**
 * What anywidget, and a page, ask for: { render({ el }) }.
 *
 * sliders  name -> { label, start, min, max, step } or { label, start, values }; `choice` makes it a list of these
 * draw     puts what is drawn into an element, and returns a function of the state { name: value }, which redraws it
 *          and returns a sentence: what is seen
 */
export function explorer({ question, sliders, draw }) {
  return {
    render({ el }) {
      const scene = element("div", { class: "scene", "aria-hidden": true });
      const words = element("p", { class: "words", "aria-hidden": true });
      const spoken = element("p", { class: "spoken", role: "status" });
      const redraw = draw(scene);
      const state = {};
      let frame = null, pause = null;

      const show = () => {
        frame = null;
        words.textContent = redraw(state);
        clearTimeout(pause); // read aloud when the slider rests, and not sixty times a second
        pause = setTimeout(() => (spoken.textContent = words.textContent), 400);
      };
      const moved = () => (frame ??= requestAnimationFrame(show)); // one drawing for each frame, however many moves
      const controls = Object.entries(sliders).map(([name, slider]) => control(name, slider, state, moved));

      const root = element("div", { class: "pe-explorer" });
      root.append(element("p", { class: "question" }, question), element("div", { class: "controls" }, ...controls));
      root.append(scene, words, spoken);
      el.replaceChildren(root);
      show();
    },
  };
}

function control(name, { label, start, values, choice, min = 0, max, step = 1 }, state, moved) {
  state[name] = start;
  const shown = element("output", { "aria-hidden": true });
  const input = choice
    ? element("select", {}, ...values.map((value) => element("option", {}, value)))
    : element("input", values ? { type: "range", max: values.length - 1 } : { type: "range", min, max, step });
  input.setAttribute("data-lm-suppress-shortcuts", true); // else JupyterLab takes arrow keys, to move between cells
  input.value = values && !choice ? values.indexOf(start) : start;
  const tell = () => {
    const text = state[name].toLocaleString("en");
    if (!choice) input.setAttribute("aria-valuetext", text);
    shown.textContent = text;
  };
  input.addEventListener("input", () => {
    state[name] = choice ? input.value : values ? values[input.value] : Number(input.value);
    tell();
    moved();
  });
  tell();
  return element("div", {}, element("label", {}, element("span", {}, label), input), ...(choice ? [] : [shown]));
}
