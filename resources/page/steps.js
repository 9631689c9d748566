/* SPDX-License-Identifier: MIT
 *
 * The page of a lesson: step after step, each question before what was recorded, marks by the
 * rules of core/run/answers, and the answers as the file that the window saves. */

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const bind = (text) => text.replace(/ (?=[%×])/g, "\u00a0"); // a unit stays beside its number
const paragraph = (kind, ...content) => element("p", { class: kind }, ...content);

/** Mean distance of a drawn curve from what was measured, x and y in turns, or undefined. */
function distance(curve, [from, to], measured) {
  let sum = 0;
  for (let i = 0; i < measured.length; i += 2) {
    const t = (measured[i] - from) / (to - from) * (POINTS - 1);
    const k = Math.floor(inside(t, 0, POINTS - 2));
    sum += Math.abs(measured[i + 1] - (curve[k] + (curve[k + 1] - curve[k]) * (t - k)));
  }
  return measured.length > 0 ? sum / (measured.length / 2) : undefined;
}

/** true: right; false: not; null: not marked. */
function markOf(answer) {
  if (answer === undefined) return null;
  if (answer.kind === "choice")
    return answer.right === undefined ? null : answer.right === answer.guess;
  const off = answer.kind === "curve" ? answer.off : Math.abs(answer.guess - answer.measured);
  return answer.tolerance === undefined || !Number.isFinite(off) ? null : off <= answer.tolerance;
}

/** The plots of one step; `open`: its question waits for an answer. */
class StepPlots extends Page {
  constructor(data, step, number, open) {
    super({ columns: data.columns, changes: step.changes });
    (step.panels || []).forEach((panel, i) => {
      if (open && step.ways[i].includes("withheld")) return;
      const made = new LessonPanel(panel, number + "-" + i, this);
      made.way = step.ways[i];
      if (i === step.asked) this.asked = made;
      this.panels.push(made);
    });
    const single = this.panels.length === 1 ? " single" : "";
    this.root = element("div", { class: "panels" + single }, ...this.panels.map((one) => one.root));
    this.mark(open ? step.began : null);
  }

  /** Shows what there was at an update, null: at the end, which notes and descriptions tell. */
  mark(at) {
    for (const panel of this.panels) {
      const note = panel.root.querySelector(".note");
      const { alt, title } = panel.panel;
      panel.drawing.root.setAttribute("aria-label", at === null ? alt : title);
      if (note !== null) note.classList.toggle("hidden", at !== null);
      if (panel.scale !== undefined)
        panel.grow(at === null || panel.way.includes("grows") ? at
          : panel.way.includes("empty") ? -Infinity : null);
    }
    super.mark(at);
  }
}

/** Moments of a step; `ended` is called once, when the last one is shown. */
class StepMoments extends Moments {
  show(i) {
    super.show(i);
    if (i + 1 < this.steps.length || this.ended === undefined) return;
    this.ended();
    this.ended = undefined;
  }
}

class Lesson {
  constructor(page) {
    this.data = page.data;
    this.root = page.root;
    this.file = JSON.parse(this.data.file);
    document.documentElement.lang = this.data.language;
    document.addEventListener("keydown", (event) => this.key(event));
    this.begin();
  }

  /** Anew, with options in another order. */
  begin() {
    this.guesses = this.data.steps.map(() => null); // null: none yet; {}: skipped; else { value }
    this.seen = new Set();
    this.orders = this.data.steps.map((step) => (step.question ? step.question.options : [])
      .map((unused, i) => [Math.random(), i]).sort((a, b) => a[0] - b[0]).map((pair) => pair[1]));
    this.at = 0;
    this.go(0);
  }

  /** The answer to a step as it is in the file; undefined: none. */
  answer(i) {
    const guess = this.guesses[i];
    if (guess === null || guess.value === undefined) return undefined;
    const made = Object.assign({}, this.asked(i), { guess: guess.value });
    if (made.kind === "curve")
      made.off = distance(made.guess, made.along, this.data.steps[i].question.measured);
    return made;
  }

  asked(i) {
    return this.file.answers.find((answer) => answer.step === i + 1);
  }

  waits(i) {
    const step = this.data.steps[i];
    return step !== undefined && step.question !== undefined && this.guesses[i] === null;
  }

  key(event) {
    const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    const held = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (by === undefined || held || event.defaultPrevented ||
      event.target.closest("input, .reads, [role=radio]") !== null) return;
    event.preventDefault();
    this.go(this.at + by);
  }

  go(i) {
    if (i < 0 || i > this.data.steps.length || (i > this.at && this.waits(this.at))) return;
    this.at = i;
    this.draw();
    scrollTo(0, 0);
    this.title.focus({ preventScroll: true });
  }

