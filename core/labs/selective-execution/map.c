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
fill_confidence (const SlLabState *s, SlCell *cells)
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

SlStatus
sl_selective_map (SlLabState *s, const sl_real *points, size_t n, SlCell *cells)
{
  memset (s->forced, SL_DAG_FREE, MOST_DECISIONS * MOST_BATCH);
  for (size_t done = 0; done < n;)
    {
      size_t         take = n - done < MOST_BATCH ? n - done : MOST_BATCH;
      SlCell        *cell = cells + done;
      const sl_real *y;

      memcpy (s->x, points + done * s->inputs, take * s->inputs * sizeof *points);
      sl_selective_forward (s, take);
      sl_selective_settle (s, take, true);
      y = s->dag.turn[s->dag.facts.output].y;
      memset (cell, 0, take * sizeof *cell);
      for (size_t e = 0; e < take; e++)
        {
          cell[e].confidence = 1;
          cell[e].top = s->path[e];
          cell[e].cost = (sl_real) s->dag.cost[e];
          cell[e].label = sl_decide (s->classes, y + e * s->classes, &cell[e].margin);
        }
      for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
        for (uint32_t k = 0; k < s->dag.turn[i].n; k++)
          {
            cell[s->dag.turn[i].row[k]].pattern |= (uint64_t) 1 << i;
            cell[s->dag.turn[i].row[k]].active
              += s->net.plan.node[i].kind == SL_DAG_REGULAR && s->dag.facts.macs[i] > 0.0;
          }
      fill_confidence (s, cell);
      done += take;
    }
  return SL_SUCCESS;
}
