/* SPDX-License-Identifier: MIT
 *
 * A row for each run: sorted by any column, filtered by words and comparisons, selected by its
 * box. */

/** What a value is beside another, for each sign of the filter. */
const SIGNS = { "<": [-1], "<=": [-1, 0], ">": [1], ">=": [0, 1], "=": [0], "!=": [-1, 1] };

/** -1, 0 or 1; texts by the numbers in them. */
function compare(a, b) {
  return Math.sign(typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
}

/** What a word of the filter asks of a row: `k>2`, `gate=noisy`, or a text that it has. */
function readTest(word, fields) {
  const [, name, sign, text] = /^([^<>=!]+)(<=|>=|!=|=|<|>)(.+)$/.exec(word) || [];
  const at = fields.findIndex((field) => field.id.toLowerCase() === name);
  if (at < 0) return (row) => row.text.includes(word);
  return (row) => {
    const value = row.values[at];
    return value !== null && SIGNS[sign].includes(fields[at].number ? compare(value, Number(text))
      : compare(value.toLowerCase(), text));
  };
}

class Table {
  constructor(sweep, data) {
    this.sweep = sweep;
    this.fields = data.fields;
    this.filter = element("input", { type: "search", "aria-label": "Filter runs",
      placeholder: "Filter: words, " + this.fields[0].id + "=…" });
    this.says = element("output", {});
    this.all = element("input", { type: "checkbox", "aria-label": "Select the listed, or none" });
    this.body = element("tbody", {});
    this.heads = this.fields.map((field, i) => this.makeHead(field, i));
    this.rows = data.runs.map((run, i) => this.makeRow(run, i));
    this.filter.addEventListener("input", () => this.list());
    this.all.addEventListener("change",
      () => sweep.select(sweep.chosen.size > 0 ? [] : this.listed()));
    this.root = element("section", { class: "runs", "aria-label": "Runs" },
      element("div", { class: "tools" }, this.filter, this.says),
      element("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Table" },
        element("table", { "aria-label": "Runs" },
          element("thead", {}, element("tr", {}, element("th", {}, this.all), ...this.heads)),
          this.body)));
    this.body.append(...this.rows.map((row) => row.root));
  }

  makeHead(field, i) {
    const act = button(field.title, () => this.sort(i), { title: field.id });
    if (field.unit !== "") act.append(element("span", { class: "unit" }, " " + field.unit));
    return element("th", { scope: "col", class: field.number ? "number" : "" }, act);
  }

  makeRow(run, i) {
    const cells = run.values.map((value, f) =>
      (this.fields[f].number ? numberText(value, DIGITS) : value));
    const box = element("input", { type: "checkbox", "aria-label": "Select " + run.title });
    const root = element("tr", {}, element("td", {}, box), ...cells.map((text, f) =>
      element("td", { class: this.fields[f].number ? "number" : this.fields[f].id }, text)));
    box.addEventListener("change", () => this.sweep.toggle([i]));
    root.addEventListener("pointerenter", () => this.sweep.name([i]));
    root.addEventListener("pointerleave", () => this.sweep.name([]));
    // The last is the command, with words that all have.
    return { ...run, box, root, i, text: cells.slice(0, -1).join(" ").toLowerCase() };
  }

  /** Rising, at the second time falling; what has no value comes last. */
  sort(field) {
    const falls = this.heads[field].getAttribute("aria-sort") === "ascending";
    const sign = falls ? -1 : 1;
    this.heads.forEach((head) => head.removeAttribute("aria-sort"));
    this.heads[field].setAttribute("aria-sort", falls ? "descending" : "ascending");
    this.rows.sort((one, other) => {
      const [a, b] = [one.values[field], other.values[field]];
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * compare(a, b);
    });
    this.body.append(...this.rows.map((row) => row.root));
  }

  list() {
    const tests = this.filter.value.toLowerCase().split(/\s+/).filter((word) => word !== "")
      .map((word) => readTest(word, this.fields));
    for (const row of this.rows)
      row.root.classList.toggle("hidden", !tests.every((test) => test(row)));
    this.show();
  }

  listed() {
    return this.rows.filter((row) => !row.root.classList.contains("hidden")).map((row) => row.i);
  }

  /** What is selected, and how many runs are listed. */
  show() {
    const { chosen } = this.sweep;
    const listed = this.listed();
    for (const row of this.rows) {
      row.box.checked = chosen.has(row.i);
      row.root.classList.toggle("chosen", chosen.has(row.i));
    }
    this.all.checked = chosen.size > 0;
    this.all.indeterminate = chosen.size > 0 && chosen.size < this.rows.length;
    this.says.textContent = listed.length + " of " + this.rows.length + " runs" +
      (chosen.size > 0 ? ", " + chosen.size + " selected"
        : "; a point or boxes choose whose curves are shown");
  }

  name(runs) {
    for (const row of this.rows) row.root.classList.toggle("named", runs.includes(row.i));
  }
}
