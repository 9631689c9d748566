/* SPDX-License-Identifier: MIT
 *
 * The moments of a run: a slider over its updates, play, and the examples that pictures of one
 * example have. */

const PLAY_MS = 350;

class Moments {
  constructor(page, steps) {
    this.page = page;
    this.steps = steps;
    this.at = steps.length - 1;
    this.panels = page.panels.filter((panel) => panel.panel.views !== undefined);
    this.panels.forEach((panel) => this.addExamples(panel));
    this.slider = element("input", { type: "range", min: 0, max: this.at, value: this.at, step: 1,
      "aria-label": word("Moment of the training") });
    this.says = element("output", {});
    this.button = button(word("Play"), () => this.toggle());
    this.slider.addEventListener("input", () => {
      this.stop();
      this.show(Number(this.slider.value));
    });
    this.root = element("div", { class: "time" },
      ...(this.at > 0 ? [this.button, this.slider] : ["Pictures of"]), this.says);
    this.show(this.at);
    this.prepare(this.steps.length - 1);
  }

  /** Makes one moment after the other, the last first, while the page has nothing else to do. */
  prepare(i) {
    const idle = window.requestIdleCallback || ((act) => setTimeout(act, 50));
    if (i < 0) return;
    idle(() => {
      for (const panel of this.panels) panel.drawing.prepare(panel.view * this.steps.length + i);
      this.prepare(i - 1);
    });
  }

  addExamples(panel) {
    const names = panel.panel.views;
    panel.view = 0;
    if (names.length < 2) return;
    const choices = element("div", { class: "examples", role: "radiogroup",
      "aria-label": "Example" });
    panel.choices = names.map((name, i) => {
      const choice = button((i + 1) + (name !== "" ? " " + name : ""), () => this.choose(panel, i),
        { role: "radio", "aria-checked": String(i === 0), tabindex: i === 0 ? 0 : -1 });
      choices.append(choice);
      return choice;
    });
    choices.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.choose(panel, (panel.view + by + names.length) % names.length);
      panel.choices[panel.view].focus();
    });
    panel.root.querySelector("header").after(choices);
  }

  choose(panel, view) {
    panel.view = view;
    panel.choices.forEach((choice, i) => {
      choice.setAttribute("aria-checked", String(i === view));
      choice.tabIndex = i === view ? 0 : -1;
    });
    this.show(this.at);
    this.prepare(this.steps.length - 1);
  }

  /** Shows a moment in all panels that have it; the others mark its update. */
  show(i) {
    this.at = i;
    this.slider.value = i;
    this.says.textContent = fillIn(word("update %s"), countText(this.steps[i]));
    this.slider.setAttribute("aria-valuetext", this.says.textContent);
    const past = i + 1 < this.steps.length;
    for (const panel of this.panels) panel.turn(panel.view * this.steps.length + i, past);
    this.page.mark(past ? this.steps[i] : null);
  }

  toggle() {
    if (this.timer !== undefined) {
      this.stop();
      return;
    }
    if (this.at + 1 >= this.steps.length) this.show(0);
    this.button.textContent = word("Pause");
    this.timer = setInterval(() => {
      if (this.at + 1 < this.steps.length) this.show(this.at + 1);
      if (this.at + 1 >= this.steps.length) this.stop();
    }, PLAY_MS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.button.textContent = word("Play");
  }
}
