"use strict";
// The data of the page, decoded (report_data.cpp says how it is packed). Nothing here draws.
const polyad = {};

polyad.data = (() => {
  const words = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
  const floats = text => new Float32Array(words(text));
  const indices = text => new Uint32Array(words(text));
  const fewEntries = 31, mostRows = 10;

  class Mode {
    constructor(json, number) {
      Object.assign(this, {number, name: json.name, size: json.size, kind: json.kind, map: json.map});
      this.labelled = json.labels !== null;
      if (Array.isArray(json.labels)) {
        this.labelOf = i => json.labels[i];
      } else if (this.labelled) {
        const texts = new Map();
        indices(json.labels.index).forEach((i, n) => texts.set(i, json.labels.text[n]));
        this.labelOf = i => texts.get(i);
      } else {
        this.labelOf = () => undefined;
      }
      this.style = this.chooseStyle();
      if (this.style === "map") this.map.paths = this.map.regions.map(r => ({index: r.index, rings: unroll(r.rings)}));
      if (this.style === "map") this.map.back = this.map.background.map(unroll);
    }
    chooseStyle() {
      if (this.map) return "map";
      if (["time", "index", "hours", "cycle"].includes(this.kind)) return this.size > fewEntries ? "line" : "columns";
      return this.size <= mostRows ? "rows" : "top";
    }
    get ordered() { return this.style === "line" || this.style === "columns"; }
    /** What an entry is called: its label, or its number counted from 1. */
    label(i) {
      const text = this.labelOf(i);
      return text === undefined ? String(i + 1) : text;
    }
    /** Where an entry stands on the axis: a date (in milliseconds), a number, or its position counted from 1. */
    position(i) {
      const text = this.labelOf(i);
      if (this.kind === "time" && text !== undefined) return +polyad.format.parseDate(text);
      if (this.kind === "index" && text !== undefined) return Number(text);
      return i + 1;
    }
    /** All positions, where the whole mode is on the page. */
    positions(entries) {
      if (!entries) return this.allPositions || (this.allPositions = d3.range(this.size).map(i => this.position(i)));
      return Array.from(entries, i => this.position(i));
    }
  }

  // Rings come as steps from point to point.
  const unroll = rings => rings.map(steps => {
    const points = [];
    for (let n = 0, x = 0, y = 0; n < steps.length; n += 2) points.push([x += steps[n], y += steps[n + 1]]);
    return points;
  });

  /** One column of one factor matrix: `index` is null where every entry is there. */
  class Column {
    constructor(index, value, rest, size) { Object.assign(this, {index, value, rest, size}); }
    get length() { return this.value.length; }
    entry(n) { return this.index ? this.index[n] : n; }
    at(i) {
      if (!this.index) return this.value[i];
      if (!this.lookUp) this.lookUp = new Map(Array.from(this.index, (entry, n) => [entry, this.value[n]]));
      return this.lookUp.get(i);
    }
    /** The largest by magnitude, largest first, and what the others come to. */
    top(count) {
      const order = d3.range(this.length).filter(n => this.value[n] !== 0);
      order.sort((a, b) => Math.abs(this.value[b]) - Math.abs(this.value[a]) || this.entry(a) - this.entry(b));
      const entries = order.slice(0, count).map(n => ({index: this.entry(n), value: this.value[n]}));
      const shown = d3.sum(entries, e => e.value);
      return {entries, others: this.size - entries.length, rest: d3.sum(this.value) + this.rest - shown};
    }
    extent() {
      const [low, high] = d3.extent(this.value);
      return [Math.min(0, low || 0), Math.max(0, high || 0)];
    }
  }

  class Model {
    constructor(json, number, modes) {
      Object.assign(this, json, {number, modes});
      this.columns = json.factors.map((factor, k) => {
        const size = modes[k].size;
        if (!factor.full) return factor.parts.map(p => new Column(indices(p.index), floats(p.value), p.rest, size));
        const all = floats(factor.full);
        return d3.range(json.rank).map(j => new Column(null, all.subarray(j * size, (j + 1) * size), 0, size));
      });
      this.slices = json.slices.map(slice => slice && {
        index: slice.index ? indices(slice.index) : null,
        explained: floats(slice.explained), share: floats(slice.share),
        observed: floats(slice.observed), expected: floats(slice.expected),
      });
    }
    column(mode, j) { return this.columns[mode.number][j]; }
    title(j) { return this.names && this.names[j] ? `${j + 1} ${this.names[j]}` : `${j + 1}`; }
    /** How much larger an entry's share of the component is than its share of the whole model. */
    lift(mode, j, i) {
      if (!this.nonnegative) return undefined;
      const total = d3.sum(this.weights);
      let all = 0;
      for (let c = 0; c < this.rank; ++c) {
        const v = this.column(mode, c).at(i);
        if (v === undefined) return undefined;
        all += this.weights[c] * v;
      }
      return all > 0 ? this.column(mode, j).at(i) * total / all : undefined;
    }
    value(v) { return this.nonnegative ? polyad.format.percent(v) : polyad.format.number(v); }
  }

  function load(json) {
    const modes = json.modes.map((mode, k) => new Mode(mode, k));
    const models = json.models.map((model, n) => new Model(model, n, modes));
    const matchOf = (a, b) => json.matches.find(m => m.a === a.number && m.b === b.number);
    return {title: json.title, version: json.version, modes, models, matchOf};
  }

  return {load, floats, indices, Column};
})();
