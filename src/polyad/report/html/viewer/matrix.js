"use strict";
// A square table of likenesses from 0 to 1, the stronger the colour the more alike.
polyad.matrix = (() => {
  /** values[a][b], null where unknown. */
  function draw(svg, width, names, values) {
    const n = names.length, size = 11;
    const left = Math.min(width * 0.3, d3.max(names, name => polyad.format.width(polyad.format.cut(name, 40), size)) + 10);
    const cell = Math.min(46, (width - left - 2) / n), top = 22;
    const rows = svg.append("g").selectAll("g").data(names).enter().append("g").attr("transform", (d, a) => `translate(0,${top + a * cell})`);
    rows.append("text").attr("x", left - 6).attr("y", cell / 2).attr("dy", "0.34em").attr("text-anchor", "end").text(name => polyad.format.fitted(name, left - 8, size));
    names.forEach((name, b) => svg.append("text").attr("class", "cell-text").attr("x", left + (b + 0.5) * cell).attr("y", top - 7)
      .text(polyad.format.fitted(name, cell - 2, size)));
    const dots = [];
    rows.each(function(name, a) {
      const row = d3.select(this);
      names.forEach((other, b) => {
        const v = values[a][b];
        row.append("rect").attr("class", "cell").attr("x", left + b * cell).attr("width", cell).attr("height", cell)
          .attr("fill-opacity", v === null ? 0 : (0.05 + 0.85 * Math.max(0, v) ** 2).toFixed(3));
        if (cell >= 30) row.append("text").attr("class", "cell-text").attr("x", left + (b + 0.5) * cell).attr("y", cell / 2).attr("dy", "0.34em")
          .style("fill", v > 0.75 ? "var(--card)" : "var(--text)").text(v === null ? "–" : v.toFixed(2));
        dots.push({x: left + (b + 0.5) * cell, y: top + (a + 0.5) * cell, title: `${name} – ${other}`, rows: [["likeness", v === null ? "–" : v.toFixed(4)]]});
      });
    });
    polyad.curves.tellDots(svg, dots, cell * 0.7);
    return top + n * cell + 4;
  }
  return {draw};
})();
