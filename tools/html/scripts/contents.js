// The list of lessons in the bar closes as lists do: with Escape, and by a press anywhere else.
const contents = document.querySelector(".contents");
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !contents.open) return;
  contents.open = false;
  contents.querySelector("summary").focus();
});
addEventListener("pointerdown", (event) => {
  if (!contents.contains(event.target)) contents.open = false;
});
