// What somebody types into a page, read as Python reads it: numbers, text, and lists of them; nothing is run.

const LONGEST = 2000; // no answer of the course is longer; brackets within brackets end here, too
const DEEPEST = 20;

/** What is typed, as Python would read it: { type, value or items, text }; null where it is more than a plain value. */
export function read(typed) {
  if (typed.length > LONGEST) return null;
  const text = typed.trim().replace(/^\w+\s*=\s*(?!=)/, "").replaceAll("−", "-");
  return literal(text) ?? word(text);
}

/** A name without quotes counts as text: nobody should have to type quotes on a telephone. */
function word(text) {
  return /^\(?[A-Za-z][\w -]*[).]?$/.test(text) ? { type: "str", value: text, bare: true } : null;
}

function literal(text) {
  let at = 0, depth = 0;
  const skip = () => { while (/\s/.test(text[at] ?? "")) at += 1; };
  const match = (pattern) => {
    const found = text.slice(at).match(pattern);
    if (found) at += found[0].length;
    return found;
  };

  function value() {
    skip();
    const bracket = match(/^[[(]/);
    if (bracket && depth === DEEPEST) return null;
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
    depth += 1;
    for (skip(); text[at] !== closing; skip()) {
      const item = items.length && !comma ? null : value();
      if (!item) return null;
      items.push(item);
      skip();
      comma = Boolean(match(/^,/));
    }
    at += 1;
    depth -= 1;
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
