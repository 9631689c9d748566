/* SPDX-License-Identifier: MIT
 *
 * What the controllers of the window offer it, and each other: services.h says what a controller is.  */
#pragma once

#include "core/run/base/json.h"
#include "core/run/group/pair.h"
#include "core/run/lesson/lesson.h"
#include "core/run/record/recipe.h"
#include "ui/runs/page.h"
#include "ui/window/services.h"

/* ---- actions.c ----
 *
 * Actions of the window that have no state of their own: running, settings, data, opening files, the
 * look, the help.  */
void sl_window_add_actions (SlWindow *self);

/* Enables what can be done now. */
void sl_window_update_actions (SlWindow *self);

/* Whether what is shown runs: the group of the overview, or the session. */
gboolean sl_window_is_running (SlWindow *self);

/* Changes a parameter of the run that is shown; a toast says what is wrong with the value. */
void sl_window_set_value (SlWindow *self, const char *id, const SlValue *value);

/* A row of a plot was clicked: sets the parameter that the panel names. */
void sl_window_pick (SlWindow *self, guint panel, guint number);
/* The mark of a plot was moved: sets the parameter that the panel names. */
void sl_window_drag (SlWindow *self, guint panel, double value);

/* ---- opening/file.c ---- */

/* Action: train-on (s: a table that was taken for curves). */
void sl_window_add_files (SlWindow *self);

/* Files were dropped on the window: opens the first of them, and of the others those that are curves. */
gboolean sl_window_dropped (SlWindow *self, const GValue *files);

/* ---- closing.c ---- */

/* The window closes: its place is kept, its threads end, or are left behind after a moment. */
void sl_window_leave (SlWindow *self);

/* ---- save.c ----
 *
 * The store that every run of the window goes into, and the present run saved into a file of its own.
 * Disks are waited for in threads.  Actions: save, save-as, save-to, store-retry.  */
void sl_window_add_save (SlWindow *self);
void sl_window_drop_save (SlWindow *self);

/* The run of this name is in this file, where it is saved again. */
void sl_window_saved_at (SlWindow *self, const char *path, const char *uuid);

/* ---- opening/open.c ----
 *
 * Stored runs opened, from the store or from a file of runs, and put back into the session that they were
 * left by.  Actions: open, restore, resume.  */
void sl_window_add_open (SlWindow *self);
void sl_window_drop_open (SlWindow *self);

/* Goes on with the run of a file that was in training last; a file that is being written is
 * followed.  */
void sl_window_open_runs (SlWindow *self, const char *path);
/* Sets up the run of a figure, without training. */
void sl_window_open_figure (SlWindow *self, const char *path); /* its run, not trained yet */

/* Shows a stored run, which does not go on; one without a checkpoint is made again. */
void sl_window_open_run (SlWindow *self, const char *uuid);

/* Puts a run whose place the present one took back into its session, paused as it was left. */
void sl_window_return (SlWindow *self, const char *uuid);

/* Goes on with the run that a lab had before another one was chosen.  FALSE: it had none. */
gboolean sl_window_return_to_lab (SlWindow *self, const SlLab *lab);

/* ---- place/workspace.c ----
 *
 * What is shown, and the run that each lab and each part of the overview has, go into the store whenever
 * they change, for the next start (sl_window_restore()).  */
void sl_window_add_workspace (SlWindow *self);
void sl_window_drop_workspace (SlWindow *self);

/* Writes the workspace if it has changed. */
void sl_window_keep_workspace (SlWindow *self);
/* From now on the workspace keeps the runs that train now as training. */
void sl_window_hold_workspace (SlWindow *self);

/* Begins the runs of a new group with those that the overview had.  FALSE: there are none. */
gboolean sl_window_restore_group (SlWindow *self, SlGroup *group);

/* ---- overview.c ----
 *
 * The overview, which is the start page, and the session that is shown beside it.  Actions: glance,
 * closer, role.  */
void sl_window_add_overview (SlWindow *self);
void sl_window_drop_overview (SlWindow *self);

