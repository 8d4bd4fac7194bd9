// On paper every fold is open. A browser that styles what is folded (course.css) needs no help; the others get it here.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("main details:not([open])")];
  for (const folded of opened) folded.open = true;
});
addEventListener("afterprint", () => {
  for (const folded of opened) folded.open = false;
});