  draw() {
    const { steps, title } = this.data;
    const n = steps.length;
    const count = fillIn(word("%u of %u"), Math.min(this.at + 1, n), n);
    if (this.moments) this.moments.stop();
    this.moments = null;
    const over = this.at === n;
    const said = over ? word("The lesson is over") : steps[this.at].title;
    this.title = element("h2", { tabindex: -1 }, said);
    const next = button(word("Next"), () => this.go(this.at + 1),
      { class: "act", disabled: this.waits(this.at) });
    this.root.replaceChildren(
      element("header", { class: "lesson" }, element("h1", {}, title), paragraph("", count),
        element("progress", { max: n, value: this.at, "aria-hidden": "true" })),
      over ? this.drawEnd() : this.drawStep(steps[this.at]),
      element("nav", { class: "lesson", "aria-label": count },
        button(word("Back"), () => this.go(this.at - 1), { disabled: this.at === 0 }),
        over ? "" : next));
  }

  drawStep(step) {
    const open = this.waits(this.at);
    const plots = new StepPlots(this.data, step, this.at, open);
    this.result = element("p", { class: "result", role: "status", tabindex: -1 });
    const article = element("article", {},
      this.at === 0 ? paragraph("sentence", this.data.summary) : "", this.title,
      paragraph("text", bind(open ? step.before : step.text)),
      step.question !== undefined ? this.drawQuestion(step.question, plots, open) : "",
      this.result, plots.root);
    for (const note of open ? [] : step.notes) article.append(paragraph("note", note));
    if (step.moments !== undefined && step.moments.length > 1) this.drawMoments(step, plots, open);
    if (!open) this.reveal(step);
    return article;
  }

  /** What was recorded is played when a step is seen first, and what it says follows. */
  drawMoments(step, plots, open) {
    this.moments = new StepMoments(plots, step.moments);
    if (open) {
      this.moments.show(0);
      return;
    }
    plots.root.before(this.moments.root);
    if (this.seen.has(this.at) || calm()) return;
    this.seen.add(this.at);
    this.result.classList.add("later");
    this.moments.toggle();
    this.moments.ended = () => this.result.classList.remove("later");
  }

  drawQuestion(question, plots, open) {
    const asked = this.asked(this.at);
    const box = element("section", { class: "ask", "aria-label": question.prompt },
      paragraph("prompt", bind(question.prompt)));
    const skip = button(word("Skip"), () => this.take({}), { class: "skip" });
    const value = open ? undefined : this.guesses[this.at].value;
    if (asked.kind === "choice")
      box.append(this.drawOptions(question.options, open), open ? skip : "");
    else if (open) {
      this.act = button(word("Answer"), () => this.take({ value: this.drawn }), { class: "act" });
      this.draft(undefined);
      if (asked.kind === "number") box.append(this.drawNumber(question, asked.range));
      else if (plots.asked) new Sketch(plots.asked, asked, (values) => this.draft(values));
      box.append(paragraph("hint", question.hint),
        element("div", { class: "acts" }, this.act, skip));
    } else if (plots.asked && plots.asked.scale && value !== undefined)
      this.showGuess(plots.asked, asked, value);
    return box;
  }

  drawOptions(options, open) {
    const answer = this.answer(this.at);
    const mark = markOf(answer);
    return element("div", { class: "options" }, ...this.orders[this.at].map((i) => {
      const chosen = answer !== undefined && answer.guess === i + 1;
      const right = mark !== null && answer.right === i + 1;
      const about = { class: right ? "right" : chosen ? "chosen" : null, disabled: !open };
      return button(options[i], () => this.take({ value: i + 1 }), about);
    }));
  }

  /** What would be answered now; undefined: nothing yet. */
  draft(value) {
    this.drawn = value;
    this.act.disabled = value === undefined;
  }

