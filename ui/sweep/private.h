/* SPDX-License-Identifier: MIT
 *
 * The inside of the sweep bar, shared by bar.c (the widget, and a sweep at work), setup.c (what is
 * set up), estimate.c (how much that is) and place.c (what was set up when the program ended).  */
#pragma once

#include "ui/sweep/bar.h"

enum { SL_SWEEP_BAR_AXES = 2 };

struct _SlSweepBar
{
  GtkWidget parent_instance;

  GtkStack        *stages;
  GtkWidget       *suggestions;
  GtkWidget       *suggested_word;
  GtkLabel        *subject, *summary, *with;
  GtkToggleButton *opened; /* what the fields are shown with in a low window */
  GtkDropDown     *param[SL_SWEEP_BAR_AXES];
  GtkEntry        *values[SL_SWEEP_BAR_AXES], *seeds;
  GtkSpinButton   *steps, *points;
  GtkDropDown     *how;
  GtkLabel        *estimate, *problem, *progress_text, *at_work;
  GtkProgressBar  *progress;
  GtkToggleButton *pause;

  const SlLab         *lab;
  SlSettings           settings;
  const SlSweepHint   *hint;  /* that was taken up, or NULL */
  struct SlSweepPlace *place; /* to go back to, or NULL */
  char                *data;
  SlStore             *store;   /* where runs go, or NULL */
  SlSweepIsMade        is_made; /* whether one is there already */
  gpointer             made_data;
  SlSweepRun          *run; /* while one is at work */
  char                 title[SL_SWEEP_ID];
  GCancellable        *asking;    /* the estimate under way */
  unsigned             questions; /* that have no answer yet, given up or not */
  guint                later;     /* timeout until the next one */
  unsigned             counted;   /* runs that the setup as shown comes to */
  gboolean             filling;
};

/* The pool that makes the runs, and times them before. */
SlSweepPool sl_sweep_bar_pool (SlSweepBar *self);

/* Index of the parameter that an axis varies, or -1. */
int sl_sweep_bar_chosen (SlSweepBar *self, unsigned axis);

/* The sweep as it is set up; to be cleared.  FALSE with a sentence. */
gboolean sl_sweep_bar_read (SlSweepBar *self, SlSweep *sweep, GError **error);

/* "rank 5,10,20, seeds 1-3, 400 updates"; free with g_free(). */
char *sl_sweep_bar_words (const SlSweep *sweep);

/* The runs that are not in the store yet; *there counts the others. */
GArray *sl_sweep_bar_jobs (SlSweepBar *self, const SlSweep *sweep, unsigned *there);

/* Another parameter was chosen for an axis: offers values of it. */
void sl_sweep_bar_choose (SlSweepBar *self, GParamSpec *spec, GtkDropDown *which);

/* The user chose another way to make points: converts the texts of the axes. */
void sl_sweep_bar_choose_how (SlSweepBar *self);

/* Says in one line what the fields come to, which shows where they are not open. */
void sl_sweep_bar_sum_up (SlSweepBar *self);

/* Says which lab is swept, on which data. */
void sl_sweep_bar_show_subject (SlSweepBar *self);

/* Another lab: its parameters and suggestions, and a first sweep. */
void sl_sweep_bar_fill (SlSweepBar *self);

/* Sets up again what the last window had, if that is of the lab; once. */
void sl_sweep_bar_take_place (SlSweepBar *self);
void sl_sweep_bar_forget_place (SlSweepBar *self);

/* What is set up has changed: counts at once, times when nothing was typed for a moment. */
void sl_sweep_bar_follow (SlSweepBar *self);

/* Shows a sentence instead of an estimate. */
void sl_sweep_bar_show_problem (SlSweepBar *self, const char *sentence);
/* Drops the estimate that is being made. */
void sl_sweep_bar_forget_estimate (SlSweepBar *self);
