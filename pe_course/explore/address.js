// The state of an explorer in the page's address: #explorer-table?pos=44&base=100 can be sent to somebody.

/** { read, write }; without an id, as in a notebook, both do nothing. */
export function address(id, controls) {
  if (!id) return { read: () => ({}), write: () => {} };
  const start = JSON.stringify(Object.fromEntries(Object.entries(controls).map(([name, one]) => [name, one.start])));
  let before = start;

  function read() {
    const [place, query] = decodeURIComponent(location.hash).slice(1).split("?");
    if (place !== id) return {};
    document.getElementById(id).scrollIntoView({ block: "center" });
    const given = [...new URLSearchParams(query ?? "")].filter(([name]) => name in controls);
    const valid = given.map(([name, text]) => [name, allowed(controls[name], text)]).filter(([, value]) => value !== null);
    return Object.fromEntries(valid);
  }

  function write(state) {
    const now = JSON.stringify(state);
    if (now === before) return;
    before = now;
    try {
      history.replaceState(null, "", `#${id}?${new URLSearchParams(state)}`);
    } catch { /* a frame without an address of its own */ }
  }
  return { read, write };
}

/** The text as a value that the control can have; null if it cannot. */
function allowed({ values, min = 0, max }, text) {
  if (values) return values.find((value) => `${value}` === text) ?? null;
  const value = Number(text);
  return text !== "" && value >= min && value <= max ? value : null;
}
