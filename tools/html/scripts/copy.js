// A button on each piece of code that copies it.
import { make } from "./make.js";

for (const code of document.querySelectorAll(".highlight pre")) {
  const button = make("button", { type: "button", className: "copy" }, "Copy");
  button.setAttribute("aria-live", "polite"); // what becomes of it is said, too
  button.addEventListener("click", async () => {
    button.textContent = (await copied(code)) ? "Copied" : "Selected: now press Ctrl+C";
    setTimeout(() => (button.textContent = "Copy"), 2500);
  });
  code.parentElement.append(button);
}

async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent.trimEnd());
    return true;
  } catch { // a page opened as a file may have no clipboard: then the old way, which needs a selection
    getSelection().selectAllChildren(code);
    return document.execCommand("copy");
  }
}