/* Sets whether the window's own session goes on when it is shown again. */
void sl_window_hold_own (SlWindow *self, gboolean held);
/* Whether the window's own session goes on when it is shown again, or trains now. */
gboolean sl_window_own_is_going (SlWindow *self);

/* Shows a session that is not the window's own, which waits meanwhile. */
void sl_window_show_other (SlWindow *self, SlSession *session);

/* Shows the session of the overview that has this lab, also before its run is there.  FALSE: none has. */
gboolean sl_window_show_closer (SlWindow *self, const char *lab);

/* Shows the overview with a group of a lesson in place of its own, which waits. */
void sl_window_show_lent (SlWindow *self, SlGroup *group);
/* Shows the overview with its own group again. */
void sl_window_end_lent (SlWindow *self);

/* Whether a session is one of the overview's. */
gboolean sl_window_has_closer (SlWindow *self, SlSession *session);

/* The seed that a lab chosen now begins with. */
guint64 sl_window_seed (SlWindow *self);

/* Goes back to the checkpoint before an update and trains on from there. */
void sl_window_rescue (SlWindow *self, uint64_t step);

/* ---- unseen.c ----
 *
 * Runs of labs that go on training while another one is shown, where the preferences want that.  */
void sl_window_add_unseen (SlWindow *self);
void sl_window_drop_unseen (SlWindow *self);

/* The window's own session may have another run, or the preferences changed: begins and ends what is to
 * train unseen.  */
void sl_window_unseen_follow (SlWindow *self);

/* Lets go of a run, which is wanted elsewhere.  TRUE: it takes a moment, ask again. */
gboolean sl_window_unseen_holds (SlWindow *self, const char *uuid);

/* Ends all runs that train unseen, until the next lab is chosen. */
void sl_window_unseen_rest (SlWindow *self);
/* Calls `what` with each session that trains unseen. */
void sl_window_unseen_each (SlWindow *self, SlForSession what, gpointer data);

/* ---- health.c ----
 *
 * The banner that says when a run is in trouble, with the ways back.  Actions: put-back,
 * before-trouble.  */
void sl_window_add_health (SlWindow *self);
void sl_window_drop_health (SlWindow *self);
void sl_window_health_changed (SlWindow *self); /* the run that is shown went on, or is another */
void sl_window_health_closed (SlWindow *self);  /* the user closed the banner */

/* ---- offer.c ----
 *
 * The banner of what a lab has to say of its data, with a button.  Action: take-offer.  */
void sl_window_add_offer (SlWindow *self);
void sl_window_drop_offer (SlWindow *self);
void sl_window_show_offer (SlWindow *self);   /* another run is shown, or other settings are */
void sl_window_offer_closed (SlWindow *self); /* the user closed the banner */

/* ---- runs.c ----
 *
 * The page of runs and trade-offs in the window: coming and going, what sweeps vary around, and stored
 * Actions: runs, undelete, begin-anew, sweep.  */
void sl_window_add_runs (SlWindow *self);
void sl_window_drop_runs (SlWindow *self);

/* Shows the page over what is shown. */
void sl_window_show_list (SlWindow *self);

/* The session that is shown changed, or the window's own session has another run. */
void sl_window_runs_changed (SlWindow *self);

/* The window's own run is not to be measured before it is beyond this update. */
void sl_window_runs_measured (SlWindow *self, uint64_t step);

/* Signals of the page: open a run, make room for a sweep, offer to undo a deletion. */
void sl_window_runs_open (SlWindow *self, SlRunItem *item);
void sl_window_runs_sweeping (SlWindow *self);
void sl_window_runs_deleted (SlWindow *self, const char *sentence);

/* Whether the page of runs is shown and runs were deleted on it, and bringing them back. */
gboolean sl_window_can_undelete (SlWindow *self);
void     sl_window_undelete (SlWindow *self);

/* ---- remake.c ----
 *
 * Runs of sweeps and figures, which are made again from their recipes when the user chooses so.  */
void sl_window_add_remake (SlWindow *self);
void sl_window_drop_remake (SlWindow *self);

