"use strict";
// One column of one mode, drawn as what the mode is. Charts of the same mode share zoom and the entry pointed at.
polyad.panels = (() => {
  let ids = 0;
  const newId = () => ++ids;
  const linked = new Map();  // mode -> charts that follow the pointer

  function heightOf(mode, large) {
    if (mode.style === "line" || mode.style === "columns") return large ? 320 : 112;
    if (mode.style === "map") return large ? 420 : 150;
    return polyad.panelBars.rowsHeight(mode, large);
  }

  function point(mode, i) {
    for (const chart of linked.get(mode.number) || []) {
      if (chart.node.isConnected) chart.mark(i); else linked.get(mode.number).delete(chart);
    }
  }

  /** Adds pointer, touch and keyboard to a drawn panel. `tell(i)` gives the tooltip's rows. The entry pointed at is the chart's,
   *  not the drawing's: it survives being drawn again, as after a zoom. */
  function interact(svg, mode, panel, tell, chart, open) {
    const node = svg.node();
    if (!linked.has(mode.number)) linked.set(mode.number, new Set());
    linked.get(mode.number).add({node, mark: panel.mark});
    const leave = () => {
      chart.current = null;
      point(mode, null);
      polyad.tooltip.hide();
    };
    const go = (i, x, y) => {
      if (i === null || i === undefined) return leave();
      chart.current = i;
      chart.byKey = false;
      point(mode, i);
      polyad.tooltip.show(x, y, mode.label(i), tell(i));
    };
    // Coordinates of the drawing, whatever size it is shown at.
    const local = event => {
      const box = node.getBoundingClientRect(), view = node.viewBox.baseVal;
      return [(event.clientX - box.left) * view.width / box.width, (event.clientY - box.top) * view.height / box.height];
    };
    node.addEventListener("pointermove", event => go(panel.entryAt(local(event), event.target), event.clientX, event.clientY));
    node.addEventListener("pointerleave", leave);
    node.tabIndex = 0;
    // A drawing that is replaced loses the focus too; nobody has left the chart then.
    node.addEventListener("blur", () => { if (!chart.redrawing && node.isConnected) leave(); });
    const goByKey = i => {
      const box = node.getBoundingClientRect(), view = node.viewBox.baseVal, [x, y] = panel.place(i);
      go(i, box.left + x * box.width / view.width, box.top + y * box.height / view.height);
      chart.byKey = true;
      if (mode.style === "line") polyad.zoom.reveal(mode, part(x));
    };
    // Where a place of the drawing lies in the plot, 0 to 1 from left to right.
    const part = x => (x - polyad.panelLine.margin) / (node.viewBox.baseVal.width - 2 * polyad.panelLine.margin);
    chart.restore = () => { if (chart.byKey && typeof chart.current === "number") goByKey(chart.current); };
    node.addEventListener("keydown", event => {
      const back = ["ArrowLeft", "ArrowUp"].includes(event.key), on = ["ArrowRight", "ArrowDown"].includes(event.key);
      if (event.key === "Enter" && open) return open();
      if (mode.style === "line" && "+-0".includes(event.key) && !event.ctrlKey && !event.metaKey) {
        const about = typeof chart.current === "number" ? part(panel.place(chart.current)[0]) : 0.5;
        if (event.key === "0") polyad.zoom.reset(mode); else polyad.zoom.by(mode, event.key === "+" ? 1.6 : 1 / 1.6, about);
        return event.preventDefault();
      }
      if (!back && !on) return undefined;
      event.preventDefault();
      event.stopPropagation();
      const step = (event.shiftKey ? 10 : 1) * (on ? 1 : -1);
      const none = typeof chart.current !== "number";
      const i = none ? panel.step(on ? 0 : mode.size - 1, 0) : panel.step(chart.current, step);
      return i === null ? undefined : goByKey(i);
    });
    if (open) node.addEventListener("click", open);
  }

  const drawings = {line: polyad.panelLine.draw, columns: polyad.panelBars.columns, rows: polyad.panelBars.rows,
                    top: polyad.panelBars.rows, map: polyad.panelMap.draw};

  /** A figure of component j of a model in one mode. `other` is {model, j}: a counterpart to draw over it. */
  function make({model, mode, j, large, other, open, height}) {
    const column = model.column(mode, j), otherColumn = other && other.model.column(mode, other.j);
    const name = `${model.name} component ${model.title(j)}: ${mode.name}`;
    const tell = i => {
      const rows = [["value", model.value(column.at(i) === undefined ? NaN : column.at(i))]];
      const lift = model.lift(mode, j, i);
      if (lift !== undefined) rows.push(["against the whole", `${polyad.format.number(lift)} ×`]);
      if (other && otherColumn.at(i) !== undefined) rows.push([other.model.name, other.model.value(otherColumn.at(i))]);
      return rows;
    };
    const figure = polyad.figure.make({
      name, title: mode.name, expected: height || heightOf(mode, large),
      className: `panel ${mode.style} ${polyad.theme.ink(j)}${large ? " large" : ""}`,
      rows: () => [["mode", "index", "label", "value"]]
        .concat(Array.from(column.value, (v, n) => [mode.name, column.entry(n) + 1, mode.label(column.entry(n)), v])),
      draw: (svg, width, chart) => {
        const used = height || heightOf(mode, large);
        const panel = drawings[mode.style](svg, width, {mode, model, column, j, height: used, large, label: model.value.bind(model), other: otherColumn});
        interact(svg, mode, panel, tell, chart, open);
        if (mode.style === "line") polyad.zoom.sync(chart.body, mode, polyad.panelLine.margin);
        return used;
      },
    });
    if (mode.style === "line") {
      polyad.zoom.attach(figure.body, mode, polyad.panelLine.margin);
      polyad.zoom.watch(mode, figure.node, () => { if (figure.width) figure.redraw(); });
    }
    return figure;
  }

  return {make, heightOf, interact, newId};
})();
