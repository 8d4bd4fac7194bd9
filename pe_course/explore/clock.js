// A clock for one pair of columns: sine goes to the right, cosine upwards.
import { element, set } from "./elements.js";

export const hand = (style = "c0") => element("line", { class: `line ${style}`, x1: 0, y1: 0 });

export const tip = (style = "c0") => element("circle", { r: 0.13, class: `tip ${style}` });

/** A face for pair k with hands that do not point anywhere yet. */
export function clock(k, ...hands) {
  const face = [element("circle", { r: 1, class: "face" }), element("path", { d: "M0,-1V-0.85", class: "face" })];
  const drawn = element("svg", { viewBox: "-1.15 -1.15 2.3 2.3" }, ...face, ...hands);
  return element("div", { class: "clock" }, drawn, `k = ${k}`);
}

/** Turn a hand, or move a tip, to (sine, cosine). */
export const point = (made, sine, cosine) => set(made, made.tagName === "circle"
  ? { cx: sine.toFixed(4), cy: (-cosine).toFixed(4) }
  : { x2: sine.toFixed(4), y2: (-cosine).toFixed(4) });
