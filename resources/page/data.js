/* SPDX-License-Identifier: MIT
 *
 * What the page has, and elements of a document.  Texts are only ever set as text. */

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, texts and other elements in it. */
function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...content);
  return made;
}

/** The same in a drawing. */
function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Words of the page in its language, by their English; empty where it is English. */
const WORDS = {};

function word(text) {
  return WORDS[text] || text;
}

/** A sentence with values in the places of %s, %u and %.3g. */
function fillIn(sentence, ...values) {
  return sentence.replace(/%(\.\d)?[sug]/g,
    (place) => (values.length > 0 ? values.shift() : place));
}

/** A button that calls `act`; its content, one part or a list, is what it is called. */
function button(content, act, attributes) {
  const made = element("button", { type: "button", ...attributes }, ...[].concat(content));
  made.addEventListener("click", act);
  return made;
}

/** The object that the page was made with. */
async function readData() {
  const packed = atob(document.getElementById("data").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Offers a text as a file. */
function download(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { download: name, href });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** Puts a text on the clipboard; where the browser refuses, selects it to be copied by hand. */
async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (refused) {
    const range = document.createRange();
    range.selectNodeContents(field);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  }
}