  drawNumber(question, [min, max]) {
    const about = { min, max, value: ((min + max) / 2).toFixed(question.decimals) };
    const slide = element("input", Object.assign({ type: "range", step: question.step,
      "aria-label": question.prompt }, about));
    const field = element("input", Object.assign({ type: "number", step: "any",
      "aria-label": word("Your guess, exact value") }, about));
    const take = (from, to) => {
      this.draft(from.value === "" ? undefined : inside(Number(from.value), min, max));
      if (from.value !== "") to.value = from.value;
    };
    slide.addEventListener("input", () => take(slide, field));
    field.addEventListener("input", () => take(field, slide));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.act.click();
    });
    take(field, slide);
    return element("div", { class: "number" }, slide, field, element("span", {}, question.unit));
  }

  /** The guess beside what was measured: a curve, a level or a point. */
  showGuess(panel, asked, value) {
    const { x } = panel.panel;
    const { place, question } = this.data.steps[this.at];
    if (asked.kind === "curve") panel.showGuess(spread(...asked.along, POINTS), value, "");
    else if (panel.way.includes("grows"))
      panel.showGuess([x.lo, x.hi], [value, value], ": " + this.numberWords(value, question));
    else panel.showGuess([place], [value], ": " + this.numberWords(value, question));
  }

  take(guess) {
    this.guesses[this.at] = guess;
    this.draw();
    this.result.focus({ preventScroll: true });
  }

  /** The verdict, and what the lesson has to say. */
  reveal(step) {
    const answer = this.answer(this.at);
    const right = markOf(answer);
    const own = answer === undefined ? {}
      : { guess: [].concat(answer.guess).pop(), off: answer.off };
    const text = step.reveal.map((piece) => {
      const value = typeof piece === "string" ? NaN : piece.at + piece.by * own[piece.of];
      return typeof piece === "string" ? piece
        : Number.isFinite(value) ? value.toFixed(piece.decimals).replace(/^-(?=[0.]*$)/, "") : "…";
    }).join("");
    if (right !== null) this.result.append(element("strong", { class: right ? "right" : "" },
      word(right ? "Right." : "Not quite.")), " ");
    this.result.append(bind(text !== "" || answer === undefined ? text : this.tell(this.at)));
  }

  // ---- the end ----

  numberWords(value, { decimals, unit }) {
    return Number(value.toFixed(decimals + 2)) + (unit !== "" ? "\u00a0" + unit : "");
  }

  /** What was answered and measured. */
  tell(i) {
    const answer = this.answer(i);
    const { question } = this.data.steps[i];
    if (answer === undefined) return word("Skipped");
    if (answer.kind === "choice") return question.told[answer.guess - 1];
    return fillIn(question.told[0], answer.kind === "curve" ? numberText(answer.off, 3)
      : this.numberWords(answer.guess, question));
  }

  drawEnd() {
    const { steps, goal } = this.data;
    const questions = steps.map((step, i) => i).filter((i) => steps[i].question !== undefined);
    const marks = questions.map((i) => markOf(this.answer(i)));
    const marked = marks.filter((mark) => mark !== null);
    const list = questions.map((i, k) => {
      const [name, sign, kind] = marks[k] === null ? ["Not marked", "–", null]
        : marks[k] ? ["Right", "✓", "right"] : ["Not right", "✗", null];
      const mark = { role: "img", "aria-label": word(name), class: kind };
      return element("li", {}, element("span", mark, sign),
        element("div", {}, paragraph("", bind(steps[i].question.prompt)),
          paragraph("note", bind(this.tell(i)))));
    });
    return element("article", {}, this.title,
      marked.length > 0 ? paragraph("sentence", fillIn(word("%u of %u right"),
        marked.filter((mark) => mark).length, marked.length)) : "",
      ...list.length > 0 ? [element("h3", {}, word("What you answered")),
        element("ol", { class: "answers" }, ...list)] : [],
      ...goal !== "" ? [element("h3", {}, word("What you can do now")), paragraph("", goal)] : [],
      questions.some((i) => this.answer(i) !== undefined) ? this.drawSave() : "",
      button(word("Begin again"), () => this.begin(), { class: "again" }));
  }

  drawSave() {
    const field = element("input", { id: "who", autocomplete: "off", spellcheck: "false" });
    const told = element("p", { class: "note", role: "status" });
    const form = element("form", { class: "save" }, element("h3", {}, word("Save my answers")),
      paragraph("note", this.data.saving),
      element("label", { for: "who" }, word("Name or code")), field,
      element("button", { class: "act" }, word("Save my answers")), told);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const who = field.value.trim();
      const bytes = new TextEncoder().encode(who).length;
      const plain = Array.from(who).every((sign) => sign >= " " && sign !== "\u007f");
      const good = plain && bytes > 0 && bytes <= 60;
      const file = who.replace(/[/\\]/g, "-") + ".json";
      if (good) download(file, this.text(who), "application/json");
      told.textContent = good ? fillIn(word("Saved as %s. Give this file to your teacher."), file)
        : word("A name or code has 1 to 60 bytes, on one line.");
    });
    return form;
  }

  /** The file that the window saves, too. */
  text(who) {
    const answers = this.guesses.map((guess, i) => this.answer(i))
      .filter((answer) => answer !== undefined);
    return JSON.stringify(Object.assign({}, this.file, { name: who, answers })) + "\n";
  }
}

function showLesson(page) {
  Object.assign(WORDS, page.data.words);
  new Lesson(page);
}
