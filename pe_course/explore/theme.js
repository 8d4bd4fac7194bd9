// Colours of numbers are painted: a change from light to dark, or back, has to paint them again.

/** Call redraw after the page or JupyterLab has changed its theme, and once the element stands in the page. */
export function whenThemeChanges(redraw) {
  const soon = () => requestAnimationFrame(redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", soon);
  new MutationObserver(soon).observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  soon();
}
