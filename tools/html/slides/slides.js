// Slides by keys, as a presenter's remote sends them: → shows the answer, then the next slide; ← goes back.
const slides = [...document.querySelectorAll("main > section")];
const answer = (n) => slides[n].querySelector(".answer");
const state = { at: 0 };

function show(at, answered) {
  state.at = Math.max(0, Math.min(slides.length - 1, at));
  slides.forEach((slide, n) => slide.classList.toggle("now", n === state.at));
  answer(state.at)?.classList.toggle("shown", answered);
  history.replaceState(null, "", `#${state.at + 1}`);
}

const waits = () => answer(state.at)?.classList.contains("shown") === false;
const on = () => (waits() ? show(state.at, true) : show(state.at + 1, false));
const back = () => show(state.at - 1, true);
const MOVES = {
  ArrowRight: on, PageDown: on, " ": on, ArrowLeft: back, PageUp: back,
  Home: () => show(0, false), End: () => show(slides.length - 1, false),
};

addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.activeElement.blur(); // from a slider back to the slides
  const taken = event.target.closest("input, button") && !event.key.startsWith("Page"); // a slider keeps its arrows
  if (taken || !MOVES[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  MOVES[event.key]();
});

slides.forEach((slide, n) => {
  const [left, right] = [["◀", "Back", back], ["▶", "On", on]].map(([sign, name, move]) => {
    const button = document.createElement("button");
    button.textContent = sign;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => (move(), document.activeElement.blur()));
    return button;
  });
  slide.querySelector("footer").append(left, `${n + 1} of ${slides.length}`, right);
});
const fit = () => (document.querySelector("main").style.zoom = Math.min(innerWidth / 1280, innerHeight / 720));
addEventListener("resize", fit);
fit();
document.documentElement.classList.add("live");
show(Number(location.hash.slice(1)) - 1 || 0, false);
