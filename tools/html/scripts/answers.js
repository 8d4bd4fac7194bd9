// What `check` replies to a value, computed from what its judge holds (tools/html_questions.py). In sentences and in
// order it follows pe_lib/judges/value.py; tests/test_html_questions.py compares the two, answer by answer.
import { shown } from "./showing.js";

/** What is typed, as Python would read it: { type, value or items, text }; null where it is more than a plain value. */
export function read(typed) {
  const text = typed.trim().replace(/^\w+\s*=\s*(?!=)/, "").replaceAll("−", "-");
  return literal(text) ?? word(text);
}

/** A name without quotes counts as text: nobody should have to type quotes on a telephone. */
function word(text) {
  return /^\(?[A-Za-z][\w -]*[).]?$/.test(text) ? { type: "str", value: text, bare: true } : null;
}

function literal(text) {
  let at = 0;
  const skip = () => { while (/\s/.test(text[at] ?? "")) at += 1; };
  const match = (pattern) => {
    const found = text.slice(at).match(pattern);
    if (found) at += found[0].length;
    return found;
  };

  function value() {
    skip();
    const bracket = match(/^[[(]/);
    if (bracket) return several(bracket[0] === "[" ? "]" : ")");
    const quoted = match(/^(?:'([^'\\]*)'|"([^"\\]*)")/);
    if (quoted) return { type: "str", value: quoted[1] ?? quoted[2] };
    const name = match(/^(?:True|False|None)\b/);
    if (name) return { type: name[0] === "None" ? "none" : "bool", value: name[0] === "True", text: name[0] };
    return number();
  }

  function number() {
    const found = match(/^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/);
    if (!found) return null;
    const [value, whole] = [Number(found[0].replaceAll("_", "")), /^[+-]?[\d_]+$/.test(found[0])];
    skip();
    const below = match(/^\/\s*(\d+\.?\d*)/); // a fraction, such as 1/2
    if (below) return Number(below[1]) ? { type: "float", value: value / Number(below[1]) } : null;
    return { type: whole ? "int" : "float", value };
  }

  function several(closing) {
    const items = [];
    let comma = false;
    for (skip(); text[at] !== closing; skip()) {
      const item = items.length && !comma ? null : value();
      if (!item) return null;
      items.push(item);
      skip();
      comma = Boolean(match(/^,/));
    }
    at += 1;
    if (closing === ")" && items.length === 1 && !comma) return items[0]; // brackets round one value are no tuple
    return { type: closing === "]" ? "list" : "tuple", items };
  }

  const first = value();
  skip();
  if (!first) return null;
  if (at === text.length) return first;
  at = 0;
  text += ")"; // 4, 7, 16 without brackets is a tuple, too
  const tuple = several(")");
  return tuple && at === text.length ? tuple : null;
}

/** { shape, cells } of what holds numbers, and null of everything else. */
export function numbers(answer) {
  if (["int", "float", "bool"].includes(answer.type)) return { shape: [], cells: [Number(answer.value)] };
  if (!answer.items) return null;
  const parts = answer.items.map(numbers);
  if (parts.some((part) => !part || `${part.shape}` !== `${parts[0].shape}`)) return null;
  return { shape: [parts.length, ...(parts[0]?.shape ?? [])], cells: parts.flatMap((part) => part.cells) };
}

const near = (a, b, tolerance) => `${a.shape}` === `${b.shape}` && close(a.cells, b.cells, tolerance);
const close = (a, b, tolerance) => a.length === b.length && a.every((cell, n) => Math.abs(cell - b[n]) <= tolerance);
const plain = (text) => text.replace(/^[ \n\t().]+|[ \n\t().]+$/g, "").toLowerCase(); // "b" for "B", "b)" and "(b)"

function same(answer, wanted, tolerance) {
  if (answer.type === "str" || typeof wanted === "string") {
    return answer.type === "str" && typeof wanted === "string" && plain(answer.value) === plain(wanted);
  }
  const got = numbers(answer);
  return got !== null && near(got, wanted, tolerance);
}

const ANOTHER = "That is another value. Hint 1 below the check says where to begin.";
const NONE = "The answer is None: is there a function in the cell whose result is not returned?";

/** { status, head, body }: the reply to what is typed. */
export function reply(question, typed) {
  const { name, right, tolerance, replies, reasons, because } = question;
  const answer = read(typed);
  if (!typed.trim() || typed.trim() === "...") return { status: "open", head: `${name}: not answered yet.`, body: "" };
  const known = answer && replies.find(([wrong]) => same(answer, wrong, tolerance));
  if (!answer || (answer.bare && typeof right !== "string" && !known)) {
    const body = "This page reads a number, a text, or a list of them; code is run by a notebook.";
    return { status: "open", head: `${name}: not understood.`, body };
  }
  if (same(answer, right, tolerance)) return { status: "right", head: `${name}: right.`, body: because };
  const reason = reasons.find((each) => fits(answer, each));
  const title = known?.[1] ?? reason?.says ?? general(answer, right, tolerance) ?? ANOTHER;
  return { status: "wrong", head: `${name}: not yet.`, body: `${title}\n  seen: you answered ${shown(answer)}` };
}

function fits(answer, { kinds, size }) {
  const length = answer.items?.length ?? (answer.type === "str" ? [...answer.value].length : null);
  return kinds.includes(answer.type) && (size === null || length === size);
}

/** What can be said of a wrong value whatever the exercise. */
function general(answer, right, tolerance) {
  const text = answer.type === "str";
  if (answer.type === "none") return NONE;
  if (typeof right === "string") {
    if (!text) return "One letter in quotes is asked for.";
    if (right.length === 1 && answer.value.replace(/^[ ().]+|[ ().]+$/g, "").length !== 1) {
      return "One letter is asked for, in quotes.";
    }
    return null;
  }
  if (text) return "Text in quotes; give the value without them.";
  const got = numbers(answer);
  return got && ofNumbers(got, right, tolerance);
}

function ofNumbers(got, want, tolerance) {
  const [axes, wanted, count] = [got.shape.length, want.shape.length, got.cells.length];
  if (axes > wanted && close(got.cells, want.cells, tolerance)) {
    return "Right, but in one pair of brackets too many; a comma at the end of a line makes them, too.";
  }
  if (wanted === 0 && axes && count !== 1) return "One number is asked for; these are several.";
  if (wanted === 1 && axes <= 1 && count !== want.cells.length) {
    const stand = count === 1 ? "One number stands" : `${count} numbers stand`;
    return `${stand} in the answer; ${want.cells.length} are asked for.`;
  }
  return `${got.shape}` === `${want.shape}` ? inOtherPlaces(got.cells, want.cells, wanted, tolerance) : null;
}

function inOtherPlaces(got, want, axes, tolerance) {
  const is = (other) => close(got, other, tolerance);
  const sorted = (cells) => [...cells].sort((a, b) => a - b);
  const size = (cells) => cells.map(Math.abs);
  if (want.some(Boolean) && is(want.map((cell) => -cell))) {
    return axes ? "Every sign is the other one." : "The size is right, the sign is the other one.";
  }
  if (axes !== 1) return null;
  if (want.length > 2 && is([...want].reverse())) return "The right numbers, in the reverse order.";
  if (close(sorted(got), sorted(want), tolerance)) return "The right numbers, in another order.";
  if (close(size(got), size(want), tolerance)) return "The sizes are right; a sign is not.";
  const off = got.flatMap((cell, n) => (Math.abs(cell - want[n]) <= tolerance ? [] : [n]));
  return got.length > 2 && off.length === 1 ? `All but one are right: look at place ${off[0]}, counted from 0.` : null;
}
