/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `selective-execution` that need a pass over validation examples of their
 * own, or only the last one.  They read the weights and use the batch as scratch, which every step
 * fills anew.  */
#include "core/labs/selective-execution/probes.h"

#include <math.h>

#include "core/lab/kit/thumbnails.h"

enum { PICTURES = 8 }; /* of each path */

static void
note_examples (SlProbe *p, const SlSelectiveKept *last)
{
  sl_probe_note (p, "%zu validation examples, after update %llu", last->n,
                 (unsigned long long) last->at);
}

/* Accuracy, or the measure of one class, against cost: what the newest evaluation found, and the ones before it.  Those of a net
 * that had hardly begun to learn, twice as wrong as anything now, are left out: with them on the
 * axis nobody could tell the others apart.  */
static void
probe_trade (SlProbe *p)
{
  SlSelectiveLab              *s = sl_selective_lab (p->state);
  const SlSelectiveMoving     *now = s->now;
  const SlSelectiveKept       *last;
  const SlSelectiveEvaluation *newest;
  uint32_t kept = now->trail_n < TRAIL ? now->trail_n : TRAIL, shown = 0, earlier;
  double   cost[TRAIL], accuracy[TRAIL], here[2], best[2], wrong;

  if (now->trail_n == 0)
    {
      sl_probe_note (p, "Nothing has been evaluated yet.");
      return;
    }
  last = sl_selective_last (s);
  newest = &last->evaluation;
  earlier = last->at > s->base.now.evaluated ? kept : kept - 1;
  here[0] = 100.0 * newest->cost;
  here[1] = 100.0 - newest->error;
  wrong = newest->error;
  if (s->net.ruled && last->n >= 2)
    {
      const SlExitPoint *point = sl_selective_point (s);

      here[0] = 100.0 * point->cost;
      here[1] = 100.0 - sl_selective_point_error (s, point);
      sl_selective_draw_curve (p);
    }
  for (unsigned i = 0; i < s->n_twins; i++)
    wrong = fmax (wrong, newest->twin_error[i]);
  for (uint32_t i = 0; i < earlier; i++)
    {
      const double *point = now->trail[(now->trail_n - kept + i) % TRAIL];

      if (100.0 - point[1] > 2.0 * wrong)
        continue;
      cost[shown] = point[0];
      accuracy[shown++] = point[1];
    }
  sl_probe_points (p, T_HERE, 0, 1, &here[0], &here[1]);
  sl_probe_points (p, T_TRAIL, 0, shown, cost, accuracy);
  for (unsigned i = 0; i < s->n_twins; i++)
    {
      cost[i] = 100.0 * sl_selective_static_cost (s, i);
      accuracy[i] = 100.0 - newest->twin_error[i];
    }
  sl_probe_points (p, T_STATIC, 0, s->n_twins, cost, accuracy);
  best[0] = 100.0 * newest->best_cost;
  best[1] = 100.0 - newest->best_error;
  sl_probe_points (p, T_ORACLE, 0, 1, &best[0], &best[1]);
  note_examples (p, last);
}

static void
probe_classes (SlProbe *p)
{
  SlSelectiveLab        *s = sl_selective_lab (p->state);
  const SlSelectiveKept *last = sl_selective_last (s);
  double                *share = sl_probe_matrix (p, 1, s->n_paths, s->classes);

  if (share == NULL)
    return;
  p->snapshot->hi = 1.0;
  for (size_t c = 0; c < s->classes; c++)
    {
      double all = 0.0;

      for (unsigned i = 0; i < s->n_paths; i++)
        all += last->joint[i * s->classes + c];
      for (unsigned i = 0; i < s->n_paths && all > 0.0; i++)
        share[i * s->classes + c] = last->joint[i * s->classes + c] / all;
    }
  if (s->n_positive == 0)
    sl_probe_class_names (p, s->base.dataset);
  note_examples (p, last);
}

static void
probe_by_path (SlProbe *p)
{
  SlSelectiveLab              *s = sl_selective_lab (p->state);
  const SlSelectiveKept       *last = sl_selective_last (s);
  const SlSelectiveEvaluation *evaluation = &last->evaluation;
  double                       right[MOST_PATHS];

  for (unsigned i = 0; i < s->n_paths; i++)
    right[i] = 100.0 * evaluation->path_right[i] / fmax (evaluation->path[i], 1.0);
  sl_probe_values (p, T_SHARE_RIGHT, 0, 0, s->n_paths, right);
  for (unsigned i = 0; i < s->n_twins; i++)
    right[i] = evaluation->twin_right[i];
  if (s->n_twins > 0)
    sl_probe_values (p, T_STATIC_RIGHT, 0, 0, s->n_twins, right);
  note_examples (p, last);
}

/* The first few examples of each path, the cheapest path first; returns how many. */
static unsigned
choose_pictures (const SlSelectiveLab *s, size_t n, unsigned *chosen)
{
  unsigned found = 0;

  for (unsigned p = 0; p < s->n_paths; p++)
    for (unsigned e = 0, own = 0; e < n && own < PICTURES; e++)
      if (s->path[e] == p)
        {
          chosen[found++] = e;
          own++;
        }
  return found;
}

static void
probe_pictures (SlProbe *p)
{
  SlSelectiveLab        *s = sl_selective_lab (p->state);
  const SlDataset       *data = s->base.dataset;
  size_t                 n;
  unsigned               chosen[MOST_PATHS * PICTURES], tiles;
  SlSelectiveEvaluation  evaluation;
  const SlSelectiveKept *last = sl_selective_last (s);

  if (!sl_probe_has_images (p, data))
    return;
  /* The examples stay in s->x with their labels, predictions and paths. */
  n = sl_examples (&s->base, SL_VALID, PROBE);
  sl_selective_evaluate (s, sl_dataset_first (data, SL_VALID), n, false, &evaluation);
  tiles = choose_pictures (s, n, chosen);
  if (!sl_probe_thumbnails (p, data, s->x, n, chosen, tiles))
    return;
  for (unsigned t = 0; t < tiles; t++)
    sl_probe_name (p, "%s%s\n", sl_message ("path %u", s->path[chosen[t]] + 1u).packed,
                   s->said[chosen[t]] != s->label[chosen[t]] ? " ✗" : "");
  sl_probe_note (
    p,
    "%.0f %% of %zu validation examples on the cheapest path, %.0f %% on the most expensive, after "
    "update %llu",
    100.0 * last->evaluation.path[0] / (double) last->n, last->n,
    100.0 * last->evaluation.path[s->n_paths - 1] / (double) last->n,
    (unsigned long long) last->at);
}

const SlProbePanel sl_selective_probes[N_PANELS] = {
  [V_ALIVE] = sl_selective_probe_alive,
  [V_TRADE] = probe_trade,
  [V_PICTURES] = probe_pictures,
  [V_CLASSES] = probe_classes,
  [V_BY_PATH] = probe_by_path,
  [V_CLOCK] = sl_selective_probe_clock,
  [V_THRESHOLDS] = sl_selective_probe_thresholds,
  [V_PROMISE] = sl_selective_probe_promise,
  [V_DEPTH] = sl_selective_probe_depth,
  [V_ROUTED] = sl_selective_probe_routed,
};
