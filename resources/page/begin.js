/* SPDX-License-Identifier: MIT
 *
 * Begins the page. */

const KINDS = { run: showRun, lesson: showLesson };

readData().then((data) => {
  KINDS[data.kind](new Page(data));
  document.documentElement.dataset.ready = "";
});
