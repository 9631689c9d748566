/* SPDX-License-Identifier: MIT
 *
 * Panels of runs that are compared: points that can be pointed at and chosen, and curves of
 * which the nearest is named.  `page.sweep` hears which runs that are, and tells all parts. */

const REACH = 40; // px of the drawing from the pointer to a point that it is at
const NAMES = 12; // curves whose names have room below a panel

/** The one with the least `size`, unless that is more than `most`; else null. */
function least(all, size, most) {
  const sized = all.map((one) => [size(one), one]).filter((pair) => pair[0] <= most);
  return sized.length > 0 ? sized.sort((a, b) => a[0] - b[0])[0][1] : null;
}

/** A trade-off, each point of which is a setting. */
class Trade extends Panel {
  read() {
    this.points = this.page.data.points.slice().sort((a, b) => a.x - b.x || a.y - b.y);
    this.rings = shape("g", { class: "cursor", "pointer-events": "none" });
    super.read();
    this.plot.setAttribute("aria-label", this.panel.title +
      ": arrow keys go from setting to setting, Enter selects its runs");
    for (const name of ["pointermove", "pointerdown"])
      this.plot.addEventListener(name, (event) => this.go(this.pick(event)));
    this.plot.addEventListener("click", (event) => this.choose(this.pick(event)));
  }

  /** The drawing's own legend has the markers. */
  addName() {}

  place(point) {
    const [left, , width] = this.panel.plot;
    return [left + width * this.scale.map(point.x), this.yAt(point.y)];
  }

  /** The point nearest to a pointer, or null. */
  pick(event) {
    const box = this.drawing.root.getBoundingClientRect();
    const factor = this.panel.width / box.width;
    const [x, y] = [(event.clientX - box.left) * factor, (event.clientY - box.top) * factor];
    return least(this.points, (point) => {
      const [cx, cy] = this.place(point);
      return Math.hypot(cx - x, cy - y);
    }, REACH);
  }

  go(point) {
    this.page.sweep.name(point !== null ? this.page.sweep.runsOf(point) : []);
  }

  choose(point) {
    if (point !== null) this.page.sweep.toggle(this.page.sweep.runsOf(point));
  }

  key(event) {
    const { points } = this;
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    const now = points.indexOf(this.point);
    const next = now < 0 && by < 0 ? points.length - 1 : now + by;
    if (by !== undefined) this.go(points[Math.min(points.length - 1, Math.max(0, next))]);
    else if ((event.key === "Enter" || event.key === " ") && now >= 0) this.choose(this.point);
    else return;
    event.preventDefault();
  }

  /** Pointer and focus left where x is null; otherwise it is the point that says something. */
  say(x) {
    if (x === null && this.page.sweep) this.page.sweep.name([]);
    this.select();
  }

  /** The point of these runs, if they are of one. */
  name(runs) {
    const has = new Set(runs.map((run) => this.page.data.runs[run].point));
    const point = has.size === 1 && this.points.find((one) => has.has(one.point));
    this.point = point || undefined;
    this.at.textContent = point ? point.text + (point.best ? "; on the front" : "") : "";
    this.select();
  }

  /** Rings around the point that is named, and around those of selected runs. */
  select() {
    this.rings.textContent = "";
    this.drawing.root.append(this.rings);
    const { sweep } = this.page;
    for (const point of this.points) {
      const chosen = sweep && sweep.runsOf(point).some((run) => sweep.chosen.has(run));
      if (!chosen && point !== this.point) continue;
      const [cx, cy] = this.place(point);
      this.rings.append(shape("circle", { cx, cy, r: chosen ? 10 : 8, fill: "none",
        stroke: chosen ? "var(--accent)" : "var(--ink)",
        "stroke-width": point === this.point ? 2.5 : 1.5 }));
    }
  }
}

/** Curves of runs. */
class Curves extends Panel {
  read() {
    this.named = [];
    for (const curve of this.curves) curve.run = parseInt(curve.id.slice("run-".length), 10) - 1;
    super.read();
    this.plot.addEventListener("pointermove", (event) => {
      const curve = this.pick(event);
      this.page.sweep.name(curve !== null ? [curve.run] : []);
    });
    this.select();
  }

  /** They stay the same, and are many. */
  parts(curve) {
    if (curve.groups === undefined) curve.groups = super.parts(curve);
    return curve.groups;
  }

  select() {
    const { sweep } = this.page;
    for (const curve of this.curves) {
      curve.hidden = sweep !== undefined && sweep.chosen.size > 0 && !sweep.chosen.has(curve.run);
      curve.button.setAttribute("aria-pressed", String(!curve.hidden));
      curve.button.classList.toggle("hidden", curve.hidden);
    }
    const shown = this.curves.filter((curve) => !curve.hidden).length;
    this.legend.classList.toggle("hidden", shown > NAMES);
    this.redraw();
  }

  pick(event) {
    const box = this.drawing.root.getBoundingClientRect();
    const y = (event.clientY - box.top) / box.width * this.panel.width;
    const x = this.x === undefined ? null : this.x;
    return least(this.curves.filter((curve) => !curve.hidden), (curve) => {
      const value = curve.y[this.sample(curve, x)];
      return value === null ? NaN : Math.abs(this.yAt(value) - y);
    }, Infinity);
  }

  say(x) {
    super.say(x);
    if (x === null && this.page.sweep) this.page.sweep.name([]);
    else this.sayNamed();
  }

  name(runs) {
    this.named = runs;
    this.plot.classList.toggle("naming",
      this.curves.some((curve) => !curve.hidden && runs.includes(curve.run)));
    for (const curve of this.curves)
      for (const group of this.parts(curve))
        group.classList.toggle("named", runs.includes(curve.run));
    super.say(this.x === undefined ? null : this.x);
    this.sayNamed();
  }

  /** The curve of the run that is named, with its value. */
  sayNamed() {
    const curve = this.curves.find((one) => one.run === this.named[0] && !one.hidden);
    if (this.named.length === 1 && curve)
      this.at.textContent = [this.at.textContent, curve.title + ": " + curve.value.textContent]
        .filter((words) => words !== "").join(" · ");
  }
}
