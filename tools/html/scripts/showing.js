// A value in at most one line, in the types that were typed: as pe_course/judges/showing.py writes it.
import { numbers } from "./answers.js";

const WIDTH = 80;

export function shown(answer) {
  if (answer.type === "str") return cut(quoted(answer.value));
  if (answer.type === "float") return short(answer.value);
  if (!answer.items) return answer.text ?? cut(`${answer.value}`);
  const [open, end] = answer.type === "tuple" ? ["(", answer.items.length === 1 ? ",)" : ")"] : ["[", "]"];
  const text = `${open}${answer.items.map(shown).join(", ")}${end}`;
  const cells = text.length > WIDTH ? numbers(answer) : null;
  if (!cells) return cut(text);
  return `a ${answer.type} of shape (${cells.shape.join(", ")}${cells.shape.length === 1 ? "," : ""})`;
}

const cut = (text) => (text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`);

const quoted = (text) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`);

/** So many digits, as Python's .4g. */
export function short(value, count = 4) {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const [digits, exponent] = value.toExponential(count - 1).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < count) return `${Number(value.toFixed(count - 1 - power))}`;
  return `${Number(digits)}e${power < 0 ? "-" : "+"}${`${Math.abs(power)}`.padStart(2, "0")}`;
}
