/* SPDX-License-Identifier: MIT
 *
 * The page: what it is about, its panels, and how to have the same again. */

class Page {
  constructor(data) {
    this.data = data;
    this.panels = [];
    this.root = document.querySelector("main");
  }

  addHead() {
    const { data } = this;
    this.root.append(element("h1", {}, data.title),
      element("p", { class: "sentence" }, data.sentence));
    if (data.caption) this.root.append(element("p", { class: "caption" }, data.caption));
  }

  /** Makes panels and puts them into a grid, which is returned. */
  addPanels(panels, Kind = Panel) {
    const made = panels.map((panel, i) => new Kind(panel, this.panels.length + i, this));
    this.panels.push(...made);
    return element("div", { class: "panels" }, ...made.map((panel) => panel.root));
  }

  /** Panels over the same x as one of them. */
  along(panel) {
    return this.panels.filter((one) => one === panel || (one.scale !== undefined &&
      !one.panel.bars && !panel.panel.bars && one.panel.x.label === panel.panel.x.label));
  }

  /** The pointer is at x, null: nowhere. */
  point(panel, x) {
    for (const one of this.along(panel)) {
      one.x = x === null ? this.marked : x;
      one.say(one.x === undefined ? null : one.x);
    }
  }

  zoom(panel, wanted) {
    this.along(panel).forEach((one) => one.zoomTo(wanted));
  }

  /** The update that the moments are at, null: the end. */
  mark(step) {
    this.marked = step;
    for (const one of this.panels)
      if (one.scale !== undefined && one.panel.steps) {
        one.x = step;
        one.say(step);
      }
  }

  /** How what is shown was made. */
  addHint() {
    const { moments } = this.data;
    const curves = [].concat(...this.panels.map((panel) => panel.curves));
    const every = Math.max(1, ...curves.map((curve) => curve.every));
    const smooth = this.panels.filter((panel) => panel.curves.some((curve) => curve.smooth));
    const share = Math.max(0, ...smooth.map((panel) => panel.panel.share));
    const says = ["Point at a plot to read it, drag to zoom, double-click for the whole; " +
      "names switch curves."];
    if (share > 0) says.push("Noisy curves are means over " + numberText(100 * share, 2) +
      " % of the width, with their values pale behind; what is read are the values.");
    if (every > 1) says.push("Long curves have every " + every + "th value or more.");
    if (moments && moments.length > 1)
      says.push(moments.length + " moments, evenly along the run.");
    this.root.append(element("p", { class: "hint" }, says.join(" ")));
  }

  addChanges() {
    if (!this.data.changes || this.data.changes.length === 0) return;
    this.root.append(element("ol", { class: "changes", "aria-label": "Changes during the run" },
      ...this.data.changes.map((change) =>
        element("li", {}, "Update " + countText(change.step) + ": " + change.text))));
  }

  /** How to have the same again. */
  addBack() {
    const list = element("dl", {});
    const recipe = document.getElementById("sluice-recipe");
    const add = (title, text) => {
      const field = element("code", {}, text);
      const act = button("Copy", async () => {
        act.textContent = await copy(text, field) ? "Copied" : "Selected";
      }, { "aria-label": "Copy: " + title });
      list.append(element("dt", {}, title), element("dd", {}, field, act));
    };
    if (this.data.state) add("In Sluice, as a state line", this.data.state);
    if (this.data.command) add("On a command line", this.data.command);
    if (recipe !== null) {
      const act = button("Copy the recipe", async () => {
        const hidden = element("code", {}, recipe.textContent);
        list.append(hidden);
        const copied = await copy(recipe.textContent, hidden);
        act.textContent = copied ? "Recipe copied" : "Recipe selected";
        if (copied) hidden.remove();
      });
      list.append(element("dt", { class: "alone" }, "Or drop this page on Sluice's window"),
        element("dd", { class: "alone" }, act));
    }
    this.root.append(element("section", { class: "back", "aria-label": "The same again" },
      element("h2", {}, "The same again"), list));
  }
}
