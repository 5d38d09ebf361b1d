"use strict";
// Saving a chart: as SVG (styles written into it, so that it looks the same anywhere), as PNG, its numbers as CSV.
polyad.export = (() => {
  const properties = ["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
                      "stroke-linejoin", "opacity", "font-size", "font-family", "font-weight", "font-style", "text-anchor",
                      "display", "visibility"];

  function standalone(svg) {
    const copy = svg.cloneNode(true);
    const from = svg.querySelectorAll("*"), to = copy.querySelectorAll("*");
    from.forEach((element, n) => {
      const style = getComputedStyle(element);
      to[n].setAttribute("style", properties.map(p => `${p}:${style.getPropertyValue(p)}`).join(";"));
      to[n].removeAttribute("class");
    });
    copy.querySelectorAll(".no-export").forEach(element => element.remove());
    const {width, height} = svg.viewBox.baseVal;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    copy.removeAttribute("class");
    copy.removeAttribute("tabindex");
    const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    back.setAttribute("width", width);
    back.setAttribute("height", height);
    back.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--card").trim());
    copy.insertBefore(back, copy.firstChild);
    return new XMLSerializer().serializeToString(copy);
  }

  function png(svg) {
    const {width, height} = svg.viewBox.baseVal, scale = 3;
    const picture = new Image();
    return new Promise((resolve, reject) => {
      picture.onload = () => {
        const canvas = document.createElement("canvas");
        canvas.width = width * scale;
        canvas.height = height * scale;
        const context = canvas.getContext("2d");
        context.scale(scale, scale);
        context.drawImage(picture, 0, 0, width, height);
        canvas.toBlob(resolve, "image/png");
      };
      picture.onerror = reject;
      picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
    });
  }

  // An apostrophe keeps spreadsheets from computing a label that begins as a formula does; 'polyad import' takes it off.
  const computed = /^'*[=+\-@\t\r]/;
  const field = value => {
    let text = value === null || value === undefined ? "" : String(value);
    if (computed.test(text) && !Number.isFinite(Number(text))) text = `'${text}`;
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  const csv = rows => rows.map(row => row.map(field).join(",")).join("\r\n") + "\r\n";

  function save(name, blob) {
    const link = document.createElement("a"), address = URL.createObjectURL(blob);
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
  const fileName = (name, extension) => `${name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "chart"}.${extension}`;

  const kinds = {
    SVG: async chart => new Blob([standalone(chart.svg())], {type: "image/svg+xml"}),
    PNG: chart => png(chart.svg()),
    CSV: async chart => new Blob([csv(chart.rows())], {type: "text/csv;charset=utf-8"}),
  };

  /** A button that offers the three formats. `chart` has name, svg() and rows() (an array of arrays, head first). */
  function button(chart) {
    const open = document.createElement("button");
    open.type = "button";
    open.className = "save";
    open.textContent = "⤓";
    open.title = "Save this chart as SVG or PNG, or its numbers as CSV";
    open.setAttribute("aria-label", `Save ${polyad.format.cut(chart.name, 60)}`);
    open.setAttribute("aria-haspopup", "menu");
    const menu = document.createElement("span");
    menu.className = "save-menu";
    menu.setAttribute("role", "menu");
    menu.hidden = true;
    for (const kind of Object.keys(kinds)) {
      const item = document.createElement("button");
      item.type = "button";
      item.textContent = kind;
      item.setAttribute("role", "menuitem");
      item.addEventListener("click", async event => {
        event.stopPropagation();
        menu.hidden = true;
        save(fileName(chart.name, kind.toLowerCase()), await kinds[kind](chart));
      });
      menu.append(item);
    }
    const box = document.createElement("span");
    box.className = "save-box";
    box.append(open, menu);
    open.addEventListener("click", event => {
      event.stopPropagation();
      menu.hidden = !menu.hidden;
    });
    box.addEventListener("keydown", event => {
      if (event.key === "Escape" && !menu.hidden) {
        menu.hidden = true;
        open.focus();
        event.stopPropagation();
        event.preventDefault();
      }
    });
    box.addEventListener("focusout", event => { if (!box.contains(event.relatedTarget)) menu.hidden = true; });
    return box;
  }

  return {button, standalone, png, csv, kinds};
})();
