// A link to the ways to run a lesson unfolds them.
function unfold() {
  const target = location.hash === "#run" && document.getElementById("run");
  if (target) target.open = true;
}
unfold();
addEventListener("hashchange", unfold);
