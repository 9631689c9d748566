/* SPDX-License-Identifier: MIT
 *
 * The page of a lesson. */
function showLesson(page) { page.root.textContent = "x"; }
