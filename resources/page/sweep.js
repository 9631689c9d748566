/* SPDX-License-Identifier: MIT
 *
 * The page of runs that are compared.  What is selected, and what the pointer is at, is the same in all of its parts. */

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
    page.addBack();
    this.addCommands();
    this.select([]);
    this.name([]);
  }

  has(run) {
    return this.chosen.has(run);
  }

  /** The runs of a point. */
  runsOf(point) {
    return this.page.data.runs.map((run, i) => (run.point === point.point ? i : -1)).filter((i) => i >= 0);
  }

  /** Selects runs, or takes them out where all of them are selected. */
  toggle(runs) {
    const all = runs.every((run) => this.has(run));
    this.select([...this.chosen].filter((run) => !runs.includes(run)).concat(all ? [] : runs));
  }

  select(runs) {
    this.chosen = new Set(runs);
    this.table.show();
    for (const panel of this.page.panels) if (panel instanceof Curves) panel.select(); else panel.draw();
    this.showCommands();
  }

  /** The pointer is at these runs. */
  name(runs) {
    for (const part of [this.table, ...this.page.panels]) part.name(runs);
  }

  addCommands() {
    this.commands = element("code", {});
    this.none = element("p", { class: "hint" }, "Select runs in the table to have the command of each.");
    const act = button("Copy", async () => {
      act.textContent = await copy(this.commands.textContent, this.commands) ? "Copied" : "Selected";
    }, { "aria-label": "Copy the commands" });
    this.page.root.querySelector(".back dl").append(
      element("dt", {}, "The selected runs on a command line"), this.none,
      this.given = element("dd", {}, this.commands, act));
  }

  showCommands() {
    const runs = this.page.data.runs.filter((run, i) => this.has(i));
    this.commands.textContent = runs.map((run) => run.command).filter((text) => text !== "").join("\n");
    this.given.classList.toggle("hidden", runs.length === 0);
    this.none.classList.toggle("hidden", runs.length > 0);
  }
}
