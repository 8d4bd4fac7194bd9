// What is wider than the page scrolls by itself: with the keyboard, too, once it can have the focus.
const wide = [...document.querySelectorAll("main pre, main .scroll")];

function reachable() {
  for (const part of wide) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}
reachable();
addEventListener("resize", reachable);
document.addEventListener("toggle", reachable, true); // what was folded had no width