/* Sets a run up in the window's own session, to be trained up to where its recipe ends; until then the
 * plots show its stored curves.  Takes over what is in `stored`, which may be empty.  */
void sl_window_remake_run (SlWindow *self, const SlRecipe *recipe, SlRecord *stored);

/* The window's own session has another run. */
void sl_window_remake_restarted (SlWindow *self);
/* The run that is shown has another step. */
void sl_window_offer_changed (SlWindow *self);

/* Hands the stored curves of the run that has just begun over to the plots.  FALSE: there are none. */
gboolean sl_window_take_stored (SlWindow *self, SlRecord *stored);

/* ---- view.c ----
 *
 * How the plots of a run are looked at goes into the store with it, and comes back with it.  */
void sl_window_add_view (SlWindow *self);
void sl_window_drop_view (SlWindow *self);

/* Writes what the plots have now, if it is not there yet. */
void sl_window_keep_view (SlWindow *self);

/* From now on the view of the plots belongs to no stored run. */
void sl_window_view_forget (SlWindow *self);
/* From now on the view of the plots belongs to the run that is shown. */
void sl_window_view_follow (SlWindow *self);

/* The run that loads brings this view. */
void sl_window_view_expect (SlWindow *self, const char *view);
/* That run has begun, in the plots too. */
void sl_window_view_restarted (SlWindow *self);

/* ---- panels.c ----
 *
 * The user's arrangement of the panels of each lab, kept in the preferences, and the list of all of
 * them.  Action: panels.  */
void sl_window_add_panels (SlWindow *self);

/* Arranges the panels of the lab that is shown as the preferences have them. */
void sl_window_arrange_panels (SlWindow *self);
/* The user arranged panels, and hid panel `hidden` (-1: none). */
void sl_window_panels_arranged (SlWindow *self, int hidden);
void sl_window_pin_panels (SlWindow *self, const char *ids);

/* ---- opening/follow.c ----
 *
 * Files of runs that other programs write at the same time, whose runs go on in the list of runs, too.  */
void sl_window_add_follow (SlWindow *self);
void sl_window_drop_follow (SlWindow *self);

/* Shows the list, and says that n runs of the file are being trained; 0: none has begun.  The window has a store. */
void sl_window_follow (SlWindow *self, const char *path, unsigned n);

/* ---- opening/recent.c ----
 *
 * Files that were opened or saved lately, in the menu, from the list of the desktop.  Action: open-file
 * (s: a path).  */
void sl_window_add_recent (SlWindow *self);
void sl_window_list_recent (SlWindow *self); /* with the template there */
void sl_window_drop_recent (SlWindow *self);
void sl_window_note_recent (const char *path);

/* ---- undo.c ----
 *
 * Going back: changes, notes and strokes of the brush taken back and made again, and the timeline.
 * Actions: undo, undo-rewind, redo, run-before (s: its name), timeline, visit, present-state.  */
void sl_window_add_undo (SlWindow *self);

/* A new run took the place of another one: a toast leads back to it. */
void sl_window_offer_back (SlWindow *self);

/* What can be undone, and the strip of checkpoints, follow the session. */
void sl_window_update_timeline (SlWindow *self);

/* The notes on a plot changed. */
void sl_window_noted (SlWindow *self);

/* ---- history.c ----
 *
 * The menu of changes that can be taken back, in words, and going back to before one of them.  Action:
 * undo-to (u: how many).  */
void sl_window_add_history (SlWindow *self);
void sl_window_drop_history (SlWindow *self);

/* The session changed, or what can be taken back. */
void sl_window_history_changed (SlWindow *self);
/* The user does something else. */
void sl_window_history_stop (SlWindow *self);

/* ---- paint.c ----
 *
 * Painted examples become the data: each stroke ends in a new run on what is then there, with the
 * same lab, settings and seed.  */
void sl_window_add_paint (SlWindow *self);
void sl_window_drop_paint (SlWindow *self);

/* An example is painted (label -1: examples around are erased). */
void sl_window_paint_dab (SlWindow *self, double x, double y, int label, double radius_x,
                          double radius_y);
