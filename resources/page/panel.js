/* SPDX-License-Identifier: MIT
 *
 * One panel: its drawing and, where it has curves, their values at the pointer, names that switch
 * them, and a zoom along x.  Panels over the same x move together. */

const DIGITS = 4;

class Panel {
  constructor(panel, number, page) {
    this.panel = panel;
    this.page = page;
    this.curves = panel.curves || [];
    this.reset = button("Whole range", () => page.zoom(this, null),
      { class: "reset", hidden: true });
    this.at = element("p", { class: "at", "aria-live": "polite" });
    this.drawing = new Drawing(panel, "p" + number + "-");
    this.plot = element("div", { class: "plot" }, this.drawing.root);
    this.legend = element("div", { class: "legend" });
    const look = { class: "panel" + (panel.wide ? " wide" : ""), "aria-label": panel.title };
    this.root = element("section", look,
      element("header", {}, element("h2", {}, panel.title), this.reset), this.plot);
    this.note = element("p", { class: "note" });
    this.root.append(this.note);
    this.turn(0, false);
    if (this.curves.length > 0) this.read();
  }

  /** Shows one of its drawings; values are those of the last moment, and not read in the past. */
  turn(shown, past) {
    if (this.zoomed) this.zoomTo(null);
    Object.assign(this, { shown, past });
    this.drawing.show(shown);
    const { alt, notes, title } = this.panel;
    this.note.textContent = notes[shown];
    if (notes.length > 1) // a description is of one drawing
      this.drawing.root.setAttribute("aria-label", past ? title + ". " + notes[shown] : alt);
    if (this.scale !== undefined) this.say(null);
  }

