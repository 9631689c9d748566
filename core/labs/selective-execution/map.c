/* SPDX-License-Identifier: MIT
 *
 * What the lab `selective-execution` does with single inputs.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/loss.h"

/* Distance of the best two scores at which a controller is half sure of itself: scores are rewards,
 * between −1 and 1 (ours).  */
static const double half_sure = 0.05;

static double
confidence (const sl_real *q, unsigned actions)
{
  double best = -HUGE_VAL, next = -HUGE_VAL;

  for (unsigned a = 0; a < actions; a++)
    {
      double value = (double) q[a];

      next = fmax (next, fmin (best, value));
      best = fmax (best, value);
    }
  return isfinite (next) ? (best - next) / (best - next + half_sure) : 1.0;
}

/* The least sure of the controllers that were asked counts. */
static void
fill_confidence (const SlSelectiveLab *s, SlCell *cells)
{
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];
      unsigned         actions = s->dag.facts.n_actions[c];

      for (uint32_t k = 0; k < turn->n; k++)
        {
          SlCell *cell = &cells[turn->row[k]];
          double  own = confidence (turn->y + k * actions, actions);

          if (own < (double) cell->confidence)
            cell->confidence = (sl_real) own;
        }
    }
}

void
sl_selective_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlSelectiveLab   *s = sl_selective_lab (state);
  const SlDagFacts *facts = &s->dag.facts;
  const sl_real    *y;

  memset (s->forced, SL_DAG_FREE, MOST_CONTROLLERS * MOST_BATCH);
  memcpy (s->x, points, n * s->inputs * sizeof *points);
  sl_selective_forward (s, n);
  sl_selective_settle (s, n, true);
  y = s->dag.y;
  for (size_t e = 0; e < n; e++)
    {
      cells[e].confidence = 1;
      if (!sl_selective_learns (s))
        cells[e].confidence
          = (sl_real) fmax (sl_exit_sureness (SL_EXIT_MARGIN, s->classes, y + e * s->classes), 0.0);
      cells[e].top = s->path[e];
      cells[e].cost = (sl_real) s->dag.cost[e];
      cells[e].label = sl_decide (s->classes, y + e * s->classes, &cells[e].margin);
    }
  for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
    for (uint32_t k = 0; k < s->dag.turn[i].n; k++)
      {
        SlCell *cell = &cells[s->dag.turn[i].row[k]];

        /* What computes for others is on by itself; controllers and outputs go with it. */
        if (s->net.plan.node[i].kind != SL_DAG_REGULAR || !(facts->macs[i] > 0.0))
          continue;
        cell->pattern |= (uint64_t) 1 << i;
        cell->active++;
      }
  if (sl_selective_learns (s))
    fill_confidence (s, cells);
}
