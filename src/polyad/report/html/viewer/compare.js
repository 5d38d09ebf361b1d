"use strict";
// Two models side by side: components matched by likeness, differences marked.
polyad.compare = (() => {
  const {element} = polyad.detail;
  const alike = 0.9;

  function summary(report) {
    const table = element("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    for (const text of ["model", "rank", "loss", "deviance explained", "time"]) head.append(element("th", "", text));
    for (const model of report.models) {
      const row = body.insertRow(), exact = model.summary["exact-loss"];
      row.append(element("td", "label", model.name), element("td", "", String(model.rank)),
                 element("td", "", polyad.format.precise(exact === undefined ? model.summary.estimate : exact)),
                 element("td", "", polyad.format.percent(polyad.fit.explained(model))), element("td", "", polyad.format.seconds(model.summary.seconds)));
    }
    const box = element("div", "scroll");
    box.append(table);
    return box;
  }

  function optionsTable(report) {
    const fitted = report.models.filter(m => Object.keys(m.options).length > 0);
    if (fitted.length < 2) return element("p", "note", "Fewer than two of the models say how they were fitted.");
    const names = [...new Set([].concat(...fitted.map(m => Object.keys(m.options))))];
    const text = value => value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
    const differ = names.filter(name => new Set(fitted.map(m => text(m.options[name]))).size > 1);
    if (differ.length === 0) return element("p", "note", "All options are the same.");
    const table = element("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    head.append(element("th", "", "option"), ...fitted.map(m => element("th", "", m.name)));
    for (const name of differ) {
      const row = body.insertRow();
      row.append(element("td", "", name), ...fitted.map(m => element("td", "", text(m.options[name]))));
    }
    const box = element("div", "scroll");
    box.append(table);
    return box;
  }

  /** The pair's components, each with its counterpart drawn over it. */
  function pair(report, a, b) {
    const match = report.matchOf(a, b), box = element("div");
    const lost = match.match.filter(q => q === null).length;
    const taken = new Set(match.match), extra = d3.range(b.rank).filter(q => !taken.has(q));
    const same = match.cosines.filter(c => c >= alike).length;
    box.append(element("p", "note", `Likeness ${match.score.toFixed(3)}: ${same} of ${a.rank} components have a counterpart with likeness ${alike} or more. ` +
      `Colours are ${a.name}, dashed lines and marks ${b.name}.` + (lost > 0 ? ` ${lost} have none.` : "") +
      (extra.length > 0 ? ` Only in ${b.name}: ${extra.map(q => b.title(q)).join(", ")}.` : "")));
    for (let j = 0; j < a.rank; ++j) {
      const q = match.match[j], row = element("article", `component compared ${polyad.theme.ink(j)}`);
      row.dataset.component = j + 1;
      const head = element("div", "compared-head");
      head.append(element("b", "", `${a.title(j)} – ${q === null ? "none" : b.title(q)}`),
                  element("span", match.cosines[j] >= alike ? "good" : "bad", q === null ? "no counterpart" : `likeness ${match.cosines[j].toFixed(3)}`));
      if (a.shares && b.shares && q !== null) head.append(element("span", "note", `share ${polyad.format.percent(a.shares[j])} – ${polyad.format.percent(b.shares[q])}`));
      row.append(head);
      const charts = element("div", "compared-charts");
      report.modes.forEach((mode, k) => {
        const cell = element("div"), name = element("div", "compared-mode"), cosine = q === null ? null : match.modes[j][k];
        name.append(element("span", "", polyad.format.cut(mode.name, 60)));
        if (cosine !== null) name.append(element("b", cosine >= alike ? "" : "bad", `${cosine >= alike ? "" : "differs: "}${cosine.toFixed(3)}`));
        cell.append(name, polyad.panels.make({model: a, mode, j, other: q === null ? undefined : {model: b, j: q}, open: () => polyad.detail.open(report, a, j)}).node);
        charts.append(cell);
      });
      row.append(charts);
      box.append(row);
    }
    return box;
  }

  function make(report) {
    const page = element("div", "cards-page"), card = (...nodes) => {
      const box = element("div", "card wide");
      box.append(...nodes);
      page.append(box);
      return box;
    };
    card(element("h3", "", "Models"), summary(report), element("h3", "", "Options that differ"), optionsTable(report));
    if (report.models.length > 2) {
      const values = report.models.map(a => report.models.map(b => a === b ? 1 : report.matchOf(a, b).score));
      card(polyad.figure.make({
        title: "How alike the models are", className: "ink0", note: "A row is measured over its own components, so models of different rank are not alike both ways.",
        rows: () => [["model"].concat(report.models.map(m => m.name))].concat(values.map((row, a) => [report.models[a].name, ...row])),
        draw: (svg, width) => polyad.matrix.draw(svg, width, report.models.map(m => m.name), values),
      }).node);
    }
    const state = {a: 0, b: 1}, holder = element("div"), box = card(element("h3", "", "Component by component"));
    const choices = element("div", "choice");
    const redraw = () => {
      holder.replaceChildren(state.a === state.b ? element("p", "note", "Choose two different models.") : pair(report, report.models[state.a], report.models[state.b]));
    };
    for (const key of ["a", "b"]) {
      const select = element("select");
      select.setAttribute("aria-label", key === "a" ? "first model" : "second model");
      report.models.forEach((m, n) => {
        const option = element("option", "", m.name);
        option.value = n;
        option.selected = state[key] === n;
        select.append(option);
      });
      select.addEventListener("change", () => {
        state[key] = Number(select.value);
        redraw();
      });
      if (key === "b") choices.append(element("span", "", "against"));
      choices.append(select);
    }
    box.append(choices, holder);
    redraw();
    return page;
  }
  return {make};
})();
