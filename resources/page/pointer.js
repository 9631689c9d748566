/* SPDX-License-Identifier: MIT
 *
 * Mouse, pen and fingers on the plot of a panel: moving reads, dragging with a mouse chooses a
 * range, two fingers zoom, a double click shows all. */

class Pointer {
  constructor(panel) {
    this.panel = panel;
    this.fingers = new Map(); // place along x of each
    this.chosen = shape("rect", { fill: "var(--accent)", "fill-opacity": 0.2,
      "pointer-events": "none" });
    for (const [name, act] of Object.entries({ pointerdown: this.down, pointermove: this.move,
      pointerup: this.up, pointercancel: this.cancel, pointerleave: this.leave,
      dblclick: this.whole }))
      panel.plot.addEventListener(name, act.bind(this));
  }

  down(event) {
    this.fingers.set(event.pointerId, event.clientX);
    if (event.button !== 0) return;
    if (event.pointerType === "mouse" && this.panel.zooms) {
      this.begun = event.clientX;
      this.panel.plot.setPointerCapture(event.pointerId);
    } else this.read(event);
  }

  move(event) {
    const before = this.spread();
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, event.clientX);
    if (this.fingers.size === 2 && before > 0) this.pinch(before);
    else if (this.begun !== undefined && Math.abs(event.clientX - this.begun) > 4)
      this.choose(event.clientX);
    else this.read(event);
  }

  read(event) {
    const x = this.panel.xAt(event.clientX);
    this.panel.chooseRow(event.clientY, x);
    this.panel.page.point(this.panel, x);
  }

  up(event) {
    const { begun, panel } = this;
    this.cancel(event);
    if (begun === undefined || Math.abs(event.clientX - begun) <= 4) return;
    const ends = [this.valueAt(begun), this.valueAt(event.clientX)].sort((a, b) => a - b);
    panel.page.zoom(panel, ends);
  }

  cancel(event) {
    this.fingers.delete(event.pointerId);
    this.begun = undefined;
    this.chosen.remove();
  }

  leave(event) {
    if (event.pointerType === "mouse" && this.begun === undefined)
      this.panel.page.point(this.panel, null);
  }

  whole() {
    this.panel.page.zoom(this.panel, null);
  }

  /** px between two fingers. */
  spread() {
    const [a, b] = Array.from(this.fingers.values());
    return this.fingers.size === 2 ? Math.abs(a - b) : 0;
  }

  pinch(before) {
    const [a, b] = Array.from(this.fingers.values());
    const now = this.spread();
    if (this.panel.zooms && now > 0) this.panel.zoomBy(before / now, this.valueAt((a + b) / 2));
  }

  /** px of the drawing at a place on the screen, inside the plot. */
  placeAt(clientX) {
    const box = this.panel.drawing.root.getBoundingClientRect();
    const { plot, width } = this.panel.panel;
    const at = (clientX - box.left) / box.width * width;
    return Math.min(plot[0] + plot[2], Math.max(plot[0], at));
  }

  valueAt(clientX) {
    const [left, , width] = this.panel.panel.plot;
    return this.panel.scale.unmap((this.placeAt(clientX) - left) / width);
  }

  choose(clientX) {
    const [, top, , height] = this.panel.panel.plot;
    const [a, b] = [this.placeAt(this.begun), this.placeAt(clientX)].sort((x, y) => x - y);
    for (const [key, value] of Object.entries({ x: a, y: top, width: b - a, height }))
      this.chosen.setAttribute(key, value);
    this.panel.drawing.root.append(this.chosen);
  }
}
