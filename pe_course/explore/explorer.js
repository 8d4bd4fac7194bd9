// What every explorer is: a question, controls, a drawing, and the same in words.
import { address } from "./address.js";
import { element, set } from "./elements.js";
import { player } from "./play.js";
import { whenThemeChanges } from "./theme.js";

/**
 * What anywidget, and a page, ask for: { render({ el }) }.
 *
 * controls  name -> { label, start, min, max, step } or { label, start, values }; `choice` makes tabs of these
 * play      { name, speed }: the control that ▶ moves, and how far in a second
 * draw      puts what is drawn into an element, and returns a function of the state { name: value }, which redraws it
 *           and returns a sentence: what is seen. steer({ name: value }) moves controls from within the drawing.
 */
export function explorer({ question, controls, play, draw }) {
  return {
    render({ el, remember }) {
      const scene = element("div", { class: "scene" });
      const words = element("p", { class: "words", "aria-hidden": true });
      const spoken = element("p", { class: "spoken", role: "status" });
      const state = Object.fromEntries(Object.entries(controls).map(([name, { start }]) => [name, start]));
      const kept = address(remember && el.id, controls);
      Object.assign(state, kept.read());
      let frame = null, pause = null;

      const steer = (change) => {
        Object.assign(state, change);
        for (const name of Object.keys(change)) made[name]?.tell(state[name]);
        frame ??= requestAnimationFrame(show); // one drawing for each frame, however many moves
      };
      const made = Object.fromEntries(Object.entries(controls).map(([name, one]) =>
        [name, (one.choice ? tabs : slider)(one, (value) => (running?.stop(), steer({ [name]: value })))]));
      const running = play && player({
        get: () => state[play.name],
        go: (value) => steer({ [play.name]: value }),
        end: controls[play.name].max, speed: play.speed, what: controls[play.name].label,
      });
      const redraw = draw(scene, (change) => (running?.stop(), steer(change)));
      const show = () => {
        frame = null;
        words.textContent = redraw(state);
        clearTimeout(pause); // read aloud when it rests, and not sixty times a second
        pause = setTimeout(() => {
          spoken.textContent = words.textContent;
          kept.write(state);
        }, 400);
      };

      if (running) made[play.name].place.prepend(running.button);
      const row = element("div", { class: "controls" }, ...Object.values(made).map(({ place }) => place));
      el.replaceChildren(element("div", { class: "pe-explorer" },
        element("p", { class: "question" }, question), row, scene, words, spoken));
      for (const name of Object.keys(controls)) made[name].tell(state[name]);
      show();
      whenThemeChanges(() => show());
    },
  };
}

const rounded = (value, step) => Math.round(value / step) * step;

/** A slider, over whole steps or over the values of a list. */
function slider({ label, values, min = 0, max, step = 1 }, moved) {
  const shown = element("output", { "aria-hidden": true });
  const input = element("input", { type: "range", min, max: values ? values.length - 1 : max, step: values ? 1 : step,
    "data-lm-suppress-shortcuts": true }); // else JupyterLab takes arrow keys, to move between cells
  input.addEventListener("input", () => moved(values ? values[input.value] : Number(input.value)));
  const tell = (value) => {
    input.value = values ? values.indexOf(value) : rounded(value, step);
    const text = (values ? value : Number(rounded(value, step).toFixed(6))).toLocaleString("en");
    set(input, { "aria-valuetext": text });
    shown.textContent = text;
  };
  const named = element("label", {}, element("span", {}, label), input);
  return { place: element("div", { class: "slider" }, named, shown), tell };
}

/** One button for each value; ← and → move between them, as in any row of radio buttons. */
function tabs({ label, values }, moved) {
  const name = `pe-${Math.random().toString(36).slice(2)}`;
  const made = values.map((value) => {
    const input = element("input", { type: "radio", name, value, "data-lm-suppress-shortcuts": true });
    input.addEventListener("change", () => moved(value));
    return element("label", { class: "tab" }, input, element("span", {}, `${value}`));
  });
  const tell = (value) => made.forEach((tab, n) => (tab.firstChild.checked = values[n] === value));
  const place = element("fieldset", { class: "tabs" }, element("legend", {}, label), ...made);
  return { place, tell };
}
