"use strict";
// Numbers, dates and texts for people.
polyad.format = (() => {
  const three = d3.format(".3~g"), grouped = d3.format(",.0f");
  const minus = text => text.replace("-", "−");

  function number(v) {
    if (v === null || v === undefined || !Number.isFinite(v)) return "–";
    const size = Math.abs(v);
    if (size >= 1000 && size < 1e7) return minus(grouped(v));
    if (size !== 0 && (size >= 1e7 || size < 1e-3)) return minus(d3.format(".3~e")(v).replace("e+", "e"));
    return minus(three(v));
  }
  /** More digits, for totals that are compared. */
  const precise = v => v === null || v === undefined || !Number.isFinite(v) ? "–"
    : minus(Math.abs(v) >= 1e15 || (v !== 0 && Math.abs(v) < 1e-4) ? d3.format(".7~g")(v) : d3.format(Math.abs(v) >= 1e6 ? ",.0f" : ",.7~r")(v));
  function percent(v) {
    if (v === null || v === undefined || !Number.isFinite(v)) return "–";
    const p = 100 * v, size = Math.abs(p);
    if (size >= 9.95 || p === 0) return minus(`${p.toFixed(0)} %`);
    if (size < 1e-4) return "≈ 0 %";
    return minus(size < 0.095 ? `${Number(p.toPrecision(1))} %` : `${p.toFixed(1)} %`);
  }
  const count = v => grouped(v);
  function seconds(s) {
    if (s === null || s === undefined || !Number.isFinite(s)) return "–";
    if (s < 10) return `${s.toFixed(s < 1 ? 2 : 1)} s`;
    if (s < 60) return `${s.toFixed(0)} s`;
    return s < 3600 ? `${Math.floor(s / 60)} min ${Math.round(s % 60)} s` : `${Math.floor(s / 3600)} h ${Math.round(s % 3600 / 60)} min`;
  }
  const plural = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

  /** "2023", "2023-01", "2023-01-31" and with a time of day: as UTC, so that no place on earth shifts a day. */
  function parseDate(text) {
    const parts = text.split(/[-T :Z]/).filter(part => part !== "").map(Number);
    return new Date(Date.UTC(parts[0], (parts[1] || 1) - 1, parts[2] || 1, parts[3] || 0, parts[4] || 0, parts[5] || 0));
  }

  const dateFormats = [[d3.utcMinute, "%H:%M:%S"], [d3.utcDay, "%H:%M"], [d3.utcMonth, "%-d %b"], [d3.utcYear, "%b"]]
    .map(([unit, text]) => [unit, d3.utcFormat(text)]), year = d3.utcFormat("%Y");
  /** A mark on an axis of dates: as much as tells it from its neighbours. */
  const dateMark = date => {
    const finer = dateFormats.find(([unit]) => unit.floor(date) < date);
    return (finer ? finer[1] : year)(date);
  };

  /** Text cut to so many characters, for places that cannot wrap. */
  const cut = (text, most) => {
    const all = Array.from(text.length > 4 * most ? text.slice(0, 4 * most) : text);
    return all.length > most || text.length > 4 * most ? `${all.slice(0, most - 1).join("")}…` : text;
  };
  const ruler = document.createElement("canvas").getContext("2d");
  const width = (text, size) => {
    ruler.font = `${size}px ${polyad.theme.font}`;
    return ruler.measureText(text).width;
  };
  /** Text cut to so many pixels. */
  function fitted(text, pixels, size) {
    let short = cut(text, 200);
    if (width(short, size) <= pixels) return short;
    let low = 0, high = Array.from(short).length;
    const all = Array.from(short);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (width(`${all.slice(0, middle).join("")}…`, size) <= pixels) low = middle; else high = middle - 1;
    }
    return low === 0 ? "" : `${all.slice(0, low).join("").trimEnd()}…`;
  }

  return {number, precise, percent, count, seconds, plural, parseDate, dateMark, cut, width, fitted};
})();
