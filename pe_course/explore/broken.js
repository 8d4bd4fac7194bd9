// Lesson 12: two tables, and one is broken. Which?
import { element } from "./elements.js";
import { heat } from "./heat.js";
import { tableOf, VARIANTS } from "./variants.js";
import { whenThemeChanges } from "./theme.js";

const ROUNDS = 8;
const [TALL, WIDE] = [24, 16];

/** The games: a fixed order of mistakes and sides, so that a class plays the same; n from 0. */
export function round(n) {
  const wrong = Object.keys(VARIANTS).slice(1);
  return { mistake: wrong[(3 * n + 1) % wrong.length], side: [1, 0, 0, 1, 0, 1, 1, 0][n % 8] }; // side of the broken one
}

/** What is said after a choice. */
export function reply(n, side) {
  const { mistake, side: broken } = round(n);
  return `${side === broken ? "Right" : "No, the other one"}: ${VARIANTS[mistake].why}.`;
}

export const widget = {
  render({ el }) {
    const state = { n: 0, score: 0, chosen: null };
    const question = element("p", { class: "question" });
    const said = element("p", { class: "said", role: "status" });
    const next = element("button", { type: "button" }, "Next");
    const choices = ["A is broken", "B is broken"].map((text) => element("button", { type: "button" }, text));
    const tables = ["A", "B"].map((name) => heat({ caption: `Table ${name}.`, height: "14em" }));
    const sides = tables.map(({ panel }, side) => (panel.append(choices[side]), panel));

    const show = () => {
      const over = state.n === ROUNDS;
      const { mistake, side } = round(Math.min(state.n, ROUNDS - 1));
      question.textContent = over ? `${state.score} of ${ROUNDS}. Which mistake looked most like the paper's table?`
        : `${state.n + 1} of ${ROUNDS}: which table is broken? So far ${state.score} right.`;
      tables.forEach((table, n) => table.draw({ rows: tableOf(n === side ? mistake : "the paper's", TALL, WIDE) }));
      choices.forEach((button, n) => {
        button.disabled = state.chosen !== null || over;
        button.classList.toggle("broken", state.chosen !== null && n === side);
      });
      next.textContent = over ? "Once more" : "Next";
      next.hidden = state.chosen === null && !over;
      if (state.chosen === null) said.textContent = over ? "" : "Rows are positions, columns j. Look at row 0 and at how fast columns change.";
    };
    choices.forEach((button, side) => button.addEventListener("click", () => {
      state.chosen = side;
      state.score += side === round(state.n).side;
      said.textContent = reply(state.n, side);
      show();
      next.focus();
    }));
    next.addEventListener("click", () => {
      Object.assign(state, state.n === ROUNDS ? { n: 0, score: 0, chosen: null } : { n: state.n + 1, chosen: null });
      show();
      choices[0].focus();
    });
    el.replaceChildren(element("div", { class: "pe-explorer game" }, question,
      element("div", { class: "scene" }, ...sides), said, next));
    show();
    whenThemeChanges(show);
  },
};
export default widget;
