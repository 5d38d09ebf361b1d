"use strict";
// The page: head, tabs, and what each tab shows. A tab is built when it is first opened.
polyad.main = (() => {
  const {element} = polyad.detail;

  const verdictOf = model => model.summary.verdict && typeof model.summary.verdict.sentence === "string" ? model.summary.verdict : null;

  function facts(report, model) {
    const parts = [`rank ${model.rank}`];
    if (model.options.loss) parts.push(`loss ${model.options.loss}`);
    parts.push(report.modes.map(mode => polyad.format.count(mode.size)).join(" × "));
    // The verdict below says it too.
    const explained = verdictOf(model) ? null : polyad.fit.explained(model);
    if (explained !== null) parts.push(`${polyad.format.percent(explained)} of the deviance explained`);
    return parts.join(" · ");
  }

  // What to think of the model: the sentence of its verdict, and a line per warning.
  function judge(place, model) {
    const verdict = verdictOf(model);
    place.replaceChildren();
    if (!verdict) return;
    place.append(element("p", "sub", verdict.sentence));
    for (const warning of verdict.warnings || []) place.append(element("p", "warning", String(warning)));
  }

  function start() {
    const report = polyad.data.load(JSON.parse(document.getElementById("polyad-data").textContent));
    polyad.report = report;
    let model = report.models[0];

    const head = element("header", "page-head"), line = element("div", "head-line");
    const title = element("h1", "", polyad.format.cut(report.title, 200)), sub = element("p", "sub");
    const tools = element("div", "head-tools");
    if (report.models.length > 1) {
      const label = element("label", "", "model "), choice = element("select");
      report.models.forEach((m, n) => {
        const option = element("option", "", m.name);
        option.value = n;
        choice.append(option);
      });
      choice.addEventListener("change", () => {
        model = report.models[Number(choice.value)];
        rebuild();
      });
      label.append(choice);
      tools.append(label);
    }
    const theme = element("button", "theme", "◐");
    theme.type = "button";
    theme.title = "Light or dark";
    theme.setAttribute("aria-label", "Switch between light and dark");
    theme.addEventListener("click", polyad.theme.toggle);
    tools.append(theme);
    line.append(title, tools);
    const verdict = element("div", "verdict");
    head.append(line, sub, verdict);

    const tabs = [["components", "Components", polyad.components.make], ["runs", "Runs", polyad.runs.make],
                  ["fit", "Fit", polyad.fit.make]];
    if (report.models.some(m => m.surprise)) tabs.push(["surprise", "Surprise", polyad.surprise.make]);
    if (report.models.length > 1) tabs.push(["compare", "Compare", polyad.compare.make]);
    tabs.push(["about", "About", polyad.about.make]);
    const bar = element("nav", "tabs"), pages = element("main");
    bar.setAttribute("role", "tablist");
    const parts = tabs.map(([name, text, make]) => {
      const tab = element("button", "tab", text), page = element("section", "page");
      tab.type = "button";
      tab.id = `tab-${name}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", `page-${name}`);
      page.id = `page-${name}`;
      page.setAttribute("role", "tabpanel");
      page.setAttribute("aria-labelledby", tab.id);
      page.append(element("h2", "print-title", text));
      tab.addEventListener("click", () => {
        show(name);
        history.replaceState(null, "", `#${name}`);
      });
      bar.append(tab);
      pages.append(page);
      return {name, make, tab, page, built: null};
    });
    bar.addEventListener("keydown", event => {
      const at = parts.findIndex(part => part.tab === document.activeElement);
      const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (at < 0 || !by) return;
      const next = parts[(at + by + parts.length) % parts.length];
      next.tab.click();
      next.tab.focus();
    });

    const build = part => {
      if (part.built) return;
      part.built = part.make(report, model);
      part.page.append(part.built);
    };
    function show(name) {
      for (const part of parts) {
        const chosen = part.name === name;
        part.page.hidden = !chosen;
        part.tab.setAttribute("aria-selected", chosen);
        part.tab.tabIndex = chosen ? 0 : -1;
        if (chosen) build(part);
      }
      polyad.tooltip.hide();
    }
    function rebuild() {
      sub.textContent = facts(report, model);
      judge(verdict, model);
      for (const part of parts) {
        if (part.built) part.built.remove();
        part.built = null;
        if (!part.page.hidden) build(part);
      }
    }
    const named = () => {
      const name = location.hash.slice(1);
      return parts.some(part => part.name === name) ? name : "components";
    };
    window.addEventListener("hashchange", () => show(named()));
    // On paper everything is shown, one page after the other.
    window.addEventListener("beforeprint", () => {
      for (const part of parts) {
        build(part);
        part.page.dataset.hidden = part.page.hidden;
        part.page.hidden = false;
        polyad.figure.drawAll(part.page);
      }
    });
    window.addEventListener("afterprint", () => {
      for (const part of parts) part.page.hidden = part.page.dataset.hidden === "true";
    });

    document.body.append(head, bar, pages);
    sub.textContent = facts(report, model);
    judge(verdict, model);
    show(named());
    requestAnimationFrame(() => {
      performance.mark("polyad-ready");
      document.documentElement.dataset.ready = "yes";
    });
  }

  return {start};
})();

polyad.main.start();
