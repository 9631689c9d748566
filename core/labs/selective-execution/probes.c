/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `selective-execution` that need a pass over validation examples of their
 * own, or only the last one.  They read the weights and use the batch as scratch, which every step
 * fills anew.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"

enum { PICTURES = 8 }; /* of each path */

/* A single point, or several. */
static SlStatus
add_points (SlSnapshot *snapshot, uint32_t channel, size_t n, const double *x, const double *y)
{
  double *at = n > 0 ? sl_snapshot_curve (snapshot, channel, n, false) : NULL;

  if (n == 0)
    return SL_SUCCESS;
  if (at == NULL)
    return sl_probe_no_memory ();
  memcpy (at, x, n * sizeof *at);
  memcpy (at + n, y, n * sizeof *at);
  return SL_SUCCESS;
}

/* Accuracy against cost: what the last evaluation found, and the ones before it.  Those of a net
 * that had hardly begun to learn, twice as wrong as anything now, are left out: with them on the
 * axis nobody could tell the others apart.  */
static SlStatus
probe_trade (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const uint32_t           channel = sink->layout->first[V_TRADE][0];
  const SlSelectiveMoving *now = &s->now;
  uint32_t                 kept = now->trail_n < TRAIL ? now->trail_n : TRAIL, shown = 0;
  const double            *here = now->trail[(now->trail_n - 1) % TRAIL];
  double                   cost[TRAIL], accuracy[TRAIL], wrong = 100.0 - here[1];
  SlStatus                 status;

  for (unsigned p = 0; p < s->n_twins; p++)
    wrong = fmax (wrong, now->twin_error[p]);
  for (uint32_t i = 0; i + 1 < kept; i++)
    {
      const double *point = now->trail[(now->trail_n - kept + i) % TRAIL];

      if (100.0 - point[1] > 2.0 * wrong)
        continue;
      cost[shown] = point[0];
      accuracy[shown++] = point[1];
    }
  status = add_points (snapshot, channel + T_HERE, 1, &here[0], &here[1]);
  if (sl_ok (&status))
    status = add_points (snapshot, channel + T_TRAIL, shown, cost, accuracy);
  for (unsigned p = 0; p < s->n_twins; p++)
    {
      cost[p] = 100.0 * sl_selective_static_cost (s, p);
      accuracy[p] = 100.0 - now->twin_error[p];
    }
  if (sl_ok (&status))
    status = add_points (snapshot, channel + T_STATIC, s->n_twins, cost, accuracy);
  if (sl_ok (&status))
    status = add_points (snapshot, channel + T_ORACLE, 1, &now->best_cost, &now->best_accuracy);
  snprintf (snapshot->note, sizeof snapshot->note, "Validation examples, after update %llu",
            (unsigned long long) now->judged);
  return status;
}

/* Judges the probe; returns how many examples it has. */
static size_t
probe (SlLabState *s, SlSelectiveEvaluation *evaluation)
{
  size_t n = s->dataset->n[SL_VALID] < PROBE ? s->dataset->n[SL_VALID] : PROBE;

  sl_selective_evaluate (s, sl_dataset_first (s->dataset, SL_VALID), n, false, evaluation);
  return n;
}

static SlStatus
probe_classes (SlLabState *s, SlSnapshot *snapshot)
{
  SlSelectiveEvaluation evaluation;
  size_t                n = probe (s, &evaluation), at = 0, length = 0;
  double               *share = sl_snapshot_matrix (snapshot, 1, s->n_paths, (unsigned) s->classes);
  const char *const    *title = s->n_positive == 0 ? s->dataset->class_title : NULL;

  if (share == NULL)
    return sl_probe_no_memory ();
  snapshot->hi = 1.0;
  for (size_t c = 0; c < s->classes; c++)
    {
      double all = 0.0;

      for (unsigned p = 0; p < s->n_paths; p++)
        all += s->joint[p * s->classes + c];
      for (unsigned p = 0; p < s->n_paths && all > 0.0; p++)
        share[p * s->classes + c] = s->joint[p * s->classes + c] / all;
    }
  /* Half of the names would be worse than none. */
  for (size_t c = 0; title != NULL && c < s->classes; c++)
    length += strlen (title[c]) + 1;
  for (size_t c = 0; length < sizeof snapshot->names && length > 0 && c < s->classes; c++)
    at += (size_t) snprintf (snapshot->names + at, sizeof snapshot->names - at, "%s\n", title[c]);
  snprintf (snapshot->note, sizeof snapshot->note, "%zu validation examples", n);
  return SL_SUCCESS;
}

