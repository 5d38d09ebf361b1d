"use strict";
// Light or dark: what the system prefers until the reader chooses. Colours live in style.css.
polyad.theme = (() => {
  const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif';
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const current = () => chosen || (system.matches ? "dark" : "light");
  const apply = () => { document.documentElement.dataset.theme = current(); };
  function toggle() {
    chosen = current() === "dark" ? "light" : "dark";
    apply();
  }
  system.addEventListener("change", apply);
  apply();
  /** Components take colours in turn; seven that people with any colour blindness can tell apart. */
  const ink = j => `ink${j % 7}`;
  return {font, current, toggle, ink};
})();