  /** Makes it answer pointer and keys. */
  read() {
    const { panel } = this;
    this.scale = new Scale(panel.x, panel.x.lo, panel.x.hi);
    this.y = new Scale(panel.y, panel.y.lo, panel.y.hi);
    this.zoomed = false;
    this.row = 0;
    this.zooms = !panel.bars && panel.rows === "" &&
      this.curves.every((curve) => !curve.points);
    this.cursor = shape("g", { class: "cursor", "pointer-events": "none" });
    this.drawing.root.append(this.cursor);
    for (const curve of this.curves) {
      curve.xs = this.page.data.columns[curve.x];
      if (panel.rows === "") this.addName(curve);
    }
    this.root.append(this.legend, this.at);
    this.plot.classList.add("reads");
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "application");
    this.plot.setAttribute("aria-label", panel.title + ": arrow keys read the values" +
      (this.zooms ? ", plus and minus zoom, Escape shows all" : ""));
    new Pointer(this);
    this.plot.addEventListener("keydown", (event) => this.key(event));
    this.plot.addEventListener("blur", () => this.page.point(this, null));
    this.say(null);
  }

  addName(curve) {
    const colour = "var(--c" + curve.colour + ")";
    const sample = shape("svg", { viewBox: "0 0 22 10", "aria-hidden": "true" });
    const value = element("span", { class: "value" });
    if (curve.points || this.panel.bars)
      sample.append(shape("circle", { cx: 11, cy: 5, r: 4, fill: colour }));
    else
      sample.append(shape("path", { d: "M0 5H22", stroke: colour, "stroke-width": 2,
        "stroke-dasharray": curve.dash.map((dash) => dash * 2).join(" ") }));
    curve.value = value;
    const name = [curve.group, curve.title].filter((word) => word !== "").join(": ");
    curve.button = button([sample, name, value], () => this.toggle(curve),
      { "aria-pressed": "true" });
    this.legend.append(curve.button);
  }

  toggle(curve) {
    curve.hidden = !curve.hidden;
    curve.button.setAttribute("aria-pressed", String(!curve.hidden));
    this.redraw();
  }

  parts(curve) {
    return ["", "-raw", "-band", "-spread"].map((part) => this.drawing.group(curve.id + part))
      .filter((group) => group !== null);
  }

  // ---- reading ----

  /** Which sample of a curve is read at x: the nearest, unless x lies outside of the curve. */
  sample(curve, x) {
    const { xs } = curve;
    if (x === null) return xs.length - 1;
    const width = this.panel.bars ? 0.5 : (this.scale.hi - this.scale.lo) / 100;
    const i = nearest(xs, x);
    return i >= 0 && x >= xs[0] - width && x <= xs[xs.length - 1] + width ? i : -1;
  }

  valueText(curve, i) {
    const { low, high, spread } = curve;
    const half = spread && spread[i] > 0 ? " ± " + numberText(spread[i], 2) : "";
    const band = low ? " (" + numberText(low[i], 3) + "–" + numberText(high[i], 3) + ")" : "";
    const unit = curve.unit || this.panel.y.unit;
    return numberText(curve.y[i], DIGITS) + half + band + (unit !== "" ? "\u00a0" + unit : "");
  }

  /** Says all values at x or, null, at rest: the last ones, or those at a mark. */
  say(x) {
    const { panel } = this;
    const rest = x !== null ? x : panel.mark;
    for (const curve of panel.rows === "" ? this.curves : []) {
      const none = this.past || curve.points || (rest === null && !panel.steps);
      const i = none ? -1 : this.sample(curve, rest);
      curve.value.textContent = i >= 0 ? this.valueText(curve, i) : "";
    }
    this.at.textContent = x === null || this.past ? ""
      : this.xText(x) + (panel.rows !== "" ? this.rowText(x) : "");
    this.draw(x);
  }

  xText(x) {
    const { panel } = this;
    if (panel.bars) return panel.names[x] || String(x);
    const number = panel.whole ? countText(Math.round(x)) : numberText(x, DIGITS);
    const unit = panel.x.unit !== "" ? " " + panel.x.unit : "";
    return (panel.x.label || "x") + " " + number + unit;
  }

  rowText(x) {
    const curve = this.curves[this.row];
    const i = this.sample(curve, x);
    return " · " + curve.title + ": " + (i >= 0 ? this.valueText(curve, i) : "–");
  }

  /** Which row is at a place on the screen: rows are even, or as high as their values at x. */
  chooseRow(clientY, x) {
    if (this.panel.rows === "") return;
    const box = this.drawing.root.getBoundingClientRect();
    const [, top, , height] = this.panel.plot;
    const share = ((clientY - box.top) / box.height * this.panel.height - top) / height;
    const values = this.curves.map((curve) => {
      const i = this.sample(curve, x);
      return this.panel.rows === "even" ? 1 : i >= 0 && curve.y[i] > 0 ? curve.y[i] : 0;
    });
    let rest = share * values.reduce((sum, value) => sum + value, 0);
    this.row = values.findIndex((value) => (rest -= value) < 0);
    if (this.row < 0) this.row = share < 0 ? 0 : values.length - 1;
  }

  /** The line of the pointer with a dot on each curve. */
  draw(x) {
    const [left, top, width, height] = this.panel.plot;
    this.cursor.textContent = "";
    this.drawing.root.append(this.cursor);
    if (x === null || this.past || this.panel.bars) return;
    const at = left + width * this.scale.map(x);
    if (!(at >= left - 0.5 && at <= left + width + 0.5)) return;
    this.cursor.append(shape("path", { d: "M" + at + " " + top + "v" + height,
      stroke: "var(--soft)", "stroke-width": 1, fill: "none" }));
    for (const curve of this.panel.rows === "" ? this.curves : []) {
      const i = curve.hidden || curve.points ? -1 : this.sample(curve, x);
      const cy = i >= 0 && curve.y[i] !== null ? this.yAt(curve.y[i]) : NaN;
      const cx = left + width * this.scale.map(curve.xs[i]);
      if (cy >= top - 1 && cy <= top + height + 1)
        this.cursor.append(shape("circle", { cx, cy, r: 3.5, stroke: "var(--card)",
          fill: "var(--c" + curve.colour + ")" }));
    }
  }

  yAt(value) {
    const [, top, , height, inset] = this.panel.plot;
    return top + height - inset - (height - 2 * inset) * this.y.map(value);
  }

  /** x at a place on the screen, of the nearest sample of what is shown. */
  xAt(clientX) {
    const box = this.drawing.root.getBoundingClientRect();
    const [left, , width] = this.panel.plot;
    const at = ((clientX - box.left) / box.width * this.panel.width - left) / width;
    const x = this.scale.unmap(Math.min(1, Math.max(0, at)));
    return this.panel.bars ? Math.round(x) : this.snap(x);
  }

  snap(x) {
    let best = null;
    for (const curve of this.curves) {
      const i = curve.hidden || curve.points ? -1 : this.sample(curve, x);
      if (i >= 0 && (best === null || Math.abs(curve.xs[i] - x) < Math.abs(best - x)))
        best = curve.xs[i];
    }
    return best === null ? x : best;
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -Infinity,
      End: Infinity };
    const rows = { ArrowUp: -1, ArrowDown: 1 };
    const zooms = { "+": 0.5, "-": 2 };
    if (event.key in steps) this.step(steps[event.key]);
    else if (event.key in rows && this.panel.rows !== "") this.stepRow(rows[event.key]);
    else if (event.key in zooms && this.zooms) this.zoomBy(zooms[event.key]);
    else if (event.key === "Escape") this.page.zoom(this, null);
    else return;
    event.preventDefault();
  }

  step(by) {
    const curve = this.curves.filter((one) => !one.hidden && !one.points)
      .reduce((a, b) => (a !== null && a.xs.length >= b.xs.length ? a : b), null);
    if (curve === null) return;
    const now = this.x === undefined || this.x === null ? curve.xs.length - (by > 0 ? 1 : 0)
      : nearest(curve.xs, this.x);
    const to = Math.min(curve.xs.length - 1, Math.max(0, now + by));
    this.page.point(this, curve.xs[to]);
  }

  stepRow(by) {
    this.row = Math.min(this.curves.length - 1, Math.max(0, this.row + by));
    if (this.x === undefined || this.x === null) this.step(0);
    else this.say(this.x);
  }

  // ---- zoom ----

  zoomBy(factor, around) {
    const { scale } = this;
    const [lo, hi] = [scale.even(scale.lo), scale.even(scale.hi)];
    const at = around !== undefined ? around : this.x;
    const middle = at === undefined || at === null ? (lo + hi) / 2 : scale.even(at);
    const ends = [middle - (middle - lo) * factor, middle + (hi - middle) * factor];
    this.page.zoom(this, ends.map((end) => scale.back(end)));
  }

  /** Shows a range along x, null: all. */
  zoomTo(wanted) {
    const { x } = this.panel;
    const lo = wanted === null ? x.lo : Math.max(wanted[0], x.lo);
    const hi = wanted === null ? x.hi : Math.min(wanted[1], x.hi);
    const least = this.panel.whole ? 2 : (x.hi - x.lo) * 1e-5;
    if (!this.zooms || this.past || !(hi - lo >= Math.min(least, x.hi - x.lo))) return;
    this.zoomed = lo > x.lo || hi < x.hi;
    this.scale = new Scale({ log: x.log, foot: this.zoomed ? 0 : x.foot }, lo, hi);
    this.reset.hidden = !this.zoomed;
    this.redraw();
  }

  redraw() {
    this.drawing.show(this.shown);
    if (this.zoomed) this.drawZoomed();
    for (const curve of this.curves)
      this.parts(curve).forEach((group) => group.classList.toggle("hidden", curve.hidden === true));
    this.hideMarkers();
    this.draw(this.x === undefined ? null : this.x);
  }

  /** Markers of all curves are one group, drawn for the whole range; else they go. */
  hideMarkers() {
    const off = this.zoomed || this.curves.some((curve) => curve.hidden && !curve.points);
    const group = this.drawing.group("markers");
    if (group !== null && this.zooms) group.classList.toggle("hidden", off);
  }

  drawZoomed() {
    for (const curve of this.curves) {
      const line = this.drawing.group(curve.id);
      const raw = this.drawing.group(curve.id + "-raw");
      const band = this.drawing.group(curve.id + "-band");
      this.setPath(line, curve.xs, curve.smooth ? this.smooth(curve) : curve.y);
      this.setPath(raw, curve.xs, curve.y);
      if (band !== null) this.setBand(band, curve);
    }
    this.drawTicks();
    this.drawFlags();
  }

  /** A path is replaced and not changed: the drawing keeps its own for the whole range. */
  setPath(group, xs, ys) {
    const old = group !== null ? group.querySelector("path") : null;
    if (old === null) return;
    const path = old.cloneNode();
    path.setAttribute("d", this.path(xs, ys));
    this.put(group, path);
  }

  put(group, ...nodes) {
    this.drawing.forget(group);
    group.replaceChildren(...nodes);
  }

  setBand(group, curve) {
    const old = group.querySelector("path");
    if (old === null) return;
    const path = old.cloneNode();
    const there = this.path(curve.xs, curve.high);
    const back = this.path(curve.xs.slice().reverse(), curve.low.slice().reverse());
    path.setAttribute("d", there + back.replace("M", "L") + "Z");
    this.put(group, path);
  }

  /** What is in view and a sample on either side, as a line that lifts where a value is none. */
  path(xs, ys) {
    const [left, top, width, height] = this.panel.plot;
    let out = "";
    let down = false;
    for (let i = 0; i < ys.length; i++) {
      const x = left + width * this.scale.map(xs[i]);
      const y = Math.min(top + 3 * height, Math.max(top - 2 * height, this.yAt(ys[i])));
      if (!Number.isFinite(ys[i]) || !Number.isFinite(x + y) || !this.isNear(xs, i)) {
        down = false;
        continue;
      }
      out += (down ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1);
      down = true;
    }
    return out;
  }

  /** Whether a sample or one beside it is in view. */
  isNear(xs, i) {
    const { lo, hi } = this.scale;
    const last = xs[Math.min(i + 1, xs.length - 1)];
    return last >= lo && xs[Math.max(i - 1, 0)] <= hi;
  }

  /** Means over a share of what is shown, as the drawing of the whole range has them. */
  smooth(curve) {
    const { scale } = this;
    const half = this.panel.share * (scale.even(scale.hi) - scale.even(scale.lo)) / 2;
    const us = curve.xs.map((x) => scale.even(x));
    const [sums, counts] = [[0], [0]]; // of all before
    for (const y of curve.y) {
      sums.push(sums[sums.length - 1] + (y === null ? 0 : y));
      counts.push(counts[counts.length - 1] + (y === null ? 0 : 1));
    }
    let [first, last] = [0, 0];
    return us.map((u, i) => {
      const reach = Math.min(half, u - us[0]);
      while (us[first] < u - reach) first++;
      while (last < us.length && us[last] <= u + reach) last++;
      const n = counts[last] - counts[first];
      return n > 0 && curve.y[i] !== null ? (sums[last] - sums[first]) / n : null;
    });
  }

  drawTicks() {
    const [left, top, width, height] = this.panel.plot;
    const grid = this.drawing.group("grid-x");
    const axis = this.drawing.group("axes-x");
    const line = grid && grid.querySelector("path");
    const tick = axis && axis.querySelector("path");
    const word = axis && axis.querySelector("text");
    if (!line || !tick || !word) return;
    const made = this.scale.ticks(width / 70, this.panel.whole).map((value) => {
      const at = left + width * this.scale.map(value);
      const [grown, mark, label] = [line, tick, word].map((node) => node.cloneNode());
      grown.setAttribute("d", "M" + at + " " + top + "v" + height);
      mark.setAttribute("d", "M" + at + " " + (top + height) + "v3.5");
      label.setAttribute("x", at);
      label.textContent = numberText(value, 6);
      return [grown, mark, label];
    });
    this.put(grid, ...made.map((nodes) => nodes[0]));
    this.put(axis, ...made.map((nodes) => nodes[1]), ...made.map((nodes) => nodes[2]));
  }

  /** Changes during the run, each at its update. */
  drawFlags() {
    const flags = this.drawing.group("flags");
    const lines = this.drawing.group("flag-lines");
    const [left, top, width, height] = this.panel.plot;
    if (flags === null) return;
    const line = (lines || flags).querySelector("path");
    if (lines !== null) this.put(lines);
    this.put(flags);
    (this.page.data.changes || []).forEach((change, i) => {
      const at = left + width * this.scale.map(change.step);
      if (!(at >= left && at <= left + width)) return;
      const mark = shape("path", { d: "M" + at + " " + top + "v" + height, stroke: "currentColor",
        "stroke-dasharray": "3 3", "stroke-width": 1 });
      const label = shape("text", { x: at + 3, y: top + 11, "font-size": 11,
        fill: "currentColor" });
      label.textContent = String(i + 1);
      flags.append(line !== null ? copyPath(line, mark) : mark, label);
    });
  }
}

function copyPath(from, to) {
  const made = from.cloneNode();
  made.setAttribute("d", to.getAttribute("d"));
  return made;
}
