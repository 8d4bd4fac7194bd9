// The front page, and lesson 00: two toys side by side.
import { clocks } from "./clocks.js";
import { element } from "./elements.js";
import { whenThemeChanges } from "./theme.js";
import { words } from "./words.js";

export const widget = {
  render({ el }) {
    const toys = { "1 · Swap the words": words, "2 · Clocks paint the table": clocks };
    const made = Object.keys(toys).map((title) => element("section", { class: "toy" }, element("p", { class: "title" }, title)));
    el.replaceChildren(element("div", { class: "pe-explorer hero" }, ...made));
    const redraws = Object.values(toys).map((fill, n) => fill(made[n]));
    whenThemeChanges(() => redraws.forEach((redraw) => redraw()));
  },
};
export default widget;
