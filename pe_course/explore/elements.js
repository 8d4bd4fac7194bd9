// New elements of HTML and SVG.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "path", "circle", "line", "rect", "text"]);

/** A new element; children are elements or text. */
export function element(tag, attributes = {}, ...children) {
  const made = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  set(made, attributes).append(...children);
  return made;
}

/** Set attributes; true is an empty one, but of ARIA's "true"; false or null takes it away. */
export function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null) made.removeAttribute(name);
    else made.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : value);
  }
  return made;
}

/** "M0,1 L1,2 …" through points (x, y). */
export const through = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}`;

/** A drawing with a line of text below it. */
export const panel = (text, ...drawn) => element("figure", {}, ...drawn, element("figcaption", {}, text));
