/* SPDX-License-Identifier: MIT
 *
 * Panels of runs that are compared: points that can be pointed at and chosen, and curves of which the nearest is named.
 * `page.sweep` is told which runs the pointer is at, and tells all panels. */

const REACH = 40; // px of the drawing from the pointer to a point that it is at
const NAMES = 12; // curves whose names have room below a panel

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

  xAt() {
    return 0;
  }

  place(point) {
    const [left, , width] = this.panel.plot;
    return [left + width * this.scale.map(point.x), this.yAt(point.y)];
  }

  /** The point nearest to a pointer, or null. */
  pick(event) {
    const box = this.drawing.root.getBoundingClientRect();
    const factor = this.panel.width / box.width;
    const away = (point) => {
      const [x, y] = this.place(point);
      return Math.hypot(x - (event.clientX - box.left) * factor, y - (event.clientY - box.top) * factor);
    };
    const best = this.points.reduce((a, b) => (a !== null && away(a) <= away(b) ? a : b), null);
    return best !== null && away(best) <= REACH ? best : null;
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
    if (by !== undefined && points.length > 0)
      this.go(points[Math.min(points.length - 1, Math.max(0, now < 0 && by < 0 ? points.length - 1 : now + by))]);
    else if ((event.key === "Enter" || event.key === " ") && now >= 0) this.choose(this.point);
    else return;
    event.preventDefault();
  }

  /** Pointer and focus left where x is null; otherwise it is the point that says something. */
  say(x) {
    if (x === null && this.page.sweep) this.page.sweep.name([]);
    this.draw();
  }

  /** The point of these runs, if they are of one. */
  name(runs) {
    const has = new Set(runs.map((run) => this.page.data.runs[run].point));
    this.point = has.size === 1 ? this.points.find((point) => has.has(point.point)) : undefined;
    this.at.textContent = this.point ? this.point.text + (this.point.best ? "; on the front" : "") : "";
    this.draw();
  }

  /** A ring around the point that is named, and around those of selected runs. */
  draw() {
    this.rings.textContent = "";
    this.drawing.root.append(this.rings);
    for (const point of this.points) {
      const chosen = this.page.sweep && this.page.sweep.runsOf(point).some((run) => this.page.sweep.has(run));
      if (!chosen && point !== this.point) continue;
      const [cx, cy] = this.place(point);
      this.rings.append(shape("circle", { cx, cy, r: chosen ? 10 : 8, fill: "none",
        stroke: chosen ? "var(--accent)" : "var(--ink)", "stroke-width": point === this.point ? 2.5 : 1.5 }));
    }
  }
}

/** Curves of runs. */
class Curves extends Panel {
  read() {
    for (const curve of this.curves) curve.run = parseInt(curve.id.slice("run-".length), 10) - 1;
    super.read();
    this.plot.setAttribute("aria-label", this.plot.getAttribute("aria-label") +
      ", arrows up and down go from curve to curve");
    this.plot.addEventListener("pointermove", (event) => this.go(this.pick(event)));
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
      curve.hidden = sweep !== undefined && sweep.chosen.size > 0 && !sweep.has(curve.run);
      curve.button.setAttribute("aria-pressed", String(!curve.hidden));
      curve.button.classList.toggle("hidden", curve.hidden);
    }
    this.few = this.curves.filter((curve) => !curve.hidden).length <= NAMES;
    this.legend.classList.toggle("hidden", !this.few);
    this.redraw();
  }

  /** Those that have a value at x, from the highest down. */
  ranked() {
    const at = (curve) => curve.y[this.sample(curve, this.x === undefined ? null : this.x)];
    return this.curves.filter((curve) => !curve.hidden && Number.isFinite(at(curve)))
      .map((curve) => [at(curve), curve]).sort((a, b) => b[0] - a[0]);
  }

  pick(event) {
    const box = this.drawing.root.getBoundingClientRect();
    const y = (event.clientY - box.top) / box.width * this.panel.width;
    const away = (value) => Math.abs(this.yAt(value) - y);
    const best = this.ranked().reduce((a, b) => (a !== null && away(a[0]) <= away(b[0]) ? a : b), null);
    return best !== null ? best[1] : null;
  }

  go(curve) {
    this.page.sweep.name(curve !== null ? [curve.run] : []);
  }

  key(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) {
      super.key(event);
      return;
    }
    const curves = this.ranked().map((pair) => pair[1]);
    const now = curves.findIndex((curve) => this.named.includes(curve.run));
    event.preventDefault();
    if (curves.length > 0) this.go(curves[Math.min(curves.length - 1, Math.max(0, now + by))]);
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
      this.parts(curve).forEach((group) => group.classList.toggle("named", runs.includes(curve.run)));
    super.say(this.x === undefined ? null : this.x);
    this.sayNamed();
  }

  /** The curve of the run that is named, with its value. */
  sayNamed() {
    if (!this.named || this.named.length !== 1) return;
    const said = this.curves.filter((curve) => curve.run === this.named[0] && !curve.hidden)
      .map((curve) => curve.title + ": " + curve.value.textContent);
    this.at.textContent = [this.at.textContent].concat(said).filter((word) => word !== "").join(" · ");
  }
}
