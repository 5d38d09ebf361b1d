"use strict";
// Where the model comes from and how to get it again.
polyad.about = (() => {
  const {element} = polyad.detail;

  function table(rows) {
    const node = element("table", "facts");
    const body = node.createTBody();
    for (const [name, value] of rows) {
      const row = body.insertRow();
      row.append(element("td", "", name), element("td", "label", value));
    }
    return node;
  }

  function command(text) {
    const box = element("div"), code = element("pre", "", text), copy = element("button", "copy", "copy");
    copy.type = "button";
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "copied";
      } catch (refused) {
        getSelection().selectAllChildren(code);
        copy.textContent = "selected: press Ctrl + C";
      }
      setTimeout(() => { copy.textContent = "copy"; }, 2000);
    });
    box.append(code, copy);
    return box;
  }

  const words = value => typeof value === "string" ? value : Array.isArray(value) ? (value.length ? value.join(", ") : "none") : typeof value === "number" ? polyad.format.precise(value) : JSON.stringify(value);

  function make(report, model) {
    const page = element("div", "columns-page"), card = (title, ...nodes) => {
      const box = element("div", "card");
      box.append(element("h3", "", title), ...nodes);
      page.append(box);
    };
    const data = model.fit.data || {}, summary = model.summary;
    const shape = report.modes.map(mode => `${polyad.format.cut(mode.name, 60)} (${polyad.format.count(mode.size)})`).join(" × ");
    const known = [["modes", shape]];
    const tell = (name, value) => { if (value !== undefined && value !== null) known.push([name, value]); };
    tell("file", data.file);
    if (Number.isFinite(data.observed)) tell("observed cells", polyad.format.count(data.observed));
    if (Number.isFinite(data.listed)) tell("listed entries", polyad.format.count(data.listed));
    if (Number.isFinite(data.sum)) tell("sum of the data", polyad.format.precise(data.sum));
    if (Number.isFinite(data.least)) tell("values", `${polyad.format.precise(data.least)} to ${polyad.format.precise(data.greatest)}`);
    tell("fingerprint", data.fingerprint);
    card("Data", table(known), element("p", "note", "Models with the same fingerprint were fitted to the same data."));

    const fit = [["polyad", summary.version || report.version]];
    const add = (name, value) => { if (value !== undefined && value !== null) fit.push([name, value]); };
    add("loss function", model.options.loss);
    add("seed", model.options.seed === undefined ? undefined : String(model.options.seed));
    add("each iteration", summary.sampling);
    add("best start", summary["best-start"] === undefined ? undefined : String(summary["best-start"]));
    add("ended because", summary.why);
    for (const [name, text] of [["seconds", "fit"], ["read-seconds", "reading the data"], ["diagnose-seconds", "judging the fit"]]) {
      if (Number.isFinite(summary[name])) fit.push([`time: ${text}`, polyad.format.seconds(summary[name])]);
    }
    card("Fit", table(fit));
    if (typeof summary.command === "string") card("As it was typed", command(summary.command));
    if (model.command) {
      card("To get the same model again", command(model.command), element("p", "note", "Every choice spelt out. The same data, options and seed give the same model to the last bit."));
    }
    const options = Object.entries(model.options).map(([name, value]) => [name, words(value)]);
    if (options.length > 0) card("Options as used", table(options));
    card("What the words mean", table([
      ["component", "a pattern: one strength for every entry of every mode; the model of a cell is the sum over components of the products of their strengths"],
      ["sum", "the size of a component: its values added up over all cells (models without negative entries)"],
      ["norm", "the size of a component: the Euclidean norm of its values over all cells (models with negative entries)"],
      ["share", "its part of the sum of the model over all cells (models without negative entries)"],
      ["against the whole", "an entry's share of the component over its share of the whole model: above 1 it is typical of the component"],
      ["deviance explained", "1 − (loss − least possible loss) / (loss of the best constant − least possible loss)"],
      ["likeness", "of two components: the product over the modes of the cosines between their columns; of two models: its mean over matched components"],
    ]));
    card("Made with", table([["polyad", report.version], ["D3", `${d3.version}, © Mike Bostock, BSD 3-Clause licence (d3js.org)`]]));
    return page;
  }
  return {make};
})();
