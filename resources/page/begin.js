/* SPDX-License-Identifier: MIT
 *
 * Begins the page. */

const KINDS = {
  run: showRun, lesson: showLesson, sweep: (page) => new Sweep(page),
};

readData().then((data) => {
  KINDS[data.kind](new Page(data));
  document.documentElement.dataset.ready = "";
}).catch((error) => {
  const says = "This page cannot be drawn here; a browser of 2023 or later can.";
  document.querySelector("main").append(element("p", {}, says + " (" + error.message + ")"));
  throw error;
});
