// Lesson 00: swap the words of a sentence, with and without the table of positions.
import { attend, equal, WORDS } from "./attention.js";
import { element, set } from "./elements.js";
import { written } from "./numbers.js";
import { cell, isDark } from "./shades.js";
import { tiles } from "./tiles.js";

const SWAPPED = [...WORDS].reverse();

/** What is seen, in words. */
export function told({ order, table }) {
  if (`${order}` === `${WORDS}`) return "The same sentence twice, the same outputs. Swap two words.";
  if (!table) return "Every word comes out the same, number for number. Nothing says who bites.";
  const biter = order[order.indexOf("bites") - 1];
  return `Every word comes out different. ${biter ? `In your sentence the ${biter} bites.` : "Order counts."}`;
}

const short = (value) => written(Math.round(100 * value) / 100 || 0, 2).replace("0.", "."); // no −0

/** One line for each word: its output in the first sentence, = or ≠, and its output in yours. */
function compared({ order, table }, dark) {
  const [first, second] = [attend(WORDS, table), attend(order, table)];
  const numbers = (output) => element("span", { class: "numbers" }, ...output.map((value) =>
    cell(value, short(value), dark, { title: written(value, 12) })));
  return WORDS.flatMap((word) => {
    const sign = equal(first[word], second[word]) ? "=" : "≠";
    const shown = element("b", { class: sign === "=" ? "sign" : "sign differs" }, sign);
    return [element("b", {}, word), numbers(first[word]), shown, numbers(second[word])];
  });
}

/** Put the toy into an element: both sentences, and below each what comes out of it. */
export function words(root) {
  const state = { order: SWAPPED, table: false };
  const fixed = element("span", { class: "tiles" }, ...WORDS.map((word) => element("span", { class: "tile fixed" }, word)));
  const grid = element("div", { class: "outputs" });
  const said = element("p", { role: "status" });
  const go = (change) => {
    Object.assign(state, change);
    mine.show();
    while (grid.children.length > 4) grid.lastChild.remove(); // the sentences stay: one of their words has the focus
    grid.append(...compared(state, isDark(root)));
    said.textContent = told(state);
    set(said, { class: state.table ? "said differs" : "said" });
  };
  const mine = tiles(WORDS, () => state.order, (order) => go({ order }));
  const button = element("button", { type: "button", class: "act" }, "⇄ swap");
  button.addEventListener("click", () => go({ order: [...state.order].reverse() }));
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => go({ table: box.checked }));
  grid.append(element("span"), fixed, element("span"), mine.place);
  root.append(
    element("div", { class: "acts" }, button, element("label", { class: "tick" }, box, "add the table of positions")),
    grid, said,
  );
  go({});
  return () => go({});
}
