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
 *   rescue, rescue-halve                            after divergence
 *   save, save-as, save-to (s: file), resume (s: name of a stored run), store-retry
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
 *   lesson-notes, lesson-print, lesson-worksheet, lesson-key (each s: id or path, or "", the lesson that is taken)
 *   lesson-start, lesson-worksheet-to (s: file), lesson-save-answers, lesson-save-answers-to (ss: name, file)
 *   lesson-save-step, lesson-save-step-to (sss: file, title, text)
 *                                                   lessons (ui/lesson/player.h)
 *   maximise (s: panel, or ""), sidebar, fullscreen the look
 *   present, present-second                         large, for an audience; on another screen
 *   type-larger, type-smaller, type-usual           the size of all text
 *   help, help-page (s: a page of manual.h)         the help, of this lab or at a page  */
#pragma once

#include <adwaita.h>

#include "core/run/session/session.h"
#include "ui/export/job.h"
#include "ui/form/sidebar.h"
#include "ui/grid/grid.h"
#include "ui/kit/prefs.h"
#include "ui/overview/overview.h"

#define SL_TYPE_WINDOW (sl_window_get_type ())
G_DECLARE_FINAL_TYPE (SlWindow, sl_window, SL, WINDOW, AdwApplicationWindow)

/* A window on a session (a reference is taken), which may be running already. */
SlWindow *sl_window_new (GtkApplication *application, SlSession *session, SlPrefs *prefs);

/* Opens on the start page with this group (a reference is taken), instead of on the session. */
void sl_window_set_group (SlWindow *self, SlGroup *group);

/* Shows the start page; its group begins now if there is none yet. */
void        sl_window_show_overview (SlWindow *self);
gboolean    sl_window_shows_overview (SlWindow *self);
SlOverview *sl_window_get_overview (SlWindow *self);

/* Keeps every run of the window's own session in a store (a reference is taken; NULL: none, and
 * `trouble` says why in a banner).  */
void sl_window_set_store (SlWindow *self, SlStore *store, const GError *trouble);
/* Goes on with a run of the store. */
void sl_window_resume (SlWindow *self, const char *uuid, gboolean paused);

/* From now on the store has what this window shows and which runs its labs have (one window of a program at
 * most).  `workspace` is what it had from the last one, or NULL: labs have their runs again; with `show`
 * the same page is shown with the same run, and what was going on goes on unless `paused`.  FALSE: nothing
 * of it can be shown.  After sl_window_set_store().  */
gboolean sl_window_restore (SlWindow *self, const char *workspace, gboolean show, gboolean paused);

/* Opens a data file, a file of runs, or brings back the run of a figure. */
void sl_window_open_file (SlWindow *self, const char *path);

/* Whether that is more than to train on it. */
gboolean sl_window_opens (const char *path);

/* Further ones (NULL: none), of which only curves are opened; a sentence names the others. */
void sl_window_open_beside (SlWindow *self, const char *const *paths);

/* Takes a lesson, by the id of one of the program's ("1-gate") or by its path.  FALSE with a
 * sentence; what was there then goes on.  */
gboolean sl_window_open_lesson (SlWindow *self, const char *name, GError **error);

/* A short message at the bottom. */
void sl_window_toast (SlWindow *self, const char *sentence);

/* What is wrong with a file: in a banner, or on a page of its own where there is no run to show.  NULL:
 * nothing any more.  */
void sl_window_report (SlWindow *self, const char *sentence);

/* Does something with every session that the window has, whether it is shown or not. */
typedef void (*SlForSession) (SlSession *session, gpointer data);
void sl_window_each_session (SlWindow *self, SlForSession what, gpointer data);

/* The session that is shown; on the start page, the one that was. */
SlSession  *sl_window_get_session (SlWindow *self);
SlPlotGrid *sl_window_get_grid (SlWindow *self);
SlSidebar  *sl_window_get_sidebar (SlWindow *self);
