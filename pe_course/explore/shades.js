// The colours of numbers, as in the course's figures: blue below 0, white at 0, red above (RdBu).
import { element } from "./elements.js";

const anchors = (text) => text.split(" ").map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
const LIGHT = anchors("053061 2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b 67001f");
const DARK = anchors("a6d5fa 62b0ee 3587c8 27587f 21384c 1d232a 45302b 7c3f2f b9553a ec7d57 ffb395");

/** [red, green, blue] of a value between −1 and 1; on a dark ground 0 is dark. */
export function shade(value, dark = false) {
  const colours = dark ? DARK : LIGHT;
  const place = (Math.max(-1, Math.min(1, value)) + 1) * 5;
  const below = Math.min(9, Math.floor(place));
  return colours[below].map((start, n) => Math.round(start + (place - below) * (colours[below + 1][n] - start)));
}

/** Whether an element stands on a dark ground: explore.css says so. */
export const isDark = (made) => getComputedStyle(made).getPropertyValue("--dark").trim() === "1";

/** Fill a canvas with one pixel for each number; null stays empty. */
export function paint(canvas, rows) {
  const [height, width] = [rows.length, rows[0].length];
  Object.assign(canvas, { width, height });
  const dark = isDark(canvas);
  const pixels = new ImageData(width, height);
  rows.flat().forEach((value, n) => value !== null && pixels.data.set([...shade(value, dark), 255], 4 * n));
  canvas.getContext("2d").putImageData(pixels, 0, 0);
}

/** Black or white, whichever stands out more from a colour: by WCAG's relative luminance, 4.5 : 1 or better. */
export function readable(colour) {
  const linear = colour.map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179 ? "#000" : "#fff";
}

/** A number in its shade, written so that it can be read on it. */
export function cell(value, text, dark, attributes = {}) {
  const made = element("span", { class: "number", ...attributes }, text);
  const ground = shade(value, dark);
  Object.assign(made.style, { background: `rgb(${ground})`, color: readable(ground) });
  return made;
}