/* The stroke ends. */
void sl_window_paint_stroke (SlWindow *self);

/* Another run is there, or on its way. */
void sl_window_paint_restarted (SlWindow *self);

/* Whether there is a stroke to take back or, with `again`, to make again. */
gboolean sl_window_can_repaint (SlWindow *self, gboolean again);
/* Takes a stroke back or, with `again`, makes it again; FALSE when there is none. */
gboolean sl_window_repaint (SlWindow *self, gboolean again);

/* ---- pair.c ----
 *
 * Two runs side by side.  Actions: twin, twin-side.  */
void sl_window_add_pair (SlWindow *self);
void sl_window_drop_pair (SlWindow *self);

/* The two runs, borrowed, or NULL. */
SlPair *sl_window_get_pair (SlWindow *self);

/* What waits behind the pair, borrowed, and whether it goes on when it is shown again; NULL: there is no pair. */
SlSession *sl_window_pair_before (SlWindow *self, gboolean *going);

/* Shows a pair whose runs are yet to be begun; borrowed. */
SlPair *sl_window_pair_restore (SlWindow *self, gboolean was_running, unsigned side);

/* Ends the pair, unless `shown`, the session to be shown next (or NULL), is one of it. */
void sl_window_pair_left (SlWindow *self, SlSession *shown);

/* Shows the side of the pair that this session is; FALSE where it is none. */
gboolean sl_window_pair_show (SlWindow *self, SlSession *session);

/* The session that is shown changed. */
void sl_window_pair_changed (SlWindow *self);

/* ---- pins.c ----
 *
 * Curves of earlier runs that stay behind those of the present one.  Actions: pin, unpin.  */
void sl_window_add_pins (SlWindow *self);
void sl_window_drop_pins (SlWindow *self);

/* Shows them again where other curves were behind those of the run. */
void sl_window_show_pins (SlWindow *self);

/* A run took the place of another one, whose curves stay behind its own. */
void sl_window_pins_restarted (SlWindow *self);
/* Another session is shown. */
void sl_window_pins_left (SlWindow *self);

/* ---- export.c ----
 *
 * Plots of the window as files and on the clipboard: by the dialog, to a path, and once more as the
 * last time.  Actions: export, export-to, export-again, copy, open-folder.  */
void sl_window_add_export (SlWindow *self);
void sl_window_drop_export (SlWindow *self);

/* Copies a plot to the clipboard. */
void sl_window_copy_plot (SlWindow *self, guint panel);

/* A plot that is dragged out of the window; NULL, with a toast, when it cannot be. */
GdkContentProvider *sl_window_offer_plot (SlWindow *self, guint panel);
/* Opens the export dialog with a plot. */
void sl_window_export_plot (SlWindow *self, guint panel);

/* ---- class/state.c ----
 *
 * The beginning of a run as a line of text (core/run/state).  Actions: copy-state, enter-state (a
 * dialog), state (s: the line).  */
void sl_window_add_state (SlWindow *self);

/* The line of the run that is shown; free with g_free().  NULL with a sentence. */
char *sl_window_state_text (SlWindow *self, GError **error);

/* ---- class/answers.c ----
 *
 * Answers of a class in a window of their own.  Actions: class, class-files (as: their files).  */
void sl_window_add_class (SlWindow *self);

/* ---- class/print.c ----
 *
 * Plots and worksheets on paper.  Actions: print, print-to (s: a PDF file).  */
void sl_window_add_print (SlWindow *self);

/* The worksheet of a lesson, which is read before this returns; `path` NULL: by the dialog. */
void sl_window_print_lesson (SlWindow *self, const SlLesson *lesson, const char *path);

/* The notes of the lesson that is taken, in a dialog; FALSE: there are none. */
gboolean sl_window_lesson_show_notes (SlWindow *self);

/* ---- picture.c ----
 *
 * The picture that a run makes, as a file: requested, made between two updates, and encoded and
 * written in a thread of its own, with the recipe of the run in it.  Actions: save-picture,
 * save-picture-to.  */
