/* SPDX-License-Identifier: MIT
 *
 * Mixture of depths in the lab `selective-execution`: what the guesses of the rank learn from a batch, what
 * validation examples do in batches, and the panels on who goes through which block.  */
#include "core/labs/selective-execution/probes.h"

#include <string.h>

void
sl_selective_forward_ranked (SlSelectiveLab *s, size_t batch)
{
  s->dag.all = s->dag.ask = false;
  s->rank = (SlDepthRank) { sl_value_of (&s->base, P_SHARE), false };
  sl_dag_forward (&s->dag, batch, s->x, NULL);
}

/* Of those who were ranked, that is of all: routers and guesses run for every example. */
void
sl_selective_teach_guesses (SlSelectiveLab *s, size_t batch)
{
  for (unsigned c = 0; s->net.ranked && c < s->dag.facts.n_controllers; c++)
    {
      SlDagTurn *guess = &s->dag.turn[s->net.guess[c]];
      double     agree;

      sl_depth_guess_loss (batch, guess->y, s->dag.turn[s->dag.facts.controller[c]].action,
                           guess->dy, &agree);
      s->now->sums.agree[c] += agree;
    }
}

void
sl_selective_evaluate_in_batches (SlSelectiveLab *s, size_t first, size_t n,
                                  SlSelectiveEvaluation *evaluation)
{
  size_t           most = sl_count_of (&s->base, P_BATCH);
  SlSelectiveTally tally = { 0 };

  for (size_t done = 0, take; done < n; done += take)
    {
      take = n - done < most ? n - done : most;
      sl_selective_load (s, first + done, take);
      sl_selective_forward_ranked (s, take);
      sl_selective_settle (s, take, true);
      sl_selective_decide_classes (take, s->classes, s->dag.y, s->said);
      sl_selective_count (s, take, s->said, &tally);
      for (size_t e = 0; e < take; e++)
        evaluation->batch_path[s->path[e]] += 1.0;
    }
  evaluation->batch_error = sl_selective_error (s, &tally);
}

static bool
is_ranked (SlProbe *p)
{
  SlSelectiveLab *s = sl_selective_lab (p->state);

  if (s->net.ranked && s->dag.facts.n_controllers > 0)
    return true;
  sl_probe_note (p, "No block of this network is routed.");
  return false;
}

void
sl_selective_probe_depth (SlProbe *p)
{
  SlSelectiveLab        *s = sl_selective_lab (p->state);
  const SlSelectiveKept *last;
  double                 alone[MOST_PATHS], in_batches[MOST_PATHS];

  if (!is_ranked (p))
    return;
  last = sl_selective_last (s);
  for (unsigned i = 0; i < s->n_paths; i++)
    {
      alone[i] = 100.0 * last->evaluation.path[i] / (double) last->n;
      in_batches[i] = 100.0 * last->evaluation.batch_path[i] / (double) last->n;
    }
  sl_probe_values (p, T_DEPTH_ALONE, 0, 0, s->n_paths, alone);
  sl_probe_values (p, T_DEPTH_IN_BATCHES, 0, 0, s->n_paths, in_batches);
  sl_probe_note (p, "%.1f %% wrong alone, %.1f %% in batches, on %zu validation examples",
                 last->evaluation.error, last->evaluation.batch_error, last->n);
}

void
sl_selective_probe_routed (SlProbe *p)
{
  SlSelectiveLab        *s = sl_selective_lab (p->state);
  unsigned               blocks = s->dag.facts.n_controllers;
  const SlSelectiveKept *last;
  double                *share;

  if (!is_ranked (p))
    return;
  last = sl_selective_last (s);
  share = sl_probe_matrix (p, 1, blocks, s->classes);
  if (share == NULL)
    return;
  p->snapshot->hi = 1.0;
  for (size_t c = 0; c < s->classes; c++)
    {
      double all = 0.0;

      for (unsigned i = 0; i < s->n_paths; i++)
        all += last->joint[i * s->classes + c];
      for (unsigned b = 0; b < blocks && all > 0.0; b++)
        share[b * s->classes + c] = last->routed[b * s->classes + c] / all;
    }
  if (s->n_positive == 0)
    sl_probe_class_names (p, s->base.dataset);
  sl_probe_note (p, "%zu validation examples alone, after update %llu", last->n,
                 (unsigned long long) last->at);
}
