/* SPDX-License-Identifier: MIT
 *
 * Guesses on a plot of the run: pale curves beside what was measured, the user's own and a few earlier ones.  */
#pragma once

#include "core/run/lesson/lesson.h"
#include "ui/plot-view/view.h"

enum { SL_GHOSTS_EARLIER = 6 };

/* Plain data of one owner, at a place that does not move. */
typedef struct
{
  SlPlotView  *view; /* NULL when it is gone */
  const SlLab *lab;
  unsigned     panel, channel;
  SlSettings   settings;
  SlRecord    *record; /* (1 + SL_GHOSTS_EARLIER) the guess, and earlier ones */
  SlGhost      ghost[1 + SL_GHOSTS_EARLIER];
  unsigned     n;
} SlGhosts;

/* Without guesses yet, for a channel ("error.valid") on the plot of its panel, which shows a run of `lab` under these
 * settings.  FALSE: there is no such channel; nothing is to be cleared then.  */
gboolean sl_ghosts_init (SlGhosts *ghosts, SlPlotView *view, const SlLab *lab,
                         const SlSettings *settings, const char *channel);
void     sl_ghosts_clear (SlGhosts *ghosts);

/* Adds a guess with these points x and y (n each); only the first few are shown.  FALSE without memory. */
gboolean sl_ghosts_add (SlGhosts *ghosts, const char *title, const double *x, const double *y,
                        unsigned n);

/* Gives guess number `i` other points. */
void sl_ghosts_move (SlGhosts *ghosts, unsigned i, const double *x, const double *y, unsigned n);
