/* SPDX-License-Identifier: MIT
 *
 * The drawing of a panel: lists of lines of SVG, one list for each moment.  A line becomes an
 * element once in each group; a group that is at the next moment as it is stays untouched. */

class Drawing {
  constructor(panel, prefix) {
    this.panel = panel;
    this.prefix = prefix;
    this.trees = [];
    this.made = new WeakMap(); // of each group: elements of each line
    this.root = shape("svg", {
      viewBox: "0 0 " + panel.width + " " + panel.height, role: "img", "aria-label": panel.alt,
    });
  }

  /** Shows a moment; where there is no drawing of it, nothing. */
  show(i) {
    this.fill(this.root, this.tree(i));
  }

  /** The lines of a moment as groups in groups: what is in a group, and a key that says what. */
  tree(i) {
    if (this.trees[i] !== undefined) return this.trees[i];
    const open = [{ parts: [] }];
    for (const number of this.panel.shots[i] || []) {
      const line = this.panel.lines[number];
      const { parts } = open[open.length - 1];
      if (line === "</g>") Drawing.seal(open.pop());
      else {
        parts.push({ number, parts: [], key: "" });
        if (line.startsWith("<g ")) open.push(parts[parts.length - 1]);
      }
    }
    this.trees[i] = Drawing.seal(open[0]);
    return this.trees[i];
  }

  static seal(group) {
    group.key = group.parts.map((part) => part.number + "(" + part.key + ")").join(",");
    return group;
  }

  /** Makes the elements of a moment, to be shown later. */
  prepare(i) {
    const prepare = (host, group) => this.nodesOf(host, group, prepare);
    prepare(this.root, this.tree(i));
  }

  /** Puts into an element what its group has. */
  fill(host, group) {
    if (this.madeOf(host).key === group.key) return;
    host.replaceChildren(...this.nodesOf(host, group, (node, part) => this.fill(node, part)));
    this.madeOf(host).key = group.key;
  }

  madeOf(host) {
    if (!this.made.has(host)) this.made.set(host, { key: "", nodes: new Map() });
    return this.made.get(host);
  }

  /** The elements of a group in their order; `act` is called for each group among them. */
  nodesOf(host, group, act) {
    const { nodes } = this.madeOf(host);
    const used = new Map();
    this.make(nodes, group.parts);
    return group.parts.map((part) => {
      const time = used.get(part.number) || 0;
      const node = nodes.get(part.number)[time];
      used.set(part.number, time + 1);
      if (node.localName === "g") act(node, part);
      return node;
    });
  }

  /** Makes what a group needs and does not have, all at once. */
  make(nodes, parts) {
    const wanted = new Map();
    const lacking = [];
    for (const { number } of parts) {
      const time = wanted.get(number) || 0;
      wanted.set(number, time + 1);
      if (time >= (nodes.get(number) || []).length) lacking.push(number);
    }
    if (lacking.length === 0) return;
    const text = lacking.map((number) => this.panel.lines[number].replace(/^(<g .*)>$/, "$1/>"));
    const parsed = new DOMParser().parseFromString("<svg xmlns='" + SVG +
      "' xmlns:xlink='http://www.w3.org/1999/xlink'>" + text.join("") + "</svg>", "image/svg+xml");
    Array.from(parsed.documentElement.children).forEach((node, i) => {
      this.name(node);
      nodes.set(lacking[i], (nodes.get(lacking[i]) || []).concat(document.adoptNode(node)));
    });
  }

  /** The group is about to be changed by hand, and is to be filled anew. */
  forget(host) {
    if (this.made.has(host)) this.made.get(host).key = null;
    if (host !== this.root && host.parentNode !== null) this.forget(host.parentNode);
  }

  /** Ids are those of this drawing alone: names of groups become data, clips get another name. */
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
