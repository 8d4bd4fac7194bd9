// Questions that reply in the page. Nothing is sent: what can be answered, and how, stands in the page itself.
import { reply } from "./answers.js";
import { make } from "./make.js";

const MARKS = { right: "✔", wrong: "✘", open: "○" };

for (const place of document.querySelectorAll(".question")) {
  const { text, letters } = JSON.parse(place.querySelector("script").textContent);
  place.replaceChildren(...(letters ?? []).map(choice), ...(text ? [field(text)] : []));
}

/** A value to type. */
function field(question) {
  const input = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false });
  const said = make("div", { role: "status" });
  const label = make("label", {}, `${question.name}, your answer: `, input);
  const form = make("form", {}, label, make("button", {}, "Check"), said);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(said, reply(question, input.value));
  });
  return form;
}

/** A letter to press; each has its reply. */
function choice({ name, replies }) {
  const said = make("div", { role: "status" });
  const buttons = Object.entries(replies).map(([letter, answer]) => {
    const button = make("button", { type: "button", ariaLabel: `${name}: ${letter}` }, letter);
    button.addEventListener("click", () => say(said, answer));
    return button;
  });
  return make("div", { role: "group", ariaLabel: name }, `${name}: `, ...buttons, said);
}

function say(place, { status, head, body }) {
  const mark = make("span", { ariaHidden: true }, `${MARKS[status]} `);
  place.replaceChildren(make("div", { className: `reply ${status}` }, make("b", {}, mark, head), make("p", {}, body)));
}
