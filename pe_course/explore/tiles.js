// Words in a row that swap places: by two clicks, by dragging one onto another, or with ← and →.
import { element, set } from "./elements.js";

/** The row of tiles, and a function that shows the order again; go(order) takes a new one. */
export function tiles(words, get, go) {
  const place = element("span", { class: "tiles", role: "group", "aria-label": "Your sentence" });
  const made = words.map(() => element("button", { type: "button", class: "tile", "data-lm-suppress-shortcuts": true }));
  let chosen = null, from = null;

  const show = () => get().forEach((word, n) => {
    made[n].textContent = word;
    set(made[n], { "aria-pressed": String(chosen === n), "aria-label": `${word}, place ${n + 1}: swap` });
  });
  const swap = (a, b) => {
    const order = [...get()];
    [order[a], order[b]] = [order[b], order[a]];
    chosen = null;
    go(order);
    made[b].focus();
  };
  const at = ({ clientX, clientY }) => made.indexOf(document.elementFromPoint(clientX, clientY));

  made.forEach((tile, n) => {
    tile.addEventListener("click", () => {
      if (chosen !== null && chosen !== n) return swap(chosen, n);
      chosen = chosen === n ? null : n;
      show();
    });
    tile.addEventListener("keydown", (event) => {
      const to = n + { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!made[to]) return;
      event.preventDefault();
      swap(n, to);
    });
    tile.addEventListener("pointerdown", () => (from = n));
  });
  place.addEventListener("pointerup", (event) => {
    if (from !== null && at(event) >= 0 && at(event) !== from) swap(from, at(event));
    from = null;
  });
  place.append(...made);
  return { place, show };
}
