/* SPDX-License-Identifier: MIT
 *
 * Begins the page. */

const KINDS = { run: showRun, sweep: (page) => new Sweep(page) };

readData().then((data) => {
  KINDS[data.kind](new Page(data));
  document.documentElement.dataset.ready = "";
});
