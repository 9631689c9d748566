/* SPDX-License-Identifier: MIT
 *
 * The page of runs that are compared.  What is selected, and what the pointer is at, is the same
 * in all of its parts. */

class Sweep {
  constructor(page) {
    const { data } = page;
    this.page = page;
    this.chosen = new Set();
    page.addHead();
    const trade = page.addPanels(data.trade, Trade);
    trade.classList.add("compares");
    trade.append(...page.addPanels(data.panels, Curves).children);
    page.sweep = this;
    this.table = new Table(this, data);
    page.root.append(trade, this.table.root);
    page.addHint();
    if (data.command !== "") page.addBack();
    this.select([]);
    this.name([]);
  }

  /** The runs of a point. */
  runsOf(point) {
    return range(0, this.page.data.runs.length - 1)
      .filter((run) => this.page.data.runs[run].point === point.point);
  }

  /** Selects runs, or takes them out where all of them are selected. */
  toggle(runs) {
    const all = runs.every((run) => this.chosen.has(run));
    const others = [...this.chosen].filter((run) => !runs.includes(run));
    this.select(all ? others : others.concat(runs));
  }

  select(runs) {
    this.chosen = new Set(runs);
    this.table.show();
    this.page.panels.forEach((panel) => panel.select());
  }

  /** The pointer is at these runs. */
  name(runs) {
    for (const part of [this.table, ...this.page.panels]) part.name(runs);
  }
}
