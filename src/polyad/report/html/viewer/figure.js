"use strict";
// A chart in its frame: heading, save button, and an SVG that is drawn when it comes into view and again when its width
// changes. draw(svg, width) returns the height it used.
polyad.figure = (() => {
  const inView = new IntersectionObserver(seen => {
    for (const {isIntersecting, target} of seen) {
      if (isIntersecting) target.chart.ensure();
    }
  }, {rootMargin: "400px"});
  const sized = new ResizeObserver(changes => {
    for (const {target} of changes) target.chart.fit();
  });

  class Figure {
    constructor({title, note, name, draw, rows, className, expected}) {
      this.name = name || title;
      this.drawing = draw;
      this.rows = rows;
      this.node = document.createElement("figure");
      this.node.className = `chart ${className || ""}`;
      this.node.chart = this;
      if (title) {
        const head = document.createElement("figcaption");
        head.textContent = title;
        this.node.append(head);
      }
      if (note) {
        const text = document.createElement("p");
        text.className = "note";
        text.textContent = note;
        this.node.append(text);
      }
      this.body = document.createElement("div");
      this.body.className = "chart-body";
      // Room for what is to come, so that drawing it does not push the page about.
      this.body.style.minHeight = `${expected || 200}px`;
      this.node.append(this.body, polyad.export.button(this));
      this.width = 0;
      inView.observe(this.node);
      sized.observe(this.node);
    }
    svg() {
      this.ensure();
      return this.body.querySelector("svg");
    }
    ensure() { if (this.width === 0) this.redraw(); }
    fit() {
      const width = Math.floor(this.body.clientWidth);
      if (this.width !== 0 && width > 0 && width !== this.width) this.redraw();
    }
    redraw() {
      const width = Math.floor(this.body.clientWidth);
      if (width <= 0) return;
      this.width = width;
      const focused = this.body.contains(document.activeElement);
      this.redrawing = true;
      this.body.replaceChildren();
      this.redrawing = false;
      const svg = d3.select(this.body).append("svg").attr("role", "img").attr("aria-label", polyad.format.cut(this.name, 200));
      const height = Math.ceil(this.drawing(svg, width, this));
      this.body.style.minHeight = "";
      svg.attr("viewBox", `0 0 ${width} ${height}`).attr("height", height);
      if (!focused) return;
      svg.node().focus({preventScroll: true});
      if (this.restore) this.restore();
    }
  }

  /** Everything, also what was never in view: for printing. */
  const drawAll = root => root.querySelectorAll("figure.chart").forEach(node => node.chart.ensure());
  return {make: options => new Figure(options), drawAll};
})();
