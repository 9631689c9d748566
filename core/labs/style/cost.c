/* SPDX-License-Identifier: MIT
 *
 * What an update of the lab `style` is made of: the picture through the network, the losses, and back.  */
#include "core/lab/kit/cost.h"

#include "core/labs/style/lab.h"

/* Of a step of L-BFGS. */
static const double searched = 1.3;

/* Evaluations of an update: a line search makes one more now and then, and one that draws other pairs each time
 * cannot go on from the last.  */
static double
evaluations (const SlStyleLab *s)
{
  if (sl_value_of (&s->base, P_OPTIMISER) != OPTIMISER_LBFGS)
    return 1;
  return searched + (compares (s, SL_STYLE_GAUSSIAN) ? 1 : 0);
}

static void
add_network (const SlFeatureRun *run, SlWorkload *work)
{
  for (unsigned i = 0; i < run->steps; i++)
    {
      const SlConv *conv = &run->conv[i];
      const SlPool *pool = &run->pool[i];

      if (conv->outputs == 0)
        {
          sl_cost_add (work, SL_COST_LOOP, 6, pool->height, pool->width, 1);
          continue;
        }
      sl_cost_add_conv (work, conv, 1, SL_CONV_FORWARD | SL_CONV_TO_INPUT);
      sl_cost_add (work, SL_COST_RELU, 2, sl_conv_outputs (conv), 1, 1);
    }
}

/* The loss of a level by one method with its slope; sums over positions and channels are there for all. */
static void
add_method (SlWorkload *work, SlStyleMethod method, size_t n, size_t m)
{
  switch (method)
    {
    case SL_STYLE_GRAM:
    case SL_STYLE_POLY:
      sl_cost_add (work, SL_COST_FORWARD, 1, n, n, m);
      sl_cost_add (work, SL_COST_DOWN, 1, n, m, n);
      sl_cost_add (work, SL_COST_RELU, 4, n, n, 1);
      break;
    case SL_STYLE_GAUSSIAN:
      sl_cost_add (work, SL_COST_LOOP, 1.5, n, m, 1);
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
        if (method_of (s, k) != SL_N_STYLES && weight_of (s, l) > 0)
          add_method (work, method_of (s, k), level->n, level->m);
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
  SlMessage passes = sl_message ("Nothing is skipped in this lab, so there are no two passes to "
                                 "compare.");

  work->batch = 1;
  if (starts_where_it_ends (s))
    sl_cost_refuse (
      work, SL_COST_OF_STEP,
      sl_message ("The picture begins as what it is to become, and nothing is left to do."));
  sl_cost_refuse_passes (work, passes);
  sl_cost_begin (work, SL_COST_OF_STEP);
  add_network (&s->run, work);
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
