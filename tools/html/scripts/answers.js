// What `check` replies to a value, computed from what its judge holds (tools/html_questions.py). In sentences and in
// order it follows pe_course/judges/value.py and value_reasons.py; tests/site/test_html_questions.py compares the two, answer by answer.
import { read } from "./reading.js";
import { short, shown } from "./showing.js";

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
  const wrong = (title) => (
    { status: "wrong", head: `${name}: not yet.`, body: `${title}\n  seen: you answered ${shown(answer)}` });
  if (answer.type === "bool") return wrong(`True or False is no answer here; ${asked(right)} asked for.`);
  const reason = reasons.find((each) => fits(answer, each));
  return wrong(known?.[1] ?? reason?.says ?? general(answer, right, tolerance) ?? ANOTHER);
}

function asked(right) {
  if (typeof right === "string") return "text in quotes is";
  return right.shape.length ? `${right.shape[0]} numbers are` : "one number is";
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
  const parts = answer.items?.length ? answer.items : [answer];
  if (parts.every(({ type }) => type === "str")) return "Text in quotes; give the value without them.";
  const got = numbers(answer);
  if (got && got.shape.length > right.shape.length && close(got.cells, right.cells, tolerance)) {
    return "Right, but in one pair of brackets too many; a comma at the end of a line makes them, too.";
  }
  if (right.shape.length === 1 && answer.items?.some(({ items }) => items)) {
    return "Brackets stand within brackets; one row of numbers is asked for.";
  }
  return got && ofNumbers(got, right, tolerance);
}

function ofNumbers(got, want, tolerance) {
  const [axes, wanted, count] = [got.shape.length, want.shape.length, got.cells.length];
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
  const factor = product(got, want) / product(want, want);
  const scaled = want.map((cell) => factor * cell);
  if (got.length > 2 && got.some(Boolean) && close(got, scaled, tolerance * Math.max(1, Math.abs(factor)))) {
    return `Every number is ${short(factor, 3)} times the one asked for.`;
  }
  const places = (right) => got.flatMap((cell, n) => ((Math.abs(cell - want[n]) <= tolerance) === right ? [n] : []));
  const [on, off] = [places(true), places(false)];
  if (got.length > 2 && off.length === 1) return `All but one are right: look at place ${off[0]}, counted from 0.`;
  return on.length ? `Counted from 0: ${listed(on)} right, ${listed(off)} not.` : null;
}

const product = (a, b) => a.reduce((sum, cell, n) => sum + cell * b[n], 0);
const listed = (places) => (places.length === 1
  ? `place ${places[0]} is`
  : `places ${places.slice(0, -1).join(", ")} and ${places.at(-1)} are`);
