/* SPDX-License-Identifier: MIT
 *
 * The oracle of the lab `selective-execution`: of all ways through the network, the cheapest that
 * is right for an example.  */
#include "core/labs/selective-execution/lab.h"

#include <string.h>

/* The next choice of all controllers, as numbers are counted; false after the last. */
static bool
next_choice (const SlDagFacts *facts, uint8_t *action)
{
  for (unsigned c = 0; c < facts->n_controllers; c++)
    {
      if (++action[c] < facts->n_actions[c])
        return true;
      action[c] = 0;
    }
  return false;
}

/* Choices that differ only in what controllers that do not run would say are one way: the one where
 * these say their first action.  */
static bool
is_first_of_its_kind (const SlDagFacts *facts, const bool *runs, const uint8_t *action)
{
  for (unsigned c = 0; c < facts->n_controllers; c++)
    if (!runs[facts->controller[c]] && action[c] != 0)
      return false;
  return true;
}

/* Keeps the ways in the order of their costs; of equals the one found first comes first. */
static void
insert_way (SlLabState *s, const SlSelectiveWay *way)
{
  unsigned at = s->n_ways++;

  for (; at > 0 && s->way[at - 1].macs > way->macs; at--)
    s->way[at] = s->way[at - 1];
  s->way[at] = *way;
}

void
sl_selective_list_ways (SlLabState *s, const SlDagFacts *facts)
{
  SlSelectiveWay way = { 0 };
  bool           runs[SL_DAG_NODES];

  s->n_ways = 0;
  do
    {
      way.macs = sl_dag_trace (&s->net.plan, facts, way.action, runs, NULL);
      if (is_first_of_its_kind (facts, runs, way.action))
        insert_way (s, &way);
    }
  while (next_choice (facts, way.action));
}

/* Runs the first `left` examples that way. */
static void
take_way (SlLabState *s, size_t left, const SlSelectiveWay *way)
{
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    memset (s->forced + c * MOST_BATCH, way->action[c], left);
  sl_selective_forward (s, left);
  sl_selective_decide_classes (left, s->classes, s->dag.turn[s->dag.facts.output].y, s->said);
}

/* Counts the examples that were right and moves the others together; returns how many are left. */
static size_t
keep_wrong (SlLabState *s, size_t left, SlSelectiveTally *tally)
{
  size_t kept = 0;

  for (size_t e = 0; e < left; e++)
    {
      if (s->said[e] == s->label[e])
        {
          sl_selective_count_one (s, s->said[e], s->label[e], tally);
          continue;
        }
      memmove (s->x + kept * s->inputs, s->x + e * s->inputs, s->inputs * sizeof *s->x);
      s->label[kept] = s->label[e];
      s->any[kept++] = s->any[e];
    }
  return kept;
}

/* Dearer ways only see the examples that are not right yet, so that all of them can be asked. */
double
sl_selective_ask_oracle (SlLabState *s, size_t n, SlSelectiveTally *tally)
{
  size_t left = n;
  double macs = 0.0;

  for (unsigned w = 0; w < s->n_ways && left > 0; w++)
    {
      size_t before = left;

      take_way (s, left, &s->way[w]);
      if (w == 0)
        memcpy (s->any, s->said, n);
      left = keep_wrong (s, left, tally);
      macs += (double) (before - left) * s->way[w].macs;
    }
  for (size_t e = 0; e < left; e++)
    sl_selective_count_one (s, s->any[e], s->label[e], tally);
  return (macs + (double) left * s->way[0].macs) / s->dag.facts.dearest_macs;
}
