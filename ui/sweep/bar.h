/* SPDX-License-Identifier: MIT
 *
 * Setting up a sweep and watching it go: one or two parameters with their values or between what points
 * are drawn, seeds, a budget;
 * how many runs that is and how long it will take before it starts; pause, resume and cancel
 * after.  Runs that are over are kept in the store, and what the store has is not made again.
 *
 * Actions: sweep.start, sweep.pause (a toggle), sweep.cancel, sweep.suggest (s: id of a suggestion of
 * the lab).  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/base/json.h"
#include "core/run/store/store.h"
#include "core/run/sweep/run.h"

/* Signals:
 *   "started" (title), "ended" (title)  of a sweep; the title is what its runs have in the store
 *   "trouble" (sentence)                something that it cannot do  */
#define SL_TYPE_SWEEP_BAR (sl_sweep_bar_get_type ())
G_DECLARE_FINAL_TYPE (SlSweepBar, sl_sweep_bar, SL, SWEEP_BAR, GtkWidget)

/* What sweeps begin from: all settings but the swept ones, and the data.  Keeps what was typed as
 * long as the lab is the same.  */
void sl_sweep_bar_set_base (SlSweepBar *self, const SlLab *lab, const SlSettings *settings,
                            const char *data);

/* The lab and the data of the base, or NULL; data borrowed until the next base. */
const SlLab *sl_sweep_bar_get_lab (SlSweepBar *self);
const char  *sl_sweep_bar_get_data (SlSweepBar *self);

/* Fills in what the lab suggests under this id; FALSE where it suggests no such thing or a sweep is at
 * work.  The settings of a suggestion stay until another parameter is chosen.  */
gboolean sl_sweep_bar_suggest (SlSweepBar *self, const char *id);

/* Writes members of an object that say what sweep is set up. */
void sl_sweep_bar_write_place (SlSweepBar *self, SlJsonWriter *w);
/* Sets that sweep up again, as soon as the base is of its lab. */
void sl_sweep_bar_read_place (SlSweepBar *self, const SlJson *object);

/* Whether a run of this name is there and over, so that it is not made again. */
typedef gboolean (*SlSweepIsMade) (const char *id, gpointer data);

/* Where runs go (a reference is taken; NULL: no sweep can start), and what tells which are there. */
void sl_sweep_bar_set_store (SlSweepBar *self, SlStore *store, SlSweepIsMade is_made,
                             gpointer data);

/* Whether what is set up is one line, until the user opens it. */
void sl_sweep_bar_set_folded (SlSweepBar *self, gboolean folded);

/* Runs came or went: there may be fewer or more left to make. */
void sl_sweep_bar_recount (SlSweepBar *self);

/* Gives an estimate up and waits until its threads have ended, which takes an update or two.  For a
 * program that is about to end.  */
void sl_sweep_bar_stop (SlSweepBar *self);

/* A sweep is at work or paused. */
gboolean sl_sweep_bar_is_busy (SlSweepBar *self);
