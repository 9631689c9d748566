/* SPDX-License-Identifier: MIT
 *
 * A trade-off as a figure: points that cost something along x and are wrong by something along y,
 * each the mean of the runs of one group with its interval (core/run/tradeoff/mean.h), the runs behind them, and the
 * front of those that nothing beats in both.  The same without a front is any number against any other.  Runs in, figure
 * out; plain C without GTK, one thread.
 *
 *   SlFront front = { .frontier = true };
 *   sl_front_add (&front, &run);              once per run; runs of one setting become one point
 *   sl_front_update (&front, &figure);        then as render.h and export.h say
 *   sl_front_clear (&front);                  after the figure's last drawing
 *
 * Titles, axes and `view` of the figure are the caller's.  */
#pragma once

#include "plot/layout/frame.h"

enum { SL_FRONT_SHAPES = 8, SL_FRONT_TITLE = 64 };

/* What goes in. */
typedef struct
{
  uint64_t key;  /* the same for all runs of one setting */
  double   x, y; /* cost and error, the smaller the better; a run without both is left out */
  double
    choice; /* where the front has `chosen`: what decides it in place of y, the smaller the better */
  double   tone;  /* the swept value, a colour; not-a-number: none */
  unsigned shape; /* the method, a marker, from 0; the last of SL_FRONT_SHAPES for all beyond */
  size_t   tag;   /* what the caller knows the run by */
  bool     apart; /* it is on other data: its point is pale, and on no front */
  char     title[SL_FRONT_TITLE]; /* of the setting: "rank 8" */
} SlFrontRun;

/* What it becomes. */
typedef struct
{
  uint64_t key;
  double   x, y;           /* means */
  double   x_half, y_half; /* halves of their intervals; 0 for a single run */
  double   tone;
  unsigned shape, n;
  size_t   tag;        /* of the run added first */
  bool     best, knee; /* as in core/run/tradeoff/tradeoff.h */
  bool     apart;      /* as all of its runs */
  char     title[SL_FRONT_TITLE];
} SlFrontPoint;

/* A network to compare with, which is on no front. */
typedef struct
{
  const char *title; /* static; those of one title are one curve */
  double      x, y, x_half, y_half;
} SlFrontBeside;

typedef struct
{
  bool          frontier; /* draw the front, and pale what it dominates */
  bool          chosen;   /* another number than y decides it */
  bool          dense;    /* x is in % of a dense network: a line marks 100 */
  char          shape_title[SL_FRONT_SHAPES][SL_FRONT_TITLE]; /* "" for those that do not occur */
  SlFrontPoint *point; /* (n) owned, in the order of their first runs */
  GHashTable   *place; /* of each key: 1 + the number of its point */
  unsigned      n, capacity;
  double       *x, *y, *choice; /* (n_runs) owned, of each run that was added */
  unsigned     *point_of;       /* (n_runs) owned: its point */
  unsigned      n_runs, runs_capacity;
  double       *store;  /* owned: the arrays that the figure borrows */
  SlCurvePoint *words;  /* owned: likewise */
  GArray       *beside; /* of SlFrontBeside */
  unsigned     *order;  /* (n_ordered) owned: the points in rising order of cost */
  unsigned      n_ordered;
} SlFront;

void sl_front_clear (SlFront *front);
void sl_front_empty (SlFront *front); /* forgets the points */

/* Adds a run to the point with its key, or begins one. */
void sl_front_add (SlFront *front, const SlFrontRun *run);

/* Adds a point beside those of the runs. */
void sl_front_add_beside (SlFront *front, const SlFrontBeside *beside);

/* Averages, finds the front and gives `figure` (zeroed, or of an earlier call) its curves: points on the front
 * and dominated ones of each shape, those on other data, error bars, the front itself,
 * a ring around its knee.  False when there is no room for all of its curves.  */
bool sl_front_update (SlFront *front, SlFigure *figure);

/* The shown point nearest to a place on a laid-out frame and within `reach` px, or -1. */
int sl_front_pick (const SlFront *front, const SlFigure *figure, const SlFrame *frame, double x,
                   double y, double reach);

/* The next shown point (by > 0) or the one before in rising order of cost; from -1 the first or the
 * last.  `from` when there is none.  */
int sl_front_next (const SlFront *front, const SlFigure *figure, int from, int by);

/* "rank 8, the knee, mean of 3: cost 31 ± 0.4 %, error 11.2 ± 0.3 %", in the user's language for a
 * `translated` figure.  Returns `text`.  */
const char *sl_front_text (const SlFront *front, const SlFigure *figure, unsigned point, char *text,
                           size_t size);
