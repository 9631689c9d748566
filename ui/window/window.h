/* SPDX-License-Identifier: MIT
 *
 * The main window: sidebar, plots, messages and status of one session.
 *
 * Everything it can do is an action (win.*), so that keys, menus, scripts on the bus and tests
 * all go the same way:
 *   run, pause, toggle, step, rewind, reseed        the run
 *   set (ss: id, value as typed on a command line), data (s: specification), seed (t), limit (t),
 *   lab (s)                                         what runs
 *   glance, closer (s: lab), role (sd: letter, value)
 *                                                   the start page; run … reseed act on all of it
 *   rescue, rescue-halve, rescue-to (t: step)       after divergence, or from trouble
 *   save, save-as, save-to (s: file), resume (s: name of a stored run), store-retry, store-elsewhere
 *                                                   the present run in a file, and stored ones
 *   undo, undo-rewind, undo-to (u: how many changes), redo, run-before (s: its name), timeline (toggle), visit (t: step), present-state
 *                                                   changes taken back, and earlier checkpoints
 *   twin (toggle), twin-side (s: a, b)              two runs of one seed, and which of them is edited
 *   open, restore (s: file)                         data files and figures with a recipe
 *   export, export-to (s: file), copy               the focused plot, or all
 *   save-picture, save-picture-to (s: file)         the picture that the run makes, if it makes one
 *   save-network, save-network-to (s: file)               the network of choices, if the lab has one
 *   copy-state, enter-state, state (s: a line)      the beginning of a run as a line of text
 *   print, print-to (s: file)                       the plot that fills the page or has the focus, or all
 *   sweep (s: id)                                   a sweep that the lab suggests, set up
 *   pin, unpin                                      curves of this run behind those to come
 *   lessons                                         the list of lessons
 *   lesson (s: id or path), lesson-go-on (s: id), lesson-next, lesson-back, lesson-leave, lesson-resume,
 *   lesson-answer (s: as sl_lesson_player_answer()), lesson-ask-again, lesson-earlier (toggle)
 *   class, class-files (as: files)                  answers of a class to a lesson
 *   lesson-notes, lesson-print, lesson-worksheet, lesson-key, lesson-questions, lesson-page (each s: id or path, or
 *                                                   "", the lesson that is taken), lesson-cheat-sheet
 *   lesson-start, lesson-worksheet-to (s: file), lesson-save-answers, lesson-save-answers-to (ss: name, file)
 *   lesson-save-step, lesson-save-step-to (sss: file, title, text)
 *                                                   lessons (ui/lesson/player.h)
 *   maximise (s: panel, or ""), sidebar, fullscreen the look
 *   front                                           the picture of the lab alone, and back
 *   present, present-second                         large, for an audience; on another screen
 *   type-larger, type-smaller, type-usual           the size of all text
 *   help, help-page (s: a page of manual.h)         the help, of this lab or at a page  */
#pragma once

#include <adwaita.h>

#include "ui/export/job.h"
#include "ui/window/frame/frame.h"
#include "ui/window/lesson/lesson.h"
#include "ui/window/opening/opening.h"
#include "ui/window/place/place.h"
#include "ui/window/plots/plots.h"
#include "ui/window/services/services.h"

#define SL_TYPE_WINDOW (sl_window_get_type ())
G_DECLARE_FINAL_TYPE (SlWindow, sl_window, SL, WINDOW, AdwApplicationWindow)

/* A window on a session (a reference is taken), which may be running already. */
SlWindow *sl_window_new (GtkApplication *application, SlSession *session, SlPrefs *prefs);

/* Does something with every session that the window has, whether it is shown or not. */
void sl_window_each_session (SlWindow *self, SlForSession what, gpointer data);
