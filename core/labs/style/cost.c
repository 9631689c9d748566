/* SPDX-License-Identifier: MIT
 *
 * What an update of the lab `style` is made of: the picture through the network, the losses, and back.  */
#include "core/lab/kit/cost.h"

#include <stdlib.h>

#include "core/labs/style/lab.h"

/* Of a step of L-BFGS. */
static const double searched = 1.1;

/* Evaluations of an update: a line search makes one more now and then, and one that draws other pairs each time
 * cannot go on from the last.  */
static double
evaluations (const SlStyleLab *s)
{
  if (sl_value_of (&s->base, P_OPTIMISER) != OPTIMISER_LBFGS)
    return 1;
  return searched + (compares (s, SL_STYLE_GAUSSIAN) ? 1 : 0);
}

/* The last tap that a slope comes from, from 1; the way back begins there. */
static unsigned
last_slope (const SlStyleLab *s)
{
  int      goal = (int) sl_value_of (&s->base, P_GOAL);
  unsigned last = goal == GOAL_STYLE ? 0 : s->content_tap + 1;

  for (unsigned l = 0; goal != GOAL_CONTENT && l < s->n_levels; l++)
    if (weight_of (s, l) > 0 && s->level[l].tap + 1 > last)
      last = s->level[l].tap + 1;
  return last;
}

/* The layers of a run, forward or backward. */
static void
add_network (const SlFeatureRun *run, SlWorkload *work, unsigned pass)
{
  for (unsigned i = 0; i < run->steps; i++)
    {
      const SlConv *conv = &run->conv[i];
      const SlPool *pool = &run->pool[i];

      if (conv->outputs == 0)
        {
          sl_cost_add (work, SL_COST_LOOP, 3, pool->height, pool->width, 1);
          continue;
        }
      sl_cost_add_conv (work, conv, 1, pass);
      sl_cost_add (work, SL_COST_RELU, 1, sl_conv_outputs (conv), 1, 1);
    }
}

/* A run of fewer taps is laid out to see what it takes. */
static void
add_way_back (const SlStyleLab *s, SlWorkload *work)
{
  unsigned      taps = last_slope (s);
  SlFeatureRun *run = malloc (sizeof *run);
  SlArena       nothing = { 0 };

  if (run != NULL && taps > 0)
    {
      sl_features_carve (run, s->features, s->height, s->width, taps, true, &nothing);
      add_network (run, work, SL_CONV_TO_INPUT);
    }
  free (run);
}

/* The loss of a level by one method, and its slope; sums over positions and channels are there for all. */
static void
add_method (SlWorkload *work, SlStyleMethod method, size_t n, size_t m, bool slope)
{
  switch (method)
    {
    case SL_STYLE_GRAM:
    case SL_STYLE_POLY:
      sl_cost_add (work, SL_COST_FORWARD, 1, n, n, m);
      if (slope)
        sl_cost_add (work, SL_COST_DOWN, 1, n, m, n);
      break;
    case SL_STYLE_GAUSSIAN:
      sl_cost_add (work, SL_COST_LOOP, slope ? 2 : 1, n, m, 1);
      sl_cost_add (work, SL_COST_LOOP, 8, m, 1, 1);
      break;
    default: sl_cost_add (work, SL_COST_RELU, 2, n, m, 1); break;
    }
}

static void
add_losses (const SlStyleLab *s, SlWorkload *work)
{
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      const Level *level = &s->level[l];

      if (!level->used)
        continue;
      sl_cost_add (work, SL_COST_DOT, 2, level->n, level->m, 1);
      for (unsigned k = 0; k < 2; k++)
        if (method_of (s, k) != SL_N_STYLES)
          add_method (work, method_of (s, k), level->n, level->m,
                      weight_of (s, l) > 0 && sl_value_of (&s->base, P_GOAL) != GOAL_CONTENT);
    }
  sl_cost_add (work, SL_COST_DOT, 1, s->content_n, 1, 1);
  sl_cost_add (work, SL_COST_RELU, 1, s->content_n, 1, 1);
  sl_cost_add (work, SL_COST_LOOP, 2, s->n, 1, 1);
}

static bool
starts_where_it_ends (const SlStyleLab *s)
{
  int goal = (int) sl_value_of (&s->base, P_GOAL), start = (int) sl_value_of (&s->base, P_START);

  return (goal == GOAL_STYLE && start == START_STYLE)
         || (goal == GOAL_CONTENT && start == START_CONTENT);
}

void
sl_style_work (const SlLabState *state, SlWorkload *work)
{
  const SlStyleLab *s = (const SlStyleLab *) state;
  SlMessage         passes
    = sl_message ("Nothing is skipped in this lab: there are no two passes to compare.");

  work->batch = 1;
  if (starts_where_it_ends (s))
    sl_cost_refuse (
      work, SL_COST_OF_STEP,
      sl_message ("The picture begins as what it is to become: nothing is left to do."));
  sl_cost_refuse_passes (work, passes);
  sl_cost_begin (work, SL_COST_OF_STEP);
  add_network (&s->run, work, SL_CONV_FORWARD);
  add_way_back (s, work);
  add_losses (s, work);
  for (unsigned i = 0; i < work->n[SL_COST_OF_STEP]; i++)
    work->call[SL_COST_OF_STEP][i].times *= evaluations (s);
  if (sl_value_of (state, P_OPTIMISER) == OPTIMISER_LBFGS)
    {
      /* Two loops over the history, and as long steps as one evaluation allows. */
      sl_cost_add (work, SL_COST_DOT, 2 * HISTORY, s->n, 1, 1);
      sl_cost_add (work, SL_COST_RELU, 2 * HISTORY, s->n, 1, 1);
    }
  else
    {
      sl_cost_add (work, SL_COST_ADAM, 1, s->n, 1, 1);
      sl_cost_add (work, SL_COST_RELU, 1, s->n, 1, 1);
    }
}
