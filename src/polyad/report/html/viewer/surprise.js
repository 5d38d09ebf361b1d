"use strict";
// What the model did not expect: a calendar of days, lists of other slices; choosing one shows its cells and pairs.
polyad.surprise = (() => {
  const {element} = polyad.detail;
  const day = 86400000, cell = 13, deepest = 20;  // -log10 p at which a colour is full

  /** "3.1e-12", also where that is no number of JavaScript. */
  function pText(log10) {
    if (log10 > -3) return polyad.format.number(10 ** log10);
    const whole = Math.floor(log10);
    return `${(10 ** (log10 - whole)).toFixed(1)}e−${-whole}`;
  }
  const sideText = f => f.direction === "more" ? "more" : "less";
  const wordOf = score => score > 0 ? "more than expected" : "less than expected";

  function intro(data) {
    const box = element("div", "tiles");
    const tile = (value, text) => {
      const node = element("div", "tile");
      node.append(element("b", "", value), element("span", "", text));
      box.append(node);
    };
    tile(polyad.format.count(data.cells.marked), `cells marked of ${polyad.format.count(data.cells.tested)} that were looked at, zeros included`);
    for (const list of data.slices) tile(polyad.format.count(list.marked), `marked of ${polyad.format.count(list.tested)} by ${list.modes[0]}`);
    return box;
  }

  /** The findings in a table; those that `keep` lets through. */
  function table(list, keep, through) {
    const rows = list.findings.filter(keep);
    if (rows.length === 0) return element("p", "note", "Nothing here.");
    const node = element("table", "surprises"), head = node.createTHead().insertRow(), body = node.createTBody();
    for (const name of list.modes) head.append(element("th", "", polyad.format.cut(name, 40)));
    for (const text of ["saw", "expected", "p"]) head.append(element("th", "value", text));
    head.append(element("th", "", "than expected"), element("th", "", "components"));
    for (const f of rows) {
      const row = body.insertRow();
      row.className = f.marked ? "marked" : "";
      f.labels.forEach(text => row.append(element("td", "label", polyad.format.cut(text, 80))));
      const expected = element("td", "value", polyad.format.number(f.expected));
      expected.title = `between ${polyad.format.number(f.low)} and ${polyad.format.number(f.high)}`;
      row.append(element("td", "value", polyad.format.number(f.value)), expected, element("td", "value", pText(f["log10-p"])),
                 element("td", sideText(f), `${f.marked ? "● " : ""}${sideText(f)}`),
                 element("td", "", f.components.map(c => `${c.component} (${polyad.format.percent(c.share)})`).join(", ")));
      if (through && f.through) {
        const at = f.through.labels.filter((text, n) => f.through.modes[n] !== list.modes[0]);
        row.cells[0].append(element("span", "note", ` at ${polyad.format.cut(at.join(" · "), 80)}`));
      }
    }
    const box = element("div", "scroll");
    box.append(node);
    return box;
  }

  /** Days of years as squares: a column per week, Monday on top. */
  function calendar(mode, scores, choose) {
    const days = d3.range(mode.size).map(i => ({i, date: +polyad.format.parseDate(mode.label(i)), score: scores[i]}));
    const weekday = date => (new Date(date).getUTCDay() + 6) % 7;
    const yearOf = date => new Date(date).getUTCFullYear();
    const years = d3.range(yearOf(days[0].date), yearOf(days[days.length - 1].date) + 1);
    const placeOf = date => {
      const first = Date.UTC(yearOf(date), 0, 1);
      return {week: Math.floor(((date - first) / day + weekday(first)) / 7), weekday: weekday(date), row: yearOf(date) - years[0]};
    };
    let chosen = null;
    return polyad.figure.make({
      title: mode.name, className: "calendar", expected: years.length * (7 * cell + 22) + 10,
      note: "A square is a day; the stronger its colour, the less probable. Choose one to see its cells. Arrow keys move, Enter chooses.",
      rows: () => [["day", "-log10 p", "direction"]].concat(days.map(d => [mode.label(d.i), Math.abs(d.score), d.score > 0 ? "more" : "less"])),
      draw: (svg, width, chart) => {
        const size = Math.max(4, Math.min(cell, Math.floor((width - 40) / 54))), height = 7 * size + 22;
        for (const y of years) {
          svg.append("text").attr("class", "others").attr("x", 0).attr("y", (y - years[0]) * height + 3.5 * size).text(y);
        }
        const place = d => {
          const p = placeOf(d.date);
          return [40 + p.week * size, p.row * height + p.weekday * size];
        };
        const squares = svg.selectAll("rect").data(days).enter().append("rect")
          .attr("class", d => `square ${d.score > 0 ? "more" : "less"}`).attr("width", size - 1).attr("height", size - 1)
          .attr("x", d => place(d)[0]).attr("y", d => place(d)[1])
          .style("fill-opacity", d => d.score === 0 ? 0 : 0.06 + 0.94 * Math.min(1, Math.abs(d.score) / deepest));
        const node = svg.node();
        const mark = n => squares.classed("marked", d => d.i === n || d.i === chosen);
        const tell = (n, x, y) => {
          chart.current = n;
          mark(n);
          polyad.tooltip.show(x, y, mode.label(n), [["p", pText(-Math.abs(days[n].score))], [wordOf(days[n].score), ""]]);
        };
        const leave = () => {
          mark(null);
          polyad.tooltip.hide();
        };
        const take = n => {
          chosen = n;
          mark(n);
          choose(mode, n);
        };
        squares.on("pointermove", d => tell(d.i, d3.event.clientX, d3.event.clientY)).on("click", d => take(d.i));
        node.addEventListener("pointerleave", leave);
        node.tabIndex = 0;
        node.addEventListener("blur", leave);
        node.addEventListener("keydown", event => {
          const by = {ArrowDown: 1, ArrowUp: -1, ArrowRight: 7, ArrowLeft: -7}[event.key];
          if (!by && event.key !== "Enter") return;
          event.preventDefault();  // the focus moves on: Enter must not press what it comes to
          if (!by) {
            if (chart.current !== undefined) take(chart.current);
            return;
          }
          const n = chart.current === undefined ? 0 : Math.max(0, Math.min(days.length - 1, chart.current + by));
          const box = node.getBoundingClientRect(), view = node.viewBox.baseVal, [x, y] = place(days[n]);
          tell(n, box.left + x * box.width / view.width, box.top + y * box.height / view.height);
        });
        mark(null);
        return years.length * height;
      },
    }).node;
  }

  /** Slices of any other mode: a button each, the most improbable first. */
  function buttons(list, mode, choose) {
    const box = element("div", "slice-list");
    box.append(element("h3", "", polyad.format.cut(list.modes[0], 60)));
    if (list.findings.length === 0) box.append(element("p", "note", "Nothing here."));
    for (const f of list.findings.slice(0, 15)) {
      const button = element("button", `slice-button ${sideText(f)}`);
      button.type = "button";
      button.append(element("span", "", `${f.marked ? "● " : ""}${polyad.format.cut(f.labels[0], 60)}`),
                    element("span", "note", `${sideText(f)}, p ${pText(f["log10-p"])}`));
      button.addEventListener("click", () => choose(mode, f.index[0] - 1));
      box.append(button);
    }
    return box;
  }

  function make(report, model) {
    const data = model.surprise, page = element("div"), holder = element("div");
    const has = (list, mode, label) => f => {
      const at = list.modes.indexOf(mode.name);
      return at >= 0 && f.labels[at] === label;
    };
    const showAll = () => show(null);
    function show(mode, i) {
      const label = mode && mode.label(i), card = element("div", "card wide");
      const head = element("div", "choice");
      head.append(element("h3", "", mode ? `${polyad.format.cut(mode.name, 60)}: ${polyad.format.cut(label, 80)}` : "All of it"));
      if (mode) {
        const back = element("button", "", "show all");
        back.type = "button";
        back.addEventListener("click", showAll);
        head.append(back);
      }
      card.append(head);
      if (mode) {
        const own = data.slices.find(list => list.modes[0] === mode.name);
        if (own) card.append(table(own, has(own, mode, label), true));
      }
      card.append(element("h3", "", "Cells"), table(data.cells, mode ? has(data.cells, mode, label) : () => true));
      for (const list of data.pairs) {
        if (mode && !list.modes.includes(mode.name)) continue;
        card.append(element("h3", "", list.modes.join(" × ")), table(list, mode ? has(list, mode, label) : () => true));
      }
      holder.replaceChildren(card);
      if (mode) {
        head.querySelector("button").focus({preventScroll: true});
        holder.scrollIntoView({block: "nearest"});
      }
    }
    const law = data.scale !== null ? `scale ${polyad.format.number(data.scale)}` : `variance ${polyad.format.number(data.dispersion)} times the mean`;
    page.append(intro(data), element("p", "note",
      `Loss ${data.loss}, ${law}. p says how probable a value is that is as far from what the model expects, or farther. Marked (●): at most ` +
      `${polyad.format.percent(data["false-alarms"])} of these are false alarms. Components are those that expect most there.`));
    for (const remark of data.remarks) page.append(element("p", "note", String(remark)));
    const grid = element("div", "cards-page");
    data.slices.forEach((list, k) => {
      const mode = report.modes[k], card = element("div", "card");
      const dated = mode.kind === "time" && list.scores && mode.size > 1 && mode.label(0).length === 10;
      if (dated) card.classList.add("wide");
      card.append(dated ? calendar(mode, list.scores, show) : buttons(list, mode, show));
      grid.append(card);
    });
    page.append(grid, holder);
    show(null);
    return page;
  }
  return {make};
})();
