"use strict";
// A curve over an ordered mode, with marks on its axis; thinned to the lowest and highest of every pixel.
polyad.panelLine = (() => {
  const margin = {top: 15, right: 10, bottom: 20, left: 10};

  /** Positions in the column of the points to draw between two places of the axis. */
  function pointsOf(column, places, scale) {
    const [low, high] = scale.domain().map(Number);
    const first = Math.max(0, d3.bisectLeft(places, low) - 1), last = Math.min(places.length, d3.bisectRight(places, high) + 1);
    const points = [];
    for (let n = first; n < last;) {
      const pixel = Math.floor(scale(places[n]));
      let least = n, most = n;
      for (; n < last && Math.floor(scale(places[n])) === pixel; ++n) {
        if (column.value[n] < column.value[least]) least = n;
        if (column.value[n] > column.value[most]) most = n;
      }
      points.push(Math.min(least, most));
      if (least !== most) points.push(Math.max(least, most));
    }
    return points;
  }

  /** Where far more entries than pixels are seen, their running mean: {window, points} with points [place, mean], or null. */
  function runningMean(column, places, scale, pixels) {
    const [low, high] = scale.domain().map(Number), first = d3.bisectLeft(places, low), last = d3.bisectRight(places, high);
    if (column.index || last - first < 3 * pixels) return null;
    if (!column.sums) {
      column.sums = new Float64Array(column.length + 1);
      column.value.forEach((v, n) => { column.sums[n + 1] = column.sums[n] + (Number.isFinite(v) ? v : 0); });
    }
    // Whole weeks where entries are days, so that weekdays cancel; harmless otherwise.
    const window = Math.max(7, 7 * Math.round((last - first) / 700)), half = window >> 1, points = [];
    for (let n = first + half; n < last - half; n += Math.max(1, window >> 2)) {
      points.push([places[n], (column.sums[n + half + 1] - column.sums[n - half]) / (2 * half + 1)]);
    }
    return {window: 2 * half + 1, points};
  }

  function draw(svg, width, {mode, model, column, j, height, label, other}) {
    const plot = {left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom};
    const places = mode.positions(column.index);
    const [low, high] = polyad.zoom.visible(mode, places[0], places[places.length - 1]);
    const x = (mode.kind === "time" ? d3.scaleUtc() : d3.scaleLinear()).domain([low, high]).range([plot.left, plot.right]);
    const points = pointsOf(column, places, x);
    const otherPlaces = other && mode.positions(other.index);
    const otherPoints = other ? pointsOf(other, otherPlaces, x) : [];
    const values = points.map(n => column.value[n]).concat(otherPoints.map(n => other.value[n])).filter(Number.isFinite);
    const least = Math.min(0, d3.min(values) || 0), most = Math.max(0, d3.max(values) || 0);
    const y = d3.scaleLinear().domain([least, most > least ? most : least + 1]).range([plot.bottom, plot.top]);

    const clip = `clip-${polyad.panels.newId()}`;
    svg.append("clipPath").attr("id", clip).append("rect").attr("x", plot.left).attr("y", 0)
      .attr("width", plot.right - plot.left).attr("height", height);
    const axis = svg.append("g").attr("class", "axis").attr("transform", `translate(0,${plot.bottom})`)
      .call(d3.axisBottom(x).ticks(Math.max(2, Math.floor(width / 75)), mode.kind === "time" ? undefined : "~f")
        .tickFormat(mode.kind === "time" ? polyad.format.dateMark : null).tickSizeOuter(0).tickSizeInner(4).tickPadding(3));
    let free = 0;
    axis.selectAll("text").each(function(d) {
      const at = x(d), half = polyad.format.width(this.textContent, 11) / 2;
      if (at - half < free || at + half > width) this.remove(); else free = at + half + 6;
    });
    const body = svg.append("g").attr("clip-path", `url(#${clip})`);
    const area = d3.area().x(n => x(places[n])).y0(y(0)).y1(n => y(column.value[n]));
    body.append("path").attr("class", "area").attr("d", area(points));
    if (other) {
      body.append("path").attr("class", "curve other")
        .attr("d", d3.line().x(n => x(otherPlaces[n])).y(n => y(other.value[n]))(otherPoints));
    }
    const mean = other ? null : runningMean(column, places, x, plot.right - plot.left);
    body.append("path").attr("class", mean ? "curve raw" : "curve").attr("d", area.lineY1()(points));
    if (mean) {
      body.append("path").attr("class", "curve mean").attr("d", d3.line().x(p => x(p[0])).y(p => y(p[1]))(mean.points));
      svg.append("text").attr("class", "scale").attr("x", plot.right).attr("y", plot.top - 5).attr("text-anchor", "end").text(`strong line: mean over ${mean.window} entries`);
    }
    if (least < 0) svg.append("line").attr("class", "zero").attr("x1", plot.left).attr("x2", plot.right).attr("y1", y(0)).attr("y2", y(0));
    svg.append("text").attr("class", "scale").attr("x", plot.left).attr("y", plot.top - 5).text(label(most));

    const marker = svg.append("g").attr("class", "marker no-export").attr("visibility", "hidden");
    marker.append("line").attr("y1", plot.top).attr("y2", plot.bottom);
    marker.append("circle").attr("r", 3.2);
    svg.append("rect").attr("class", "overlay no-export").attr("width", width).attr("height", height);

    const nearest = at => {
      const place = +x.invert(at), n = Math.min(places.length - 1, d3.bisectLeft(places, place));
      return n > 0 && place - places[n - 1] < places[n] - place ? n - 1 : n;
    };
    return {
      entryAt: at => column.entry(nearest(at[0])),
      step: (i, by) => {
        const n = column.index ? d3.bisectLeft(column.index, i) : i;
        return column.entry(Math.min(places.length - 1, Math.max(0, n + by)));
      },
      place: i => [x(mode.position(i)), y(column.at(i) || 0)],
      mark: i => {
        const value = i === null ? undefined : column.at(i), at = i === null ? 0 : x(mode.position(i));
        const shown = value !== undefined && at >= plot.left && at <= plot.right;
        marker.attr("visibility", shown ? "visible" : "hidden");
        if (!shown) return;
        marker.attr("transform", `translate(${at},0)`);
        marker.select("circle").attr("cy", y(value));
      },
    };
  }
  return {draw, margin: margin.left};
})();
