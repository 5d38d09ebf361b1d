"use strict";
// One component, large: its charts, its strongest entries in every mode, its counterparts in the other models.
polyad.detail = (() => {
  const mostEntries = 12;
  let dialog = null;

  const element = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };

  /** The strongest entries of a mode as a table. */
  function table(model, mode, j) {
    const {entries, others, rest} = model.column(mode, j).top(mostEntries);
    const node = element("table", "entries");
    const head = node.createTHead().insertRow();
    const lifts = entries.map(e => model.lift(mode, j, e.index));
    const withLift = lifts.some(l => l !== undefined);
    [mode.name, model.nonnegative ? "share" : "value"].concat(withLift ? ["against the whole"] : []).forEach((text, n) => {
      head.append(element("th", n > 0 ? "value" : "", polyad.format.cut(text, 60)));
    });
    const body = node.createTBody();
    entries.forEach((e, n) => {
      const row = body.insertRow();
      row.append(element("td", "label", polyad.format.cut(mode.label(e.index), 120)), element("td", "value", model.value(e.value)));
      if (withLift) row.append(element("td", "value", lifts[n] === undefined ? "" : `${polyad.format.number(lifts[n])} ×`));
    });
    if (others > 0 && model.nonnegative) {
      const row = body.insertRow();
      row.className = "others";
      row.append(element("td", "", polyad.format.plural(others, "other")), element("td", "value", model.value(Math.max(0, rest))));
      if (withLift) row.append(element("td"));
    }
    return node;
  }

  function facts(report, model, j) {
    const list = element("dl", "facts");
    const add = (name, value) => {
      const item = element("div");
      item.append(element("dt", "", name), element("dd", "", value));
      list.append(item);
    };
    add("weight", polyad.format.number(model.weights[j]));
    if (model.shares) add("share of the model", polyad.format.percent(model.shares[j]));
    const rise = model.fit["component-rise"];
    if (rise) add("deviance it alone explains", polyad.format.percent(rise[j]));
    const stability = model.fit["component-stability"];
    if (stability && stability[j] !== null) add("found again by other starts", polyad.format.percent(stability[j]));
    return list;
  }

  /** Its counterpart in each other model; choosing one draws it over the charts. */
  function counterparts(report, model, j, chosen, choose) {
    const box = element("div", "counterparts");
    for (const other of report.models) {
      if (other === model) continue;
      const match = report.matchOf(model, other), q = match.match[j];
      const button = element("button", "counterpart", q === null ? `${other.name}: none`
        : `${other.name}: component ${other.title(q)}, likeness ${match.cosines[j].toFixed(2)}`);
      button.type = "button";
      button.disabled = q === null;
      button.setAttribute("aria-pressed", chosen === other);
      button.addEventListener("click", () => choose(chosen === other ? null : other));
      box.append(button);
    }
    return box;
  }

  function fill(report, model, j, chosen) {
    dialog.className = polyad.theme.ink(j);
    const head = element("header"), title = element("h2", "", `Component ${polyad.format.cut(model.title(j), 120)}`);
    const button = (text, label, action) => {
      const b = element("button", "", text);
      b.type = "button";
      b.setAttribute("aria-label", label);
      b.title = label;
      b.addEventListener("click", action);
      return b;
    };
    const turn = by => fill(report, model, (j + by + model.rank) % model.rank, chosen);
    dialog.turn = turn;
    head.append(title);
    if (report.models.length > 1) head.append(element("span", "of-model", model.name));
    const tools = element("span", "dialog-tools");
    if (model.rank > 1) tools.append(button("◀", "Previous component", () => turn(-1)), button("▶", "Next component", () => turn(1)));
    tools.append(button("✕", "Close", () => dialog.close()));
    head.append(tools);
    const body = element("div", "detail-body");
    body.append(facts(report, model, j));
    let other = null;
    if (report.models.length > 1) {
      body.append(counterparts(report, model, j, chosen, next => fill(report, model, j, next)));
      const q = chosen && report.matchOf(model, chosen).match[j];
      if (chosen && q !== null) other = {model: chosen, j: q};
      if (other) body.append(element("p", "note", `Dashed: ${chosen.name}, component ${chosen.title(other.j)}.`));
    }
    for (const mode of report.modes) {
      const part = element("section", "detail-mode");
      part.append(element("h3", "", polyad.format.cut(mode.name, 120)));
      const pair = element("div", mode.ordered || mode.style === "map" ? "pair" : "");
      pair.append(polyad.panels.make({model, mode, j, large: true, other}).node);
      if (mode.ordered || mode.style === "map") pair.append(table(model, mode, j));
      part.append(pair);
      body.append(part);
    }
    dialog.replaceChildren(head, body);
    dialog.scrollTop = 0;
  }

  function open(report, model, j) {
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "Component");
      document.body.append(dialog);
      dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
      dialog.addEventListener("close", () => {
        polyad.tooltip.hide();
        dialog.replaceChildren();
        document.body.classList.remove("behind");
      });
      dialog.addEventListener("keydown", event => {
        if (event.target.closest("svg")) return;
        if (event.key === "ArrowLeft") dialog.turn(-1);
        if (event.key === "ArrowRight") dialog.turn(1);
      });
    }
    polyad.tooltip.hide();
    fill(report, model, j, null);
    if (!dialog.open) dialog.showModal();
    document.body.classList.add("behind");
  }
  return {open, element};
})();
