"use strict";
// Which days, hours, places are explained well or badly: one value per slice, drawn as the mode is.
polyad.slices = (() => {
  const {element} = polyad.detail;
  const measures = {
    explained: {text: "deviance explained", label: polyad.format.percent, worst: (a, b) => a - b,
                note: "Against the best constant: 100 % is as good as any model could be, 0 % no better than the constant, below 0 % worse."},
    share: {text: "share of what is unexplained", label: polyad.format.percent, worst: (a, b) => b - a,
            note: "Where the unexplained deviance is."},
    ratio: {text: "observed / expected", label: v => `${polyad.format.number(v)} ×`, worst: (a, b) => Math.abs(Math.log(b || 1e-9)) - Math.abs(Math.log(a || 1e-9)),
            note: "Totals of the slice: above 1 there is more in the data than the model says."},
  };

  function valuesOf(slice, measure) {
    if (measure !== "ratio") return slice[measure];
    return slice.observed.map((observed, n) => slice.expected[n] > 0 ? observed / slice.expected[n] : NaN);
  }

  function chart(model, mode, state) {
    const slice = model.slices[mode.number];
    const column = () => new polyad.data.Column(slice.index, valuesOf(slice, state.measure).map(v => Number.isFinite(v) ? v : 0), 0, mode.size);
    const label = v => measures[state.measure].label(v);
    const figure = polyad.figure.make({
      title: mode.name, className: `ink0 slice ${mode.style}`,
      rows: () => [["index", "label", "deviance explained", "share of unexplained", "observed", "expected"]].concat(
        Array.from(slice.explained, (v, n) => {
          const i = slice.index ? slice.index[n] : n;
          return [i + 1, mode.label(i), v, slice.share[n], slice.observed[n], slice.expected[n]];
        })),
      draw: (svg, width, chart) => {
        const tell = i => {
          const n = slice.index ? slice.index.indexOf(i) : i;
          return [["deviance explained", polyad.format.percent(slice.explained[n])], ["share of unexplained", polyad.format.percent(slice.share[n])],
                  ["observed", polyad.format.number(slice.observed[n])], ["expected", polyad.format.number(slice.expected[n])]];
        };
        const shown = column(), curve = mode.style === "line" && !slice.index;
        const style = curve ? "line" : mode.style === "columns" && !slice.index ? "columns" : mode.style === "map" ? "map" : "rows";
        let height = {line: 170, columns: 170, map: 320}[style], panel;
        if (style === "line") {
          panel = polyad.panelLine.draw(svg, width, {mode, column: shown, height, label});
          polyad.zoom.sync(chart.body, mode, polyad.panelLine.margin);
        } else if (style === "columns") {
          panel = polyad.panelBars.columns(svg, width, {mode, column: shown, height, label});
        } else if (style === "map") {
          panel = polyad.panelMap.draw(svg, width, {mode, column: shown, height, label, large: true, named: worstOf(slice, state.measure)});
        } else {
          return worstRows(svg, width, mode, slice, state, tell);
        }
        polyad.panels.interact(svg, mode, panel, tell, chart);
        return height;
      },
    });
    if (mode.style === "line" && !slice.index) {
      polyad.zoom.attach(figure.body, mode, polyad.panelLine.margin);
      polyad.zoom.watch(mode, figure.node, () => { if (figure.width) figure.redraw(); });
    }
    return figure;
  }

  /** Entries with a value, the worst first. */
  function worstOf(slice, measure) {
    const values = valuesOf(slice, measure), {worst} = measures[measure];
    return d3.range(values.length).filter(n => Number.isFinite(values[n])).sort((a, b) => worst(values[a], values[b]))
      .map(n => ({index: slice.index ? slice.index[n] : n, value: values[n]}));
  }

  // Names have no order of their own: the worst stand first.
  function worstRows(svg, width, mode, slice, state, tell) {
    const all = worstOf(slice, state.measure), shown = all.slice(0, 15);
    if (shown.length === 0) return 10;
    const items = shown.map(e => ({name: mode.label(e.index), value: e.value}));
    const height = polyad.curves.bars(svg, width, items, measures[state.measure].label);
    polyad.curves.tellDots(svg, shown.map((e, row) => ({x: width * 0.5, y: row * 22 + 11, title: mode.label(e.index), rows: tell(e.index)})), width);
    if (mode.size <= shown.length) return height;
    svg.append("text").attr("class", "others").attr("x", 4).attr("y", height + 12).text(`the worst ${shown.length} of ${polyad.format.count(mode.size)}`);
    return height + 18;
  }

  /** A card for each mode, and the choice of what they show. */
  function make(report, model) {
    const box = element("div", "card wide"), state = {measure: "explained"};
    box.append(element("h3", "", "By slice: which parts of the data are explained badly"));
    const note = element("p", "note", measures.explained.note);
    const charts = report.modes.map(mode => chart(model, mode, state));
    box.append(polyad.runs.choice("show", Object.entries(measures).map(([key, m]) => [key, m.text]), state, "measure", () => {
      note.textContent = measures[state.measure].note;
      charts.forEach(c => c.redraw());
    }), note);
    const grid = element("div", "cards-page");
    charts.forEach(c => grid.append(c.node));
    box.append(grid);
    return box;
  }
  return {make};
})();
