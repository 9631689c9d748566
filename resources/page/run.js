/* SPDX-License-Identifier: MIT
 *
 * The page of a run: its panels, moments and changes. */

function showRun(page) {
  const { data } = page;
  page.addHead();
  const panels = page.addPanels(data.panels);
  if (data.moments.length > 0) page.root.append(new Moments(page, data.moments).root);
  page.root.append(panels);
  page.addChanges();
  page.addHint();
  page.addBack();
}
