// ▶: a number that runs by itself, until it is stopped or at its end.
import { element } from "./elements.js";

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * A button. get() is where the number stands, go(value) moves it; a second moves it by `speed`, from 0 to `end`.
 * Who wants less motion gets whole steps, one each second half.
 */
export function player({ get, go, end, speed, what }) {
  const button = element("button", { type: "button", class: "play" });
  let frame = null, stood = 0, before = null;
  const name = (playing) => {
    const icon = element("path", { d: playing ? "M3 2h4v12h-4zM9 2h4v12h-4z" : "M3 1.5 14 8 3 14.5z" }); // no font has both
    button.replaceChildren(element("svg", { viewBox: "0 0 16 16", "aria-hidden": true }, icon));
    button.setAttribute("aria-label", playing ? "Pause" : `Play: ${what}`);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = null;
    name(false);
    go(Math.round(get()));
  };
  const step = (now) => {
    stood = Math.min(end, stood + (speed * (now - (before ?? now))) / 1000);
    before = now;
    const shown = still() ? Math.floor(stood) : stood;
    if (shown !== get()) go(shown);
    if (stood >= end) stop();
    else frame = requestAnimationFrame(step);
  };
  button.addEventListener("click", () => {
    if (frame !== null) return stop();
    name(true);
    stood = get() >= end ? 0 : get();
    before = null; // a frame's time may lie before the click's: the first frame begins to count
    frame = requestAnimationFrame(step);
  });
  name(false);
  return { button, stop: () => frame !== null && stop() };
}

/** Call seen(x, y), both from 0 to 1, where a pointer presses and drags on an element. */
export function dragged(place, seen) {
  const share = (at, from, size) => Math.max(0, Math.min(1, (at - from) / size));
  const tell = (event) => {
    const box = place.getBoundingClientRect();
    seen(share(event.clientX, box.left, box.width), share(event.clientY, box.top, box.height));
  };
  place.classList.add("draggable");
  place.addEventListener("pointerdown", (event) => {
    place.setPointerCapture(event.pointerId);
    tell(event);
  });
  place.addEventListener("pointermove", (event) => place.hasPointerCapture(event.pointerId) && tell(event));
}
