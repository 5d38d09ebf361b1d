"use strict";
// One small box beside the pointer (or the focused mark), for all charts. Its texts are set as text, never as markup.
polyad.tooltip = (() => {
  let box = null;
  function place(x, y) {
    const {width, height} = box.getBoundingClientRect();
    const left = x + 14 + width > window.innerWidth ? x - 14 - width : x + 14;
    const top = y + 14 + height > window.innerHeight ? y - 14 - height : y + 14;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${Math.max(4, top)}px`;
  }
  /** `title` and rows of [name, value] at a point of the window. `host` is where the box belongs (an open dialog is on top). */
  function show(x, y, title, rows) {
    const host = document.querySelector("dialog[open]") || document.body;
    if (!box) {
      box = document.createElement("div");
      box.className = "tooltip";
      box.setAttribute("role", "status");
    }
    if (box.parentNode !== host) host.appendChild(box);
    const head = document.createElement("strong");
    head.textContent = polyad.format.cut(title, 160);
    box.replaceChildren(head, ...rows.map(([name, value]) => {
      const row = document.createElement("div"), left = document.createElement("span"), right = document.createElement("b");
      left.textContent = polyad.format.cut(name, 80);
      right.textContent = value;
      row.append(left, right);
      return row;
    }));
    box.hidden = false;
    place(x, y);
  }
  const hide = () => { if (box) box.hidden = true; };
  return {show, hide};
})();
