/* SPDX-License-Identifier: MIT
 *
 * The drawing of a panel: lists of lines of SVG, one list for each moment.  Each line becomes an element once; a moment
 * puts together those that it has. */

class Drawing {
  constructor(panel, prefix) {
    this.panel = panel;
    this.prefix = prefix;
    this.made = new Map(); // elements of each line
    this.root = shape("svg", {
      viewBox: "0 0 " + panel.width + " " + panel.height, role: "img", "aria-label": panel.alt,
    });
    this.shown = -1;
  }

  /** Shows a moment; where there is no drawing of it, nothing. */
  show(i) {
    const shot = this.panel.shots[i] || [];
    const used = new Map();
    const inside = [document.createDocumentFragment()];
    this.make(shot);
    for (const number of shot) {
      if (this.panel.lines[number] === "</g>") {
        inside.pop();
        continue;
      }
      const time = used.get(number) || 0;
      const node = this.made.get(number)[time];
      used.set(number, time + 1);
      inside[inside.length - 1].appendChild(node);
      if (node.localName === "g") {
        node.textContent = "";
        inside.push(node);
      }
    }
    this.root.replaceChildren(inside[0]);
    this.shown = i;
  }

  /** Makes what a moment needs and is not there, all at once. */
  make(shot) {
    const wanted = new Map();
    const lacking = [];
    for (const number of shot) {
      const time = wanted.get(number) || 0;
      wanted.set(number, time + 1);
      if (this.panel.lines[number] !== "</g>" && time >= (this.made.get(number) || []).length)
        lacking.push(number);
    }
    if (lacking.length === 0) return;
    const text = lacking.map((number) => this.panel.lines[number].replace(/^(<g .*)>$/, "$1/>"));
    const parsed = new DOMParser().parseFromString(
      "<svg xmlns='" + SVG + "' xmlns:xlink='http://www.w3.org/1999/xlink'>" + text.join("") +
      "</svg>", "image/svg+xml");
    Array.from(parsed.documentElement.children).forEach((node, i) => {
      this.name(node);
      this.made.set(lacking[i], (this.made.get(lacking[i]) || []).concat(document.adoptNode(node)));
    });
  }

  /** Ids are those of this drawing alone: names of groups become data, and clips get another name. */
  name(node) {
    const clip = node.getAttribute("clip-path");
    if (node.localName === "clipPath") node.id = this.prefix + node.id;
    else if (node.id !== "") {
      node.setAttribute("data-name", node.id.replace(/^figure-1-?/, ""));
      node.removeAttribute("id");
    }
    if (clip !== null) node.setAttribute("clip-path", clip.replace("#", "#" + this.prefix));
  }

  /** The group of a name, or null. */
  group(name) {
    return Array.from(this.root.querySelectorAll("[data-name]"))
      .find((node) => node.getAttribute("data-name") === name) || null;
  }
}
