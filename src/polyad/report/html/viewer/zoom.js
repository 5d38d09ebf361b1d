"use strict";
// Zoom and pan along an ordered mode, shared by every chart of that mode. The state is a scale k and a shift, in parts of a
// chart's width, so that charts of any width agree.
polyad.zoom = (() => {
  const states = new Map(), watchers = new Map();
  let scheduled = null;

  const of = mode => states.get(mode.number) || {k: 1, shift: 0};
  const mostZoom = mode => Math.max(4, mode.size / 8);

  function set(mode, k, shift) {
    k = Math.min(mostZoom(mode), Math.max(1, k));
    states.set(mode.number, {k, shift: Math.min(0, Math.max(1 - k, shift))});
    if (!scheduled) scheduled = new Set();
    if (scheduled.size === 0) requestAnimationFrame(notify);
    scheduled.add(mode.number);
  }
  function notify() {
    const modes = scheduled;
    scheduled = null;
    for (const number of modes) {
      const all = watchers.get(number) || new Set();
      for (const watcher of all) {
        if (watcher.node.isConnected) watcher.changed(); else all.delete(watcher);
      }
    }
  }
  /** `changed` is called after every change for as long as `node` is part of the page. */
  function watch(mode, node, changed) {
    if (!watchers.has(mode.number)) watchers.set(mode.number, new Set());
    watchers.get(mode.number).add({node, changed});
  }

  /** The part of [low, high] that is seen. */
  function visible(mode, low, high) {
    const {k, shift} = of(mode), span = high - low;
    return [low + span * (-shift / k), low + span * ((1 - shift) / k)];
  }
  /** Zooms by a factor about a place (0: left end, 1: right end). */
  function by(mode, factor, about = 0.5) {
    const {k, shift} = of(mode), next = Math.min(mostZoom(mode), Math.max(1, k * factor));
    set(mode, next, about - (about - shift) * next / k);
  }
  function pan(mode, part) {
    const {k, shift} = of(mode);
    set(mode, k, shift - part);
  }
  /** Pans where a place (0: left end, 1: right end) is out of sight, until it is in the middle. */
  function reveal(mode, place) {
    const rounding = 1e-6;
    if (place < -rounding || place > 1 + rounding) pan(mode, place - 0.5);
  }
  const reset = mode => set(mode, 1, 0);

  /** Pinch, Ctrl + wheel and dragging on an element whose plot lies `margin` within it. */
  function attach(element, mode, margin) {
    const inner = () => Math.max(1, element.clientWidth - 2 * margin);
    const behaviour = d3.zoom().scaleExtent([1, mostZoom(mode)]).clickDistance(4)
      .extent(() => [[margin, 0], [margin + inner(), 1]])
      .filter(() => {
        const event = d3.event;
        if (event.type === "wheel") return event.ctrlKey || event.metaKey;
        if (event.type === "touchstart") return event.touches.length > 1;
        return event.type !== "dblclick" && !event.button && of(mode).k > 1;
      })
      .on("zoom", () => {
        const {k, x} = d3.event.transform;
        // A place u of the plot goes to k (margin + u width) + x; the shared state measures from the plot's left end.
        set(mode, k, (k * margin + x - margin) / inner());
      });
    d3.select(element).call(behaviour);
  }
  /** Brings an element's own idea of the zoom in line with the shared one. */
  function sync(element, mode, margin) {
    const {k, shift} = of(mode), width = Math.max(1, element.clientWidth - 2 * margin);
    element.__zoom = d3.zoomIdentity.translate(shift * width + margin - k * margin, 0).scale(k);
    element.classList.toggle("zoomed", k > 1);
  }

  return {of, by, pan, reveal, reset, visible, watch, attach, sync};
})();
