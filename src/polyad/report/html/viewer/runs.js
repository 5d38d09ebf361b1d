"use strict";
// How the fit went: the loss of every start, the step size, and how alike the starts' solutions are.
polyad.runs = (() => {
  const {element} = polyad.detail;
  // Columns of a trace's rows.
  const EPOCH = 0, SECONDS = 1, LOSS = 2, RATE = 3, ACCEPTED = 4;

  // Exact methods have no step size.
  const isExact = row => row[RATE] === 0;

  function startsOf(model) {
    const about = model.summary.starts || [], best = (model.summary["best-start"] || 1) - 1;
    return model.traces.map((rows, n) => {
      const facts = about[n] || {}, number = facts.start ? facts.start - 1 : n;
      return {number, name: `start ${number + 1}`, rows, facts, best: number === best};
    });
  }

  function lossChart(starts, state) {
    const inTime = () => state.against === "time", gap = () => state.scale === "gap";
    const all = () => starts.map(s => s.rows.filter(r => r[LOSS] !== null)).filter(rows => rows.length > 0);
    const some = exact => starts.some(s => s.rows.some(r => isExact(r) === exact));
    const both = some(true) && some(false);
    return polyad.figure.make({
      title: "Loss of every start", className: "ink0",
      note: !some(false) ? "The exact loss after every iteration."
        : "The estimate on a fixed sample, the same for all starts. Crosses are epochs that made it worse and were undone." +
          (both ? " Dashed: the exact loss of the finish, above its own lowest." : ""),
      rows: () => [["start", "epoch", "seconds", "loss", "rate", "accepted"]].concat(...starts.map(s => s.rows.map(r => [s.number + 1, ...r]))),
      draw: (svg, width) => {
        const height = Math.min(420, Math.max(240, width * 0.45)), series = all();
        if (series.length === 0) return 20;
        // Estimated and exact losses differ by the error of the sample, so each has a best of its own.
        const lowestOf = exact => d3.min(series, rows => d3.min(rows, r => isExact(r) === exact ? r[LOSS] : undefined));
        const lowestEstimate = lowestOf(false), lowestExact = lowestOf(true);
        const lowest = d3.min([lowestEstimate, lowestExact]);
        const above = r => r[LOSS] - (isExact(r) ? lowestExact : lowestEstimate);
        const smallest = d3.min(series, rows => d3.min(rows, r => above(r) > 0 ? above(r) : Infinity));
        // Below the eighth digit differences say nothing.
        const floor = Math.max(Number.isFinite(smallest) ? smallest : 1, 1e-8 * Math.abs(lowest));
        const value = r => gap() ? Math.max(above(r), floor / 2) : r[LOSS];
        const at = r => r[inTime() ? SECONDS : EPOCH] || 0;
        const x = d3.scaleLinear().domain([0, d3.max(series, rows => d3.max(rows, at)) || 1]);
        // The first epochs fall so far that nothing else would be seen: the plain scale begins after the steepest part.
        const tops = series.map(rows => rows[Math.min(rows.length - 1, Math.max(1, Math.floor(rows.length * 0.1)))][LOSS]);
        const y = gap() ? d3.scaleLog().domain([floor / 2, d3.max(series, rows => d3.max(rows, value))])
                        : d3.scaleLinear().domain([lowest, Math.max(d3.max(tops), lowest + 1e-12 + Math.abs(lowest) * 1e-9)]).nice();
        const plot = polyad.curves.frame(svg, width, height, {x, y, xTitle: inTime() ? "seconds" : "epoch",
          yTitle: gap() ? "loss above the best" : "loss", yFormat: gap() ? ".0e" : undefined});
        const clip = `clip-${polyad.panels.newId()}`;
        svg.append("clipPath").attr("id", clip).append("rect").attr("x", plot.left).attr("y", plot.top - 4)
          .attr("width", plot.right - plot.left + 4).attr("height", plot.bottom - plot.top + 8);
        const body = svg.append("g").attr("clip-path", `url(#${clip})`), dots = [];
        const path = d3.line().defined(r => r[LOSS] !== null).x(r => x(at(r))).y(r => y(value(r)));
        for (const s of [...starts].sort((a, b) => a.best - b.best)) {
          for (const exact of [false, true]) {
            const rows = s.rows.filter(r => r[ACCEPTED] && isExact(r) === exact);
            if (rows.length > 0) body.append("path").attr("class", s.best ? "series ink1" : "series faint").classed("dashed", exact && both).attr("d", path(rows));
          }
          const rejected = s.rows.filter(r => !r[ACCEPTED] && r[LOSS] !== null);
          body.selectAll(null).data(rejected).enter().append("path").attr("class", "cross")
            .attr("d", r => `M${x(at(r)) - 3} ${y(value(r)) - 3}l6 6m0 -6l-6 6`);
          for (const r of s.rows) {
            if (r[LOSS] === null) continue;
            dots.push({x: x(at(r)), y: y(value(r)), title: `${s.name}${s.best ? " (kept)" : ""}`, rows: [["epoch", r[EPOCH]],
              ["time", polyad.format.seconds(r[SECONDS])], [isExact(r) ? "exact loss" : "loss", polyad.format.precise(r[LOSS])],
              ...(isExact(r) ? [] : [["step size", polyad.format.number(r[RATE])], ["", r[ACCEPTED] ? "accepted" : "undone"]])]});
          }
        }
        polyad.curves.tellDots(svg, dots.filter(d => d.y >= plot.top - 2));
        return height;
      },
    });
  }

  function rateChart(starts) {
    return polyad.figure.make({
      title: "Step size", className: "ink0",
      rows: () => [["start", "epoch", "rate"]].concat(...starts.map(s => s.rows.map(r => [s.number + 1, r[EPOCH], r[RATE]]))),
      draw: (svg, width) => {
        const height = 220, rows = [].concat(...starts.map(s => s.rows)).filter(r => r[RATE] > 0);
        if (rows.length === 0) return 20;
        const [low, high] = d3.extent(rows, r => r[RATE]);
        const x = d3.scaleLinear().domain([0, d3.max(rows, r => r[EPOCH]) || 1]);
        const y = high > 20 * low ? d3.scaleLog().domain([low, high]) : d3.scaleLinear().domain([0, high]);
        polyad.curves.frame(svg, width, height, {x, y, xTitle: "epoch", yTitle: "step size", yFormat: high > 20 * low ? ".0e" : undefined});
        const path = d3.line().x(r => x(r[EPOCH])).y(r => y(r[RATE])), dots = [];
        for (const s of starts) {
          const own = s.rows.filter(r => r[RATE] > 0);
          svg.append("path").attr("class", s.best ? "series ink1" : "series faint").attr("d", path(own));
          own.forEach(r => dots.push({x: x(r[EPOCH]), y: y(r[RATE]), title: s.name, rows: [["epoch", r[EPOCH]], ["step size", polyad.format.number(r[RATE])]]}));
        }
        polyad.curves.tellDots(svg, dots);
        return height;
      },
    });
  }

  function startsTable(model, starts, toBest) {
    const table = element("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    const sampled = s => s.rows.filter(r => !isExact(r)), exactOf = s => s.facts["exact-loss"];
    const withEstimate = starts.some(s => sampled(s).length > 0), withExact = starts.some(s => Number.isFinite(exactOf(s)));
    // After an exact finish a start's own figure is exact; what was estimated before stands in its rows.
    const estimateOf = s => s.rows.some(isExact) ? d3.min(sampled(s), r => r[LOSS] === null ? undefined : r[LOSS]) : s.facts.estimate;
    const finished = withEstimate && starts.some(s => s.rows.some(isExact));
    const columns = ["start", ...(withEstimate ? ["estimated loss"] : []), ...(withExact ? [finished ? "exact loss before the finish" : "exact loss"] : []), "epochs", "undone", "time", "ended because", "like the best"];
    for (const text of columns) head.append(element("th", "", text));
    const rank = s => Number.isFinite(exactOf(s)) ? exactOf(s) : s.facts.estimate;
    const order = [...starts].sort((a, b) => d3.ascending(rank(a), rank(b)));
    for (const s of order) {
      const row = body.insertRow();
      const likeness = toBest ? toBest[s.number] : null;
      row.append(element("td", s.best ? "good" : "", s.best ? `${s.number + 1} (kept)` : String(s.number + 1)),
                 ...(withEstimate ? [element("td", "", polyad.format.precise(estimateOf(s)))] : []),
                 ...(withExact ? [element("td", "", Number.isFinite(exactOf(s)) ? polyad.format.precise(exactOf(s)) : "–")] : []),
                 element("td", "", String(Math.max(0, s.rows.length - 1))),
                 element("td", "", String(s.rows.filter(r => !r[ACCEPTED]).length)), element("td", "", polyad.format.seconds(s.facts.seconds)),
                 element("td", "", s.facts.why || "–"), element("td", "", likeness === null || likeness === undefined ? "–" : likeness.toFixed(3)));
    }
    const box = element("div", "scroll");
    box.append(table);
    return box;
  }

  /** A button of each choice; `changed` runs after one is pressed. */
  function choice(label, options, state, key, changed) {
    const box = element("div", "choice");
    box.append(element("span", "note", label));
    for (const [value, text] of options) {
      const button = element("button", "", text);
      button.type = "button";
      button.setAttribute("aria-pressed", state[key] === value);
      button.addEventListener("click", () => {
        state[key] = value;
        box.querySelectorAll("button").forEach(b => b.setAttribute("aria-pressed", b === button));
        changed();
      });
      box.append(button);
    }
    return box;
  }

  function stability(model) {
    const found = model.fit["component-stability"];
    if (!found || found.every(v => v === null)) return null;
    const items = found.map((value, j) => ({name: model.title(j), value: value || 0, className: polyad.theme.ink(j)}));
    return polyad.figure.make({
      title: "Which components other starts found too",
      note: "The part of the other starts that have a component with likeness 0.9 or more. Trust those near 100 %; a low one depends on the start.",
      rows: () => [["component", "found by other starts"]].concat(items.map(i => [i.name, i.value])),
      draw: (svg, width) => polyad.curves.bars(svg, width, items, polyad.format.percent),
    });
  }

  function make(report, model) {
    const page = element("div");
    const starts = startsOf(model);
    if (starts.length === 0) {
      page.append(element("p", "note", "The model file does not say how it was fitted."));
      return page;
    }
    const exactly = starts.every(s => Number.isFinite(s.facts["exact-loss"]));
    const losses = starts.map(s => s.facts[exactly ? "exact-loss" : "estimate"]).filter(Number.isFinite);
    const tiles = element("div", "tiles");
    const tile = (value, text) => {
      const box = element("div", "tile");
      box.append(element("b", "", value), element("span", "", text));
      tiles.append(box);
    };
    const exact = model.summary["exact-loss"];
    tile(polyad.format.precise(exact === undefined ? model.summary.estimate : exact), exact === undefined ? "loss (estimated)" : "loss (exact)");
    tile(polyad.format.count(starts.length), starts.length === 1 ? "start" : "starts");
    if (losses.length > 1) tile(polyad.format.percent((d3.max(losses) - d3.min(losses)) / Math.abs(d3.min(losses))), "from the best start to the worst");
    tile(polyad.format.seconds(model.summary.seconds), "time of the fit");
    page.append(tiles);

    const cards = element("div", "cards-page");
    const state = {against: "epoch", scale: "gap"};
    const loss = lossChart(starts, state);
    const lossCard = element("div", "card wide");
    const bar = element("div", "choice");
    bar.append(choice("against", [["epoch", "epochs"], ["time", "time"]], state, "against", () => loss.redraw()),
               choice("scale", [["gap", "above the best, logarithmic"], ["plain", "plain"]], state, "scale", () => loss.redraw()));
    lossCard.append(loss.node, bar);
    cards.append(lossCard);
    const alike = model.fit["start-likeness"], toBest = alike && alike.best;
    const tableCard = element("div", "card wide");
    tableCard.append(element("h3", "", "Starts"), startsTable(model, starts, toBest));
    cards.append(tableCard);
    const packed = element("div", "columns-page");
    const add = figure => {
      const card = element("div", "card");
      card.append(figure.node);
      packed.append(card);
    };
    if (!starts.every(s => s.rows.every(isExact))) add(rateChart(starts));
    if (alike && alike.matrix) {
      add(polyad.figure.make({
        title: "How alike the starts' solutions are", className: "ink0",
        note: "1: the same components. Components are matched one to one; the product of their cosines over the modes is averaged.",
        rows: () => [["start"].concat(starts.map(s => s.number + 1))].concat(alike.matrix.map((row, a) => [starts[a].number + 1, ...row])),
        draw: (svg, width) => polyad.matrix.draw(svg, width, starts.map(s => String(s.number + 1)), alike.matrix),
      }));
    }
    const stable = stability(model);
    if (stable) add(stable);
    page.append(cards, packed);
    return page;
  }
  return {make, choice};
})();
