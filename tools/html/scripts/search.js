// Search over all lessons. The index comes as a script: a page that is opened as a file may load no other kind.
import { make } from "./make.js";

const home = new URL(".", document.currentScript.src);
const SHOWN = 12;

const WORDS = 12; // more of them, such as a pasted page, would find nothing, and slowly

/** The different words of a question, the first twelve. */
const wordsOf = (question) => [...new Set(question.slice(0, 1000).toLowerCase().split(/\s+/).filter(Boolean))].slice(0, WORDS);

/** Places that hold every word, the best first; `index` is [[lesson, page, [[heading, id, text], …]], …]. */
function search(index, question) {
  const places = index.flatMap(([lesson, page, sections]) =>
    sections.map(([heading, id, text]) => ({ lesson, page, heading, id, text })));
  const words = wordsOf(question);
  for (const place of places) {
    const each = words.map((word) => worth(place, word));
    place.worth = each.includes(0) ? 0 : each.reduce((sum, more) => sum + more, 0);
  }
  return places.filter((place) => place.worth).sort((a, b) => b.worth - a.worth);
}

/** A word counts most in a heading, and in the text at most five times. */
function worth({ lesson, heading, text }, word) {
  const titled = heading.toLowerCase().includes(word) ? 10 : lesson.toLowerCase().includes(word) ? 3 : 0;
  return titled + Math.min(5, text.toLowerCase().split(word).length - 1);
}

/** The text around the first of the words that is in it: [before, word, after]. */
function around(text, question) {
  const places = wordsOf(question).map((word) => [text.toLowerCase().indexOf(word), word.length]);
  const [at, length] = places.find(([place]) => place >= 0) ?? [0, 0];
  const [start, end] = [Math.max(0, at - 60), at + length + 90];
  const [before, after] = [text.slice(start, at), text.slice(at + length, end)];
  return [(start ? "… " : "") + before, text.slice(at, at + length), after + (end < text.length ? " …" : "")];
}

const input = make("input", { type: "search", autocomplete: "off", placeholder: "Search", ariaLabel: "Search all lessons" });
const status = make("p", { role: "status" });
const results = make("ol", {});
const found = make("section", { className: "found", hidden: true, ariaLabel: "Places found" }, status, results);
const form = make("form", { role: "search", className: "search" }, input);
document.querySelector("header").append(form, found);

function show() {
  const index = globalThis.courseIndex;
  const places = index ? search(index, input.value) : [];
  found.hidden = !index || !input.value.trim();
  const best = places.length > SHOWN ? `, the best ${SHOWN} are shown` : "";
  status.textContent = `${places.length || "No"} place${places.length === 1 ? "" : "s"} found${best}.`;
  results.replaceChildren(...places.slice(0, SHOWN).map(listing));
}

function listing({ lesson, heading, page, id, text }) {
  const href = `${new URL(page, home)}#${encodeURIComponent(id)}`;
  const link = make("a", { href }, heading === lesson ? lesson : `${lesson} › ${heading}`);
  link.addEventListener("click", () => (found.hidden = true)); // the place may be on this page
  const [before, word, after] = around(text, input.value);
  return make("li", {}, link, make("p", {}, before, make("mark", {}, word), after));
}

let loading = false;
input.addEventListener("focus", () => {
  if (loading) return;
  loading = true; // only now: who reads one page need not load what all of them hold
  document.head.append(make("script", { src: new URL("search.js", home), onload: show }));
});
input.addEventListener("input", show);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.focus();
});
form.parentElement.addEventListener("keydown", (event) => {
  if (event.key === "Escape") found.hidden = true;
});