void sl_window_add_picture (SlWindow *self);
void sl_window_drop_picture (SlWindow *self);

/* Enables the actions where the run makes a picture. */
void sl_window_update_picture (SlWindow *self);

/* The requested picture is there. */
void sl_window_pictured (SlWindow *self);

/* ---- network.c ----
 *
 * Networks of choices as files: the one that is shown is saved, and one that is opened or dropped
 * begins a run.  Actions: save-network, save-network-to.  */
void sl_window_add_network (SlWindow *self);
void sl_window_drop_network (SlWindow *self);

/* Enables the actions where the lab has such a network. */
void sl_window_update_network (SlWindow *self);

/* Begins a run with the network of a file, in the lab that is shown if it takes one. */
void sl_window_take_network (SlWindow *self, const char *path);

/* ---- layout.c ----
 *
 * The size of the window: what a narrow one leaves out, how large its type is, and the window
 * before an audience, with large type, thick lines, the sliders that matter, on all of a screen.
 * Actions: sidebar, present, present-second, type-larger, type-smaller, type-usual.  */
void sl_window_add_layout (SlWindow *self);
void sl_window_watch_layout (SlWindow *self); /* with the template there */
void sl_window_drop_layout (SlWindow *self);

/* Begins or ends a presentation on a screen, or with NULL on the one that the window is on. */
gboolean sl_window_is_presenting (SlWindow *self);
void     sl_window_set_presenting (SlWindow *self, gboolean presenting, GdkMonitor *monitor);

/* The window has another size. */
void sl_window_fit_size (SlWindow *self, int width, int height);
void sl_window_titled (SlWindow *self);  /* of the template: so is the title */
void sl_window_flapped (SlWindow *self); /* of the template: the sidebar came or went */
/* The type of the window has another size. */
void sl_window_fit_type (SlWindow *self);

/* Shows or hides the sidebar as width, preference and presentation would have it. */
void sl_window_fold (SlWindow *self);

/* The preferences get the size that the next window is to have. */
void sl_window_remember_size (SlWindow *self);

/* ---- lesson/ ----
 *
 * Lessons in the window, which are in ui/window/lesson.  Actions: lessons, lesson, lesson-go-on, lesson-next,
 * lesson-back, lesson-leave, lesson-resume, lesson-answer, lesson-ask-again, lesson-earlier, lesson-save-step,
 * lesson-save-step-to.  */
void sl_window_add_lesson (SlWindow *self);
void sl_window_show_lessons (SlWindow *self); /* keys, with the template there */
void sl_window_drop_lesson (SlWindow *self);

/* What the step shows, hides and locks, as far as its lab is in sight; also for a new run, whose rows
 * and plots may be others.  */
void sl_window_lesson_set_stage (SlWindow *self);

/* Whether there is a lesson, which begins runs of its own. */
gboolean sl_window_in_lesson (SlWindow *self);

/* The session that lessons run in, or NULL. */
SlSession *sl_window_get_lesson_session (SlWindow *self);
SlGroup   *sl_window_get_lesson_group (SlWindow *self); /* of its steps on the overview, or NULL */
/* Whether the session of lessons is shown, also when the lesson is over. */
gboolean sl_window_is_lesson (SlWindow *self);
/* Whether that session goes on when it is shown again, or trains now. */
gboolean sl_window_lesson_goes (SlWindow *self);

/* This session is shown next, or NULL: the overview.  Where it is another one than that of the lesson, the
 * lesson is left and its session waits.  */
void sl_window_leave_lesson_for (SlWindow *self, SlSession *shown);

/* Writes members of an object of the workspace that say where in a lesson the user is. */
void sl_window_lesson_write_place (SlWindow *self, SlJsonWriter *w);
/* Goes back to that place, with a session that has no run yet. */
void sl_window_lesson_restore_place (SlWindow *self, const SlJson *place);
/* Begins the step anew, where its run is gone. */
void sl_window_lesson_begin_step (SlWindow *self);

/* TRUE, with a toast, when the lesson locks this parameter. */
gboolean sl_window_lesson_locks (SlWindow *self, const char *param);
