"use strict";
// Regions, the stronger their colour the larger their entry; the largest are named beside the map where there is room.
polyad.panelMap = (() => {
  const outline = (rings, k) => rings.map(ring => ring.length === 1
    ? `M${ring[0][0] * k - 3} ${ring[0][1] * k}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z`
    : `M${ring.map(([x, y]) => `${(x * k).toFixed(1)} ${(y * k).toFixed(1)}`).join("L")}Z`).join("");

  /** `strength(i)` from −1 to 1 sets the colour. */
  function regions(svg, mode, scale, strength) {
    const paths = svg.append("g").attr("class", "map");
    paths.selectAll(".back").data(mode.map.back).enter().append("path").attr("class", "back").attr("d", rings => outline(rings, scale));
    return paths.selectAll(".region").data(mode.map.paths).enter().append("path")
      .attr("class", r => strength(r.index) < 0 ? "region minus" : "region")
      .attr("d", r => outline(r.rings, scale))
      .attr("fill-opacity", r => Math.abs(strength(r.index) || 0).toFixed(3));
  }

  function scaleFor(mode, width, height) { return Math.min(width / mode.map.width, height / mode.map.height); }

  /** `named` are the entries to name beside the map; the largest where not given. */
  function draw(svg, width, {mode, column, height, label, large, named}) {
    const beside = width > 210 ? Math.min(width * 0.5, large ? 260 : 130) : 0;
    const k = scaleFor(mode, width - beside, height - 6);
    const strongest = Math.max(d3.max(column.value, Math.abs) || 0, 1e-300);
    const paths = regions(svg.append("g").attr("transform", "translate(1,3)"), mode, k, i => column.at(i) / strongest);
    const drawn = mode.map.width * k + 12, size = large ? 13 : 11, step = large ? 21 : 26;
    if (beside > 0) {
      const most = Math.floor((height - 6) / step);
      const names = svg.append("g").selectAll("g").data(named ? named.slice(0, most) : column.top(most).entries)
        .enter().append("g").attr("class", "row").attr("transform", (e, n) => `translate(${drawn},${4 + n * step})`);
      const room = width - drawn - (large ? 60 : 4);
      names.append("text").attr("class", "name").attr("y", 11).style("font-size", `${size}px`)
        .text(e => polyad.format.fitted(mode.label(e.index), room, size));
      names.append("text").attr("class", "number").attr("y", large ? 11 : 22).attr("x", large ? room + 6 : 0)
        .style("font-size", `${size - 1}px`).text(e => label(e.value));
    }
    const centre = r => {
      const ring = r.rings.reduce((a, b) => b.length > a.length ? b : a);
      return [d3.mean(ring, p => p[0]) * k + 1, d3.mean(ring, p => p[1]) * k + 3];
    };
    const order = mode.map.paths.map(r => r.index);
    return {
      entryAt: (at, target) => {
        const found = d3.select(target).datum();
        return found && found.rings ? found.index : found && found.index !== undefined ? found.index : null;
      },
      step: (i, by) => order[Math.min(order.length - 1, Math.max(0, order.indexOf(i) + by))],
      place: i => centre(mode.map.paths.find(r => r.index === i) || mode.map.paths[0]),
      mark: i => paths.classed("marked", r => r.index === i),
    };
  }
  return {draw, regions, scaleFor};
})();
