/* SPDX-License-Identifier: MIT
 *
 * Controllers of what is opened and saved: files, stored runs, the list of runs, networks, lines of text.  */
#pragma once

#include "ui/runs/page.h"
#include "ui/window/services/services.h"

/* ---- file.c.  Actions: open, choose-folder, open-file, restore (s: a path), train-on (s: a table taken for curves),
 * open-curves (s: the same as curves) ---- */

void sl_window_add_files (SlWindow *self);
void
sl_window_list_recent (SlWindow *self); /* with the template there: files of lately in the menu */
void sl_window_drop_files (SlWindow *self);

/* Opens a data file, a file of runs, or brings back the run of a figure. */
void sl_window_open_file (SlWindow *self, const char *path);

/* Whether that is more than to train on it. */
gboolean sl_window_opens (const char *path);

/* Further ones (NULL: none), of which only curves are opened; a sentence names the others. */
void sl_window_open_beside (SlWindow *self, const char *const *paths);

/* Files were dropped on the window: opens the first of them, and of the others those that are curves. */
gboolean sl_window_dropped (SlWindow *self, const GValue *files);

/* A file belongs to those of lately. */
void sl_window_note_recent (const char *path);

/* ---- import.c: data files, and the page that asks how one is read.  Action: import (s: a file or a specification) ---- */

void sl_window_add_import (SlWindow *self);
void sl_window_drop_import (SlWindow *self);

/* Begins a run on a data file, or asks first.  The run that is shown stays until the file, unless it is large, is known
 * to be good.  */
void sl_window_read_data (SlWindow *self, const char *path);

/* A run was begun on a file without a look: says how it was read, or asks if it was not. */
void sl_window_began_on (SlWindow *self, const char *path);

/* ---- open.c: stored runs that the stage opens.  Action: resume ---- */

void sl_window_add_open (SlWindow *self);
void sl_window_drop_open (SlWindow *self);

/* Goes on with a run of the store, if there is one. */
void sl_window_resume (SlWindow *self, const char *uuid, gboolean paused);

/* ---- store.c ----
 *
 * The store that every run of the window goes into, and a banner while it cannot be written.  Disks are waited for
 * in threads.  Actions: store-retry, store-elsewhere.  */
void sl_window_add_store (SlWindow *self);
void sl_window_drop_store (SlWindow *self);

/* Keeps every run of the window in a store (a reference is taken; NULL: none, and `trouble` says why in a
 * banner).  */
void sl_window_set_store (SlWindow *self, SlStore *store, const GError *trouble);

/* ---- save.c: the present run, saved into a file of its own.  Actions: save, save-as, save-to ---- */

void sl_window_add_save (SlWindow *self);
void sl_window_drop_save (SlWindow *self);

/* The run of this name is in this file, where it is saved again. */
void sl_window_saved_at (SlWindow *self, const char *path, const char *uuid);

/* ---- runs.c: the list of runs and trade-offs.  Actions: runs, undelete, begin-anew, sweep ---- */

void sl_window_add_runs (SlWindow *self);
void sl_window_drop_runs (SlWindow *self);

/* Signals of the page: open a run, make room for a sweep, offer to undo a deletion. */
void sl_window_runs_open (SlWindow *self, SlRunItem *item);
void sl_window_runs_sweeping (SlWindow *self);
void sl_window_runs_deleted (SlWindow *self, const char *sentence);

/* ---- network.c ----
 *
 * Networks of choices as files: the one that is shown is saved, and one that is opened or dropped
 * begins a run.  Actions: save-network, save-network-to.  */
void sl_window_add_network (SlWindow *self);
void sl_window_drop_network (SlWindow *self);

/* Begins a run with the network of a file, in the lab that is shown if it takes one. */
void sl_window_take_network (SlWindow *self, const char *path);

/* ---- state.c ----
 *
 * The beginning of a run as a line of text (core/run/state).  Actions: copy-state, enter-state (a
 * dialog), state (s: the line).  */
void sl_window_add_state (SlWindow *self);
