// "Is my own code right?": what somebody pastes stays in the page. It is looked at for names, and never run.
import { make } from "./make.js";

const NAMED = /^(?:class|(?:async\s+)?def)\s+([A-Za-z_]\w*)/gm;
const LIKELY = /pos|enc|rope|rot|alibi|embed|sinus/i;

/** The names that a file defines at its left edge, the likeliest first. */
export function names(code) {
  const found = [...new Set([...code.slice(0, 200000).matchAll(NAMED)].map(([, name]) => name))];
  return [...found.filter((name) => LIKELY.test(name)), ...found.filter((name) => !LIKELY.test(name))].slice(0, 20);
}

/** What kind of code it looks like: the heading below which its common mistakes stand. */
export const kindOf = (name, code) => {
  const looks = `${name} ${code}`;
  if (/alibi|slope/i.test(looks)) return "bias";
  if (/rope|rotary|rotate_half/i.test(looks)) return "rotation";
  return "table";
};

const place = document.getElementById("paste");
if (place) {
  const area = make("textarea", { rows: 9, spellcheck: false, ariaLabel: "Your code",
    placeholder: "class PositionalEncoding(nn.Module): …" });
  const chosen = make("select", { ariaLabel: "What to check" });
  const file = make("input", { type: "text", value: "my_model.py", ariaLabel: "The file that holds it", spellcheck: false });
  const line = make("pre", {});
  const said = make("p", { role: "status" });
  const row = make("p", { className: "row" }, make("label", {}, "file ", file), make("label", {}, "check ", chosen));
  const sections = [...document.querySelectorAll("[data-kind]")];

  const show = () => {
    row.hidden = !chosen.length;
    const name = chosen.value;
    line.textContent = `python -m pe_clinic ${file.value.trim() || "my_model.py"}${name ? `:${name}` : ""}`;
    const kind = area.value.trim() && kindOf(name, area.value);
    for (const section of sections) section.hidden = Boolean(kind) && section.dataset.kind !== kind;
  };
  area.addEventListener("input", () => {
    const found = names(area.value);
    chosen.replaceChildren(...found.map((name) => make("option", {}, name)));
    said.textContent = !area.value.trim() ? "" : found.length
      ? `Found ${found.length === 1 ? found[0] : `${found.length} names`}. Save the code in the file, and run this line in the folder of the course:`
      : "No function or class begins at the left edge. Paste the whole definition.";
    show();
  });
  chosen.addEventListener("change", show);
  file.addEventListener("input", show);
  const promise = "Paste a function or a class. It stays in this page, which looks for its name and runs nothing.";
  place.replaceChildren(make("p", {}, promise), area, row, said, make("div", { className: "highlight" }, line));
  show();
}
