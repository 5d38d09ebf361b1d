"use strict";
// The grid of components: a row per component, a column per mode. Where the columns do not fit side by side, every component
// becomes a card.
polyad.components = (() => {
  const room = {line: [1.7, 230], columns: [1, 160], rows: [1.15, 190], top: [1.25, 200], map: [1.3, 210]};
  const gap = 24, whoWidth = 132;

  /** The head of a component: number, name, size, share of the model. */
  function who(model, j, open) {
    const node = document.createElement("button");
    node.type = "button";
    node.className = "who";
    node.setAttribute("aria-label", `Open component ${model.title(j)}`);
    const add = (tag, className, text) => {
      const element = document.createElement(tag);
      element.className = className;
      element.textContent = text;
      node.append(element);
      return element;
    };
    add("span", "number", j + 1);
    if (model.names && model.names[j]) add("span", "name", polyad.format.cut(model.names[j], 80));
    const largest = d3.max(model.weights) || 1;
    if (model.shares) {
      add("span", "share", polyad.format.percent(model.shares[j])).append(" of the model");
    }
    add("span", "weight", `${model.shares ? "sum" : "norm"} ${polyad.format.number(model.weights[j])}`);
    const bar = add("span", "meter", "");
    const fill = document.createElement("i");
    fill.style.width = `${100 * Math.max(0, model.weights[j] / largest)}%`;
    bar.append(fill);
    node.addEventListener("click", open);
    return node;
  }

  /** Buttons that zoom an ordered mode, with the stretch that is seen. */
  function zoomTools(mode) {
    const box = document.createElement("div");
    box.className = "zoom-tools";
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `Zoom ${mode.name}`);
    const name = document.createElement("b"), range = document.createElement("span");
    name.textContent = polyad.format.cut(mode.name, 40);
    range.className = "range";
    const button = (text, title, action) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = text;
      b.title = title;
      b.setAttribute("aria-label", title);
      b.addEventListener("click", action);
      return b;
    };
    const reset = button("whole", `Show all of ${polyad.format.cut(mode.name, 40)}`, () => polyad.zoom.reset(mode));
    box.append(name, button("◀", "Earlier", () => polyad.zoom.pan(mode, -0.4)), button("−", "Zoom out", () => polyad.zoom.by(mode, 1 / 1.8)),
               button("+", "Zoom in", () => polyad.zoom.by(mode, 1.8)), button("▶", "Later", () => polyad.zoom.pan(mode, 0.4)), reset, range);
    const tell = () => {
      const [low, high] = polyad.zoom.visible(mode, mode.position(0), mode.position(mode.size - 1));
      const text = mode.kind === "time" ? d3.utcFormat("%Y-%m-%d") : v => polyad.format.number(Math.round(v));
      range.textContent = `${text(low)} – ${text(high)}`;
      reset.disabled = polyad.zoom.of(mode).k === 1;
    };
    tell();
    polyad.zoom.watch(mode, box, tell);
    return box;
  }

  function make(report, model) {
    const section = document.createElement("div");
    const lines = report.modes.filter(mode => mode.style === "line");
    if (lines.length > 0) {
      const tools = document.createElement("div");
      tools.className = "tools";
      tools.append(...lines.map(zoomTools));
      const hint = document.createElement("span");
      hint.className = "hint";
      hint.textContent = "Ctrl + wheel or pinch zooms all rows at once, dragging moves; click a component to open it.";
      tools.append(hint);
      section.append(tools);
    }
    const grid = document.createElement("div");
    grid.className = "grid";
    const columns = report.modes.map(mode => `minmax(0, ${room[mode.style][0]}fr)`).join(" ");
    grid.style.setProperty("--columns", `${whoWidth}px ${columns}`);
    const head = document.createElement("div");
    head.className = "grid-head";
    const corner = document.createElement("span");
    corner.textContent = "component";
    head.append(corner, ...report.modes.map(mode => {
      const title = document.createElement("span"), size = document.createElement("small"), name = document.createElement("b");
      name.textContent = polyad.format.cut(mode.name, 60);
      size.textContent = ` ${polyad.format.count(mode.size)}`;
      title.append(name, size);
      return title;
    }));
    grid.append(head);
    const height = d3.max(report.modes, mode => polyad.panels.heightOf(mode, false));
    for (let j = 0; j < model.rank; ++j) {
      const open = () => polyad.detail.open(report, model, j);
      const row = document.createElement("article");
      row.className = `component ${polyad.theme.ink(j)}`;
      row.dataset.component = j + 1;
      row.append(who(model, j, open));
      for (const mode of report.modes) {
        const own = mode.ordered ? Math.min(height, 150) : mode.style === "map" ? height : undefined;
        row.append(polyad.panels.make({model, mode, j, open, height: own}).node);
      }
      grid.append(row);
    }
    section.append(grid);
    const note = document.createElement("p");
    note.className = "note";
    note.textContent = model.nonnegative
      ? "Entries are shares of their component: each column adds up to 100 %. Each panel has its own scale."
      : "Columns have Euclidean norm 1; pale bars and the other colour on maps are negative. Each panel has its own scale.";
    section.append(note);

    const least = whoWidth + d3.sum(report.modes, mode => room[mode.style][1] + gap) + 16;
    const fit = () => grid.classList.toggle("cards", grid.clientWidth > 0 && grid.clientWidth < least);
    new ResizeObserver(fit).observe(grid);
    return section;
  }
  return {make};
})();