static SlStatus
probe_by_path (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const uint32_t        channel = sink->layout->first[V_BY_PATH][0];
  SlSelectiveEvaluation evaluation;
  size_t                n = probe (s, &evaluation);
  double                x[MOST_PATHS], y[MOST_PATHS];
  SlStatus              status;

  for (unsigned p = 0; p < s->n_paths; p++)
    {
      x[p] = p;
      y[p] = 100.0 * evaluation.path_right[p] / fmax (evaluation.path[p], 1.0);
    }
  status = add_points (snapshot, channel + T_SHARE_RIGHT, s->n_paths, x, y);
  for (unsigned p = 0; p < s->n_twins; p++)
    {
      x[p] = p;
      y[p] = 100.0 - s->now.twin_error[p];
    }
  if (sl_ok (&status) && s->now.trail_n > 0)
    status = add_points (snapshot, channel + T_STATIC_RIGHT, s->n_twins, x, y);
  snprintf (snapshot->note, sizeof snapshot->note, "%zu validation examples", n);
  return status;
}

/* The first few examples of each path, the cheapest path first; returns how many. */
static unsigned
choose_pictures (const SlLabState *s, size_t n, unsigned *chosen)
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
caption (const SlLabState *s, unsigned e, SlSnapshot *snapshot, size_t *used)
{
  const char *wrong = s->said[e] != s->label[e] ? " ✗" : "";
  char        text[64];
  size_t      length;

  snprintf (text, sizeof text, "path %u%s\n", s->path[e] + 1u, wrong);
  length = strlen (text);
  if (*used + length >= sizeof snapshot->names)
    return;
  memcpy (snapshot->names + *used, text, length + 1);
  *used += length;
}

/* Grey pictures are three equal planes, so that no palette stands in for them. */
static SlStatus
probe_pictures (SlLabState *s, SlSnapshot *snapshot)
{
  const SlDataset      *data = s->dataset;
  size_t                plane = (size_t) data->width * data->height, used = 0, n;
  unsigned              chosen[MOST_PATHS * PICTURES], tiles;
  SlSelectiveEvaluation evaluation;
  double               *to, lo = HUGE_VAL, hi = -HUGE_VAL;

  if (data->width == 0)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "These data are no pictures.");
      return SL_SUCCESS;
    }
  /* The examples stay in s->x with their labels, predictions and paths. */
  n = probe (s, &evaluation);
  tiles = choose_pictures (s, n, chosen);
  to = sl_snapshot_pictures (snapshot, tiles, data->height, data->width);
  if (to == NULL)
    return sl_probe_no_memory ();
  for (size_t i = 0; i < n * s->inputs; i++)
    {
      lo = fmin (lo, (double) s->x[i]);
      hi = fmax (hi, (double) s->x[i]);
    }
  for (unsigned t = 0; t < tiles; t++)
    {
      const sl_real *from = s->x + chosen[t] * s->inputs;

      for (size_t i = 0; i < 3 * plane; i++)
        {
          size_t at = data->channels == 3 ? i : i % plane;

          to[t * 3 * plane + i] = hi > lo ? ((double) from[at] - lo) / (hi - lo) : 0.0;
        }
      caption (s, chosen[t], snapshot, &used);
    }
  snprintf (snapshot->note, sizeof snapshot->note,
            "%.0f %% of %zu validation examples on the cheapest path, %.0f %% on the dearest",
            100.0 * evaluation.path[0] / (double) n, n,
            100.0 * evaluation.path[s->n_paths - 1] / (double) n);
  return SL_SUCCESS;
}

SlStatus
sl_selective_probe (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlStatus    status = SL_SUCCESS;
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;

  if (snapshot == NULL)
    return SL_SUCCESS;
  if (panel == V_TRADE && s->now.trail_n == 0)
    snprintf (snapshot->note, sizeof snapshot->note, "Nothing has been evaluated yet.");
  else if (panel == V_TRADE)
    status = probe_trade (s, sink, snapshot);
  else if (panel == V_GRAPH)
    status = sl_selective_probe_graph (s, snapshot);
  else if (panel == V_CLASSES)
    status = probe_classes (s, snapshot);
  else if (panel == V_BY_PATH)
    status = probe_by_path (s, sink, snapshot);
  else if (panel == V_PICTURES)
    status = probe_pictures (s, snapshot);
  else if (panel == V_CLOCK)
    status = sl_selective_probe_clock (s, sink, snapshot);
  if (status.code == SL_ECANCELLED)
    return status;
  /* A failed probe shows what it has, and says why. */
  if (!sl_ok (&status))
    sl_status_text (&status, snapshot->note, sizeof snapshot->note);
  sink->publish (sink, snapshot);
  return status;
}
