"use strict";
// Curves and dots on two axes, for everything that is not a component.
polyad.curves = (() => {
  const margin = {top: 10, right: 14, bottom: 38, left: 62};

  const frame = (svg, width, height, {x, y, xTitle, yTitle, xFormat, yFormat}) => {
    const plot = {left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom};
    x.range([plot.left, plot.right]);
    y.range([plot.bottom, plot.top]);
    const rows = svg.append("g").attr("class", "rule");
    // A logarithmic scale marks every digit; lines at the powers of ten are enough.
    const marks = y.base && y.domain()[1] > 20 * y.domain()[0] ? y.ticks().filter(v => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9) : y.ticks(5);
    rows.selectAll("line").data(marks).enter().append("line").attr("x1", plot.left).attr("x2", plot.right)
      .attr("y1", d => y(d)).attr("y2", d => y(d));
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${plot.bottom})`)
      .call(d3.axisBottom(x).ticks(Math.max(2, width / 90), xFormat).tickSizeOuter(0));
    const left = d3.axisLeft(y).tickValues(marks).tickSizeOuter(0).tickFormat(yFormat ? d3.format(yFormat) : polyad.format.number);
    svg.append("g").attr("class", "axis").attr("transform", `translate(${plot.left},0)`).call(left);
    svg.append("text").attr("class", "axis-title").attr("x", plot.right).attr("y", height - 4).attr("text-anchor", "end").text(xTitle);
    svg.append("text").attr("class", "axis-title").attr("transform", `translate(12,${plot.top}) rotate(-90)`).attr("text-anchor", "end").text(yTitle);
    return plot;
  };

  /** Tells about the dot nearest to the pointer or reached by the arrow keys. `dots`: {x, y, title, rows}, in pixels. */
  function tellDots(svg, dots, reach = 24) {
    if (dots.length === 0) return;
    const node = svg.node(), ring = svg.append("circle").attr("class", "marker no-export").attr("r", 6).attr("fill", "none")
      .attr("stroke", "currentColor").attr("visibility", "hidden");
    let current = -1;
    const go = (n, x, y) => {
      current = n;
      ring.attr("visibility", n < 0 ? "hidden" : "visible");
      if (n < 0) return polyad.tooltip.hide();
      ring.attr("cx", dots[n].x).attr("cy", dots[n].y);
      return polyad.tooltip.show(x, y, dots[n].title, dots[n].rows);
    };
    node.addEventListener("pointermove", event => {
      const box = node.getBoundingClientRect(), view = node.viewBox.baseVal;
      const x = (event.clientX - box.left) * view.width / box.width, y = (event.clientY - box.top) * view.height / box.height;
      const n = d3.scan(dots, (a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y));
      go(Math.hypot(dots[n].x - x, dots[n].y - y) <= reach ? n : -1, event.clientX, event.clientY);
    });
    node.addEventListener("pointerleave", () => go(-1));
    node.tabIndex = 0;
    node.addEventListener("blur", () => go(-1));
    node.addEventListener("keydown", event => {
      const by = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
      if (!by) return;
      event.preventDefault();
      const n = Math.min(dots.length - 1, Math.max(0, current + by)), box = node.getBoundingClientRect();
      go(n, box.left + dots[n].x, box.top + dots[n].y);
    });
  }

  /** Bars lying down: `items` are {name, value, className, rows}. Values may be negative. */
  function bars(svg, width, items, label) {
    const step = 22, numbers = d3.max(items, d => polyad.format.width(label(d.value), 11)) + 10;
    const left = Math.min(width * 0.45, d3.max(items, d => polyad.format.width(polyad.format.cut(d.name, 60), 12)) + 10);
    const low = Math.min(0, d3.min(items, d => d.value)), high = Math.max(0, d3.max(items, d => d.value));
    const x = d3.scaleLinear().domain([low, high > low ? high : low + 1]).range([left, Math.max(left + 20, width - numbers)]);
    const row = svg.append("g").selectAll("g").data(items).enter().append("g").attr("class", d => `row ${d.className || ""}`)
      .attr("transform", (d, n) => `translate(0,${n * step})`);
    row.append("text").attr("class", "name").attr("x", left - 7).attr("y", step / 2).attr("dy", "0.34em").attr("text-anchor", "end")
      .style("font-size", "12px").text(d => polyad.format.fitted(d.name, left - 9, 12));
    row.append("rect").attr("class", d => d.value < 0 ? "bar minus" : "bar").attr("x", d => Math.min(x(0), x(d.value))).attr("y", 3)
      .attr("width", d => Math.abs(x(d.value) - x(0))).attr("height", step - 6);
    row.append("text").attr("class", "number").attr("x", d => Math.max(x(0), x(d.value)) + 5).attr("y", step / 2).attr("dy", "0.34em")
      .text(d => label(d.value));
    svg.append("line").attr("class", "zero").attr("x1", x(0)).attr("x2", x(0)).attr("y1", 0).attr("y2", items.length * step);
    return items.length * step + 4;
  }

  return {frame, tellDots, bars};
})();
