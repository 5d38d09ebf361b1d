"use strict";
// How good the fit is: deviance explained, observed against expected, and what suits the kind of data.
polyad.fit = (() => {
  const {element} = polyad.detail;

  /** 1: as good as any model could be; 0: as the best constant; null: not known. */
  function explainedBy(facts) {
    const loss = facts.loss, none = facts["null-loss"], best = facts["best-loss"];
    return [loss, none, best].every(Number.isFinite) && none > best ? 1 - (loss - best) / (none - best) : null;
  }
  const explained = model => explainedBy(model.fit);

  function componentChart(model) {
    const rise = model.fit["component-rise"];
    if (!rise) return null;
    const items = rise.map((value, j) => ({name: model.title(j), value, className: polyad.theme.ink(j)}));
    return polyad.figure.make({
      title: "Deviance that each component alone explains",
      note: "What would be lost if its pattern were replaced by its average. Components that overlap share what they explain, so this need not add up.",
      rows: () => [["component", "deviance explained"]].concat(items.map(i => [i.name, i.value])),
      draw: (svg, width) => polyad.curves.bars(svg, width, items, polyad.format.percent),
    });
  }

  // Values that spread over decades are seen on a logarithmic scale only.
  function scaleFor(values) {
    const positive = values.filter(v => v > 0), low = d3.min(positive), high = d3.max(values);
    if (positive.length === values.length && high > 50 * low) return d3.scaleLog().domain([low * 0.8, high * 1.25]);
    return d3.scaleLinear().domain(d3.extent(values)).nice();
  }

  function calibration(model) {
    const all = model.fit.calibration || [], bins = all.filter(bin => bin.every(Number.isFinite)), unknown = all.length - bins.length;
    if (bins.length < 2) return null;
    return polyad.figure.make({
      title: "Observed against expected", className: "ink0",
      note: "Cells in groups of equal expectation: a faithful model lies on the dashed line. The bars are two standard errors." +
        (unknown > 0 ? ` Not enough zeros were drawn to judge ${polyad.format.plural(unknown, "other group")}.` : ""),
      rows: () => [["expected", "observed", "standard error", "cells"]].concat(bins),
      draw: (svg, width) => {
        const height = Math.min(400, Math.max(260, width * 0.7));
        const x = scaleFor(bins.map(b => b[0]).concat(bins.map(b => b[1]))), y = x.copy();
        polyad.curves.frame(svg, width, height, {x, y, xTitle: "expected by the model", yTitle: "observed"});
        const [low, high] = x.domain(), line = d3.line().x(d => x(d)).y(d => y(d));
        svg.append("path").attr("class", "series reference").attr("d", line([low, high]));
        const inside = v => Math.min(y.domain()[1], Math.max(y.domain()[0], v));
        svg.append("g").selectAll("line").data(bins).enter().append("line").attr("class", "series")
          .attr("x1", b => x(b[0])).attr("x2", b => x(b[0])).attr("y1", b => y(inside(b[1] - 2 * b[2]))).attr("y2", b => y(inside(b[1] + 2 * b[2])));
        svg.append("g").selectAll("circle").data(bins).enter().append("circle").attr("class", "dot").attr("r", 4).attr("cx", b => x(b[0])).attr("cy", b => y(inside(b[1])));
        polyad.curves.tellDots(svg, bins.map(b => ({x: x(b[0]), y: y(inside(b[1])), title: polyad.format.plural(b[3], "cell"),
          rows: [["expected", polyad.format.number(b[0])], ["observed", `${polyad.format.number(b[1])} ± ${polyad.format.number(b[2])}`]]})));
        return height;
      },
    });
  }

  function sampleChart(report, model) {
    const sample = model.fit.sample;
    if (!sample || !sample.observed || sample.observed.length < 10) return null;
    const cell = n => report.modes.map((mode, k) => polyad.format.cut(mode.label(sample.index[k][n]), 40)).join(", ");
    const points = d3.range(sample.observed.length).map(n => ({n, observed: sample.observed[n], expected: sample.expected[n]}))
      .filter(p => Number.isFinite(p.observed) && Number.isFinite(p.expected));
    const whole = points.every(p => Number.isInteger(p.observed));
    // Whole numbers would lie on top of each other; a fixed shake keeps the picture the same each time.
    const shake = n => whole ? 0.5 * (((n * 0.61803398875) % 1) - 0.5) : 0;
    return polyad.figure.make({
      title: "Cells of the data", className: "ink0", note: `A sample of ${polyad.format.plural(points.length, "cell")}; point at one to see which it is.`,
      rows: () => [report.modes.map(m => m.name).concat(["observed", "expected"])].concat(
        points.map(p => report.modes.map((mode, k) => mode.label(sample.index[k][p.n])).concat([p.observed, p.expected]))),
      draw: (svg, width) => {
        const height = Math.min(400, Math.max(260, width * 0.7));
        const x = scaleFor(points.map(p => p.expected)), y = d3.scaleLinear().domain(d3.extent(points, p => p.observed + shake(p.n))).nice();
        polyad.curves.frame(svg, width, height, {x, y, xTitle: "expected by the model", yTitle: "observed"});
        const [low, high] = x.domain(), reach = v => Math.min(y.domain()[1], Math.max(y.domain()[0], v));
        const steps = d3.range(101).map(s => x.invert(x.range()[0] + (x.range()[1] - x.range()[0]) * s / 100)).filter(v => v >= low && v <= high && v === reach(v));
        svg.append("path").attr("class", "series reference").attr("d", d3.line().x(v => x(v)).y(v => y(v))(steps));
        svg.append("g").selectAll("circle").data(points).enter().append("circle").attr("class", "dot faint").attr("r", 2.6)
          .attr("cx", p => x(p.expected)).attr("cy", p => y(p.observed + shake(p.n)));
        polyad.curves.tellDots(svg, points.map(p => ({x: x(p.expected), y: y(p.observed + shake(p.n)), title: cell(p.n),
          rows: [["observed", polyad.format.number(p.observed)], ["expected", polyad.format.number(p.expected)]]})), 14);
        return height;
      },
    });
  }

  function rocChart(model) {
    const roc = model.fit.roc;
    if (!roc) return null;
    return polyad.figure.make({
      title: `Telling yes from no: area under the curve ${roc.auc.toFixed(3)}`, className: "ink0",
      note: "0.5 is guessing, 1 is always right: the chance that a random yes is given a higher probability than a random no.",
      rows: () => [["false positive rate", "true positive rate"]].concat(roc.points),
      draw: (svg, width) => {
        const height = Math.min(400, Math.max(260, width * 0.7)), x = d3.scaleLinear(), y = d3.scaleLinear();
        polyad.curves.frame(svg, width, height, {x, y, xTitle: "false positive rate", yTitle: "true positive rate"});
        const path = d3.line().x(p => x(p[0])).y(p => y(p[1]));
        svg.append("path").attr("class", "series reference").attr("d", path([[0, 0], [1, 1]]));
        svg.append("path").attr("class", "series").attr("d", path(roc.points));
        polyad.curves.tellDots(svg, roc.points.map(p => ({x: x(p[0]), y: y(p[1]), title: "threshold",
          rows: [["false positives", polyad.format.percent(p[0])], ["true positives", polyad.format.percent(p[1])]]})));
        return height;
      },
    });
  }

  function rootogram(model) {
    const counts = (model.fit.rootogram || []).filter(c => c[1] > 0 || c[2] >= 0.5);
    if (counts.length < 2) return null;
    const state = {scale: "log"}, log = () => state.scale === "log";
    const figure = polyad.figure.make({
      title: "How often each count occurs", className: "ink0",
      note: "Bars: cells that hold this count. Line: how many the model expects. The hanging rootogram lets the bars hang from the line, in square roots: a bar that ends above zero is too short: the count is rarer than expected.",
      rows: () => [["count", "observed cells", "expected cells"]].concat(counts),
      draw: (svg, width) => {
        const height = 280, root = Math.sqrt, value = v => log() ? Math.max(v, 0.5) : root(v);
        const floor = log() ? () => 0.5 : c => root(c[2]) - root(c[1]), top = c => log() ? value(c[1]) : root(c[2]);
        const high = d3.max(counts, c => Math.max(value(c[1]), value(c[2]))), low = d3.min(counts, floor);
        const y = log() ? d3.scaleLog().domain([0.5, high * 1.5]) : d3.scaleLinear().domain([Math.min(0, low), high]).nice();
        const linear = d3.scaleLinear().domain([counts[0][0] - 0.5, counts[counts.length - 1][0] + 0.5]);
        const plot = polyad.curves.frame(svg, width, height, {x: linear, y, xTitle: "count", yTitle: log() ? "cells" : "√ cells", yFormat: log() ? "~s" : undefined});
        const middle = c => linear(c[0]), band = Math.max(1, 0.7 * (linear(1) - linear(0)));
        svg.append("g").selectAll("rect").data(counts).enter().append("rect").attr("class", "bar").attr("x", c => middle(c) - band / 2).attr("width", band)
          .attr("y", c => y(top(c))).attr("height", c => Math.max(0, y(floor(c)) - y(top(c)))).attr("fill-opacity", 0.6);
        if (!log()) svg.append("line").attr("class", "zero").attr("x1", plot.left).attr("x2", plot.right).attr("y1", y(0)).attr("y2", y(0));
        svg.append("path").attr("class", "series ink1").attr("d", d3.line().x(middle).y(c => y(value(c[2])))(counts));
        svg.append("g").selectAll("circle").data(counts).enter().append("circle").attr("class", "dot ink1").attr("r", 3).attr("cx", middle).attr("cy", c => y(value(c[2])));
        polyad.curves.tellDots(svg, counts.map(c => ({x: middle(c), y: y(value(c[2])), title: `count ${c[0]}`,
          rows: [["observed", polyad.format.plural(Math.round(c[1]), "cell")], ["expected", `${polyad.format.number(c[2])} cells`]]})), 40);
        return height;
      },
    });
    figure.node.append(polyad.runs.choice("scale", [["log", "logarithmic"], ["root", "hanging rootogram"]], state, "scale", () => figure.redraw()));
    return figure;
  }

  function tiles(model) {
    const box = element("div", "tiles"), facts = model.fit;
    const tile = (value, text) => {
      const one = element("div", "tile");
      one.append(element("b", "", value), element("span", "", text));
      box.append(one);
    };
    tile(polyad.format.percent(explained(model)), facts.exact ? "of the deviance explained (exact)" : `of the deviance explained (from ${polyad.format.plural(facts.cells, "cell")})`);
    const held = facts["held-out"];
    if (held) tile(polyad.format.percent(explainedBy(held)), `of the deviance of ${polyad.format.plural(held.cells, "held-out cell")}`);
    tile(polyad.format.precise(facts.loss), "loss of the model");
    tile(polyad.format.precise(facts["null-loss"]), "loss of the best constant");
    if (facts.roc) tile(facts.roc.auc.toFixed(3), "area under the ROC curve");
    if (held && Number.isFinite(held.auc)) tile(held.auc.toFixed(3), "the same, held-out cells");
    if (Number.isFinite(facts.dispersion)) tile(facts.dispersion.toFixed(2), "dispersion: 1 is what the distribution predicts; above 1 the data vary more");
    return box;
  }

  function make(report, model) {
    const page = element("div");
    if (explained(model) === null) {
      page.append(element("p", "note", "The model file does not say how well it fits its data. Make the report with the data to find out: polyad report MODEL --data DATA -o report.html"));
      return page;
    }
    page.append(tiles(model));
    const cards = element("div", "cards-page"), packed = element("div", "columns-page");
    for (const figure of [componentChart(model), calibration(model), rocChart(model), rootogram(model), sampleChart(report, model)]) {
      if (!figure) continue;
      const card = element("div", "card");
      card.append(figure.node);
      packed.append(card);
    }
    if (model.slices.length > 0) cards.append(polyad.slices.make(report, model));
    page.append(packed, cards);
    return page;
  }
  return {make, explained};
})();
