"use strict";
// Bars: upright over a short ordered mode, lying down with their names for all others.
polyad.panelBars = (() => {
  const short = {hours: text => text.replace(/^0(\d)/, "$1").replace(/:00(:00)?$/, ""), cycle: text => text.slice(0, 3)};

  function columns(svg, width, {mode, column, height, label, other}) {
    const plot = {left: 6, right: width - 6, top: 15, bottom: height - 20};
    const [low, high] = column.extent(), more = other ? other.extent() : [0, 0];
    const least = Math.min(low, more[0]), most = Math.max(high, more[1]);
    const x = d3.scaleBand().domain(d3.range(mode.size)).range([plot.left, plot.right]).padding(0.2);
    const y = d3.scaleLinear().domain([least, most > least ? most : least + 1]).range([plot.bottom, plot.top]);
    const bars = svg.append("g").selectAll("rect").data(Array.from(column.value)).enter().append("rect")
      .attr("class", v => v < 0 ? "bar minus" : "bar").attr("x", (v, i) => x(i)).attr("width", x.bandwidth())
      .attr("y", v => Math.min(y(0), y(v))).attr("height", v => Math.abs(y(v) - y(0)));
    if (other) {
      svg.append("g").selectAll("line").data(Array.from(other.value)).enter().append("line").attr("class", "level other")
        .attr("x1", (v, i) => x(i) - 1).attr("x2", (v, i) => x(i) + x.bandwidth() + 1).attr("y1", v => y(v)).attr("y2", v => y(v));
    }
    svg.append("line").attr("class", "zero").attr("x1", plot.left).attr("x2", plot.right).attr("y1", y(0)).attr("y2", y(0));
    const text = i => (short[mode.kind] || (t => t))(mode.label(i));
    const widest = d3.max(d3.range(mode.size), i => polyad.format.width(polyad.format.cut(text(i), 12), 11)) + 6;
    const steps = mode.kind === "hours" ? [1, 3, 6, 12, 24] : [1, 2, 5, 10, 20, 31];
    const step = steps.find(s => x.step() * s >= widest) || steps[steps.length - 1];
    svg.append("g").attr("class", "marks").selectAll("text").data(d3.range(0, mode.size, step)).enter().append("text")
      .attr("x", i => x(i) + x.bandwidth() / 2).attr("y", plot.bottom + 14).attr("text-anchor", "middle")
      .text(i => polyad.format.cut(text(i), 12));
    svg.append("text").attr("class", "scale").attr("x", plot.left).attr("y", plot.top - 5).text(label(most));
    svg.append("rect").attr("class", "overlay no-export").attr("width", width).attr("height", height);
    return {
      entryAt: at => Math.min(mode.size - 1, Math.max(0, Math.floor((at[0] - plot.left) / x.step()))),
      step: (i, by) => Math.min(mode.size - 1, Math.max(0, i + by)),
      place: i => [x(i) + x.bandwidth() / 2, y(Math.max(0, column.value[i]))],
      mark: i => bars.classed("marked", (v, n) => n === i),
    };
  }

  const pitch = large => large ? 21 : 15.5;
  const rowsShown = (mode, large) => mode.style === "rows" ? mode.size : Math.min(mode.size, large ? 25 : 8);
  const rowsHeight = (mode, large) => pitch(large) * (rowsShown(mode, large) + (mode.size > rowsShown(mode, large) ? 1 : 0)) + 8;

  function rows(svg, width, {mode, column, label, large, other}) {
    const size = large ? 13 : 11, step = pitch(large);
    const all = mode.style === "rows";
    const top = all ? {entries: d3.range(mode.size).map(i => ({index: i, value: column.at(i)})), others: 0}
                    : column.top(rowsShown(mode, large));
    const entries = top.entries;
    const values = entries.map(e => e.value).concat(other ? entries.map(e => other.at(e.index) || 0) : []);
    const low = Math.min(0, d3.min(values) || 0), high = Math.max(0, d3.max(values) || 0);
    const names = entries.map(e => mode.label(e.index));
    const numbers = d3.max(entries.map(e => polyad.format.width(label(e.value), size - 1)).concat([20])) + 8;
    const widest = d3.max(names.map(name => polyad.format.width(polyad.format.cut(name, 60), size)).concat([10]));
    const left = Math.min(widest, (width - numbers) * 0.55) + 8;
    const x = d3.scaleLinear().domain([low, high > low ? high : low + 1]).range([left, Math.max(left + 10, width - numbers)]);
    const row = svg.append("g").selectAll("g").data(entries).enter().append("g").attr("class", "row")
      .attr("transform", (e, n) => `translate(0,${4 + n * step})`);
    row.append("text").attr("class", "name").attr("x", left - 6).attr("y", step / 2).attr("dy", "0.34em").attr("text-anchor", "end")
      .style("font-size", `${size}px`).text((e, n) => polyad.format.fitted(names[n], left - 8, size));
    row.append("rect").attr("class", e => e.value < 0 ? "bar minus" : "bar").attr("x", e => Math.min(x(0), x(e.value)))
      .attr("y", 2).attr("width", e => Math.abs(x(e.value) - x(0))).attr("height", step - 4);
    if (other) {
      row.append("line").attr("class", "level other").attr("x1", e => x(other.at(e.index) || 0)).attr("x2", e => x(other.at(e.index) || 0))
        .attr("y1", 0).attr("y2", step);
    }
    row.append("text").attr("class", "number").attr("x", e => Math.max(x(0), x(e.value)) + 5).attr("y", step / 2).attr("dy", "0.34em")
      .style("font-size", `${size - 1}px`).text(e => label(e.value));
    svg.append("line").attr("class", "zero").attr("x1", x(0)).attr("x2", x(0)).attr("y1", 4).attr("y2", 4 + entries.length * step);
    if (top.others > 0) {
      const y = 4 + entries.length * step + step / 2;
      svg.append("text").attr("class", "others").attr("x", left - 6).attr("y", y).attr("dy", "0.34em").attr("text-anchor", "end")
        .style("font-size", `${size}px`).text(polyad.format.plural(top.others, "other"));
      if (low === 0) svg.append("text").attr("class", "number").attr("x", x(0) + 5).attr("y", y).attr("dy", "0.34em")
        .style("font-size", `${size - 1}px`).text(label(Math.max(0, top.rest)));
    }
    const position = i => entries.findIndex(e => e.index === i);
    return {
      entryAt: at => {
        const n = Math.floor((at[1] - 4) / step);
        return n >= 0 && n < entries.length ? entries[n].index : null;
      },
      step: (i, by) => entries.length === 0 ? null : entries[Math.min(entries.length - 1, Math.max(0, position(i) + by))].index,
      place: i => [x(0), 4 + position(i) * step + step / 2],
      mark: i => row.classed("marked", e => e.index === i),
    };
  }
  return {columns, rows, rowsHeight};
})();
