/* SPDX-License-Identifier: MIT
 *
 * Plots of a lesson: curves that grow with the run, and guesses on them. */

const POINTS = 33; // of a drawn curve
const inside = (value, lo, hi) => Math.min(hi, Math.max(lo, value));
const spread = (from, to, n) => range(0, n - 1).map((i) => from + (to - from) * i / (n - 1));

/** A panel that shows its curves up to an update, and a guess as a dashed line. */
class LessonPanel extends Panel {
  /** `until`: an update; null: all. */
  grow(until) {
    this.until = until;
    this.cut();
    this.say(this.x === undefined ? null : this.x);
  }

  /** Shows a guess: a curve, or a point. */
  showGuess(xs, ys, words) {
    this.guess = { xs, ys };
    if (this.named === undefined) {
      const sample = shape("svg", { viewBox: "0 0 22 10", "aria-hidden": "true" });
      sample.append(shape("path", { d: "M0 5H22", class: "guess" }));
      this.named = element("span", { class: "named" }, sample, word("your guess") + words);
      this.legend.append(this.named);
    }
    this.cut();
  }

  sample(curve, x) {
    let i = super.sample(curve, x);
    if (typeof this.until === "number") while (i >= 0 && curve.xs[i] > this.until) i--;
    return i;
  }

  redraw() {
    super.redraw();
    this.cut();
  }

  /** Each curve ends at its last value up to the update that is shown: a line on tells the next. */
  cut() {
    const [left, top, width, height] = this.panel.plot;
    const viewBox = this.panel.plot.slice(0, 4).join(" ");
    if (this.over !== undefined) this.over.remove();
    this.over = shape("svg", { x: left, y: top, width, height, viewBox });
    this.curves.forEach((curve, k) => {
      const i = this.sample(curve, null);
      this.cutAt(this.parts(curve), i < 0 ? 0 : this.scale.map(curve.xs[i]), k);
    });
    const markers = this.drawing.group("markers");
    if (markers !== null) this.cutAt([markers], this.scale.map(this.until), "markers");
    if (this.guess !== undefined) {
      const { xs, ys } = this.guess;
      const [cx, cy] = [left + width * this.scale.map(xs[0]), this.yAt(ys[0])];
      this.over.append(xs.length > 1 ? shape("path", { d: this.path(xs, ys), class: "guess" })
        : shape("circle", { cx, cy, r: 6, class: "guess" }));
    }
    this.drawing.root.append(this.over);
  }

  /** Groups end at a share of the width, unless all is shown. */
  cutAt(groups, share, name) {
    const [left, top, width, height] = this.panel.plot;
    const all = typeof this.until !== "number";
    const id = this.drawing.prefix + "cut" + name;
    const clip = shape("clipPath", { id });
    clip.append(shape("rect", { x: left, y: top - 2, width: width * inside(share, 0, 1) || 0,
      height: height + 4 }));
    if (!all) this.over.append(clip);
    for (const group of groups) group.style.clipPath = all ? "" : "url(#" + id + ")";
  }
}

/** Draws a guess on a panel with pointer or arrow keys; `changed` is called with its values. */
class Sketch {
  constructor(panel, asked, changed) {
    this.panel = panel;
    [[this.lo, this.hi], [this.from, this.to]] = [asked.range, asked.along];
    this.changed = changed;
    this.values = new Array(POINTS).fill((this.lo + this.hi) / 2);
    this.places = spread(this.from, this.to, POINTS);
    this.at = POINTS >> 1;
    panel.plot.classList.add("sketch");
    const { down, move, up, key } = this;
    const acts = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up,
      pointerleave: up, dblclick: up, keydown: key };
    for (const [name, act] of Object.entries(acts))
      panel.root.addEventListener(name, (event) => {
        if (panel.plot.contains(event.target) && act.call(this, event) !== false)
          event.stopPropagation();
      }, true); // before the panel, which reads and zooms
    panel.showGuess(this.places, this.values, "");
  }

  take() {
    this.panel.showGuess(this.places, this.values, "");
    this.changed(this.values);
  }

  down(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.panel.plot.focus();
    this.panel.plot.setPointerCapture(event.pointerId);
    this.last = this.where(event);
    this.draw(this.last);
  }

  move(event) {
    if (this.last !== undefined) this.draw(this.where(event));
  }

  up(event) {
    if (event.type !== "pointerleave") this.last = undefined;
  }

  /** x and y of the data at a place on the screen, inside of the plot. */
  where(event) {
    const { drawing, panel, scale } = this.panel;
    const box = drawing.root.getBoundingClientRect();
    const [left, top, width, height] = panel.plot;
    const x = ((event.clientX - box.left) / box.width * panel.width - left) / width;
    const y = ((event.clientY - box.top) / box.height * panel.height - top) / height;
    return [inside(scale.unmap(inside(x, 0, 1)), this.from, this.to),
      this.hi + (this.lo - this.hi) * inside(y, 0, 1)];
  }

  /** All between two points of the stroke follows the line between them. */
  draw([x, y]) {
    const [oldX, oldY] = this.last;
    const half = (this.to - this.from) / (POINTS - 1) / 2;
    this.values = this.values.map((value, i) => {
      const at = this.places[i];
      if (at < Math.min(x, oldX) - half || at > Math.max(x, oldX) + half) return value;
      if (Math.abs(x - oldX) <= half) return y;
      return oldY + (y - oldY) * inside((at - oldX) / (x - oldX), 0, 1);
    });
    this.last = [x, y];
    this.take();
  }

  /** Arrow keys choose a place and bend the curve there, a little with Shift. */
  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const bend = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey || (!by && !bend)) return false;
    event.preventDefault();
    if (by) this.at = inside(this.at + by, 0, POINTS - 1);
    else this.bend(bend * (this.hi - this.lo) / (event.shiftKey ? 100 : 20));
    const said = [this.places[this.at], this.values[this.at]].map((value) => numberText(value, 3));
    this.panel.at.textContent = fillIn(word("Your guess at %s: %s"), ...said);
    this.panel.draw(this.places[this.at]);
    return true;
  }

  bend(by) {
    this.values = this.values.map((value, i) => {
      const away = Math.abs(i - this.at) / 8;
      const part = away < 1 ? 0.5 * (1 + Math.cos(Math.PI * away)) : 0;
      return inside(value + by * part, this.lo, this.hi);
    });
    this.take();
  }
}
