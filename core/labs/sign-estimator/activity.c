/* SPDX-License-Identifier: MIT
 *
 * How few units of the lab `sign-estimator` do the work: the busiest ones, and what a threshold of the rectifier
 * would leave.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  ACTIVITY = 512, /* validation examples */
  CUTS = 41,      /* thresholds, from 0 */
};

static const double most_cut = 2.0;

static int
falling (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return (x < y) - (x > y);
}

/* Runs validation examples as the network is used; how many, and units of all hidden layers. */
static size_t
run (SlProbe *p, size_t *units)
{
  SlSignLab *s = sl_sign_lab (p->state);
  SlEstimate estimate = sl_sign_estimate (s);

  *units = 0;
  for (unsigned l = 0; l < s->hidden; l++)
    *units += s->net.width[l + 1];
  return sl_sign_run_validation (s, ACTIVITY, &estimate);
}

/* How often each unit is on; returns their sum. */
static double
count_on (const SlSignLab *s, size_t n, uint32_t *on)
{
  double sum = 0.0;

  for (unsigned l = 0; l < s->hidden; l++)
    {
      size_t units = s->net.width[l + 1];

      for (size_t e = 0; e < n; e++)
        for (size_t i = 0; i < units; i++)
          {
            bool is_on = s->tape.x[l + 1][e * units + i] > 0;

            on[i] += is_on;
            sum += is_on;
          }
      on += units;
    }
  return sum;
}

void
sl_sign_probe_coverage (SlProbe *p)
{
  size_t    units, n;
  uint32_t *on;
  double    sum, part = 0.0, *curve;

  if (!sl_sign_probe_rectifies (p))
    return;
  n = run (p, &units);
  on = sl_probe_room (p, units, sizeof *on);
  if (on == NULL)
    return;
  sum = count_on (sl_sign_lab (p->state), n, on);
  if (sum <= 0.0)
    {
      sl_probe_note (p, "No unit is on.");
      return;
    }
  qsort (on, units, sizeof *on, falling);
  curve = sl_probe_curve (p, T_COVERED, 0, units, false);
  for (size_t i = 0; curve != NULL && i < units; i++)
    {
      part += on[i];
      curve[i] = 100.0 * (double) (i + 1) / (double) units;
      curve[units + i] = 100.0 * part / sum;
    }
  sl_probe_points (p, T_EVEN, 0, 2, (double[]) { 0, 100 }, (double[]) { 0, 100 });
  sl_probe_note (p, "%zu validation examples, weights after update %llu", n,
                 (unsigned long long) p->state->now.t);
}

/* Inputs of all units behind each other: the layers before pass what they pass now. */
static sl_real *
gather_inputs (SlProbe *p, size_t n, size_t units)
{
  SlSignLab *s = sl_sign_lab (p->state);
  sl_real   *all = sl_probe_room (p, n * units, sizeof *all), *at = all;

  for (unsigned l = 0; all != NULL && l < s->hidden; l++)
    {
      memcpy (at, s->tape.pre[l], n * s->net.width[l + 1] * sizeof *at);
      at += n * s->net.width[l + 1];
    }
  return all;
}

void
sl_sign_probe_cut (SlProbe *p)
{
  double   cut[CUTS], density[CUTS], lost[CUTS];
  size_t   units, n;
  sl_real *pre;

  if (!sl_sign_probe_rectifies (p))
    return;
  n = run (p, &units);
  pre = gather_inputs (p, n, units);
  for (int i = 0; pre != NULL && i < CUTS; i++)
    {
      cut[i] = most_cut * i / (CUTS - 1.0);
      sl_signs_cut (n * units, pre, (sl_real) cut[i], &density[i], &lost[i]);
      density[i] *= 100.0;
      lost[i] *= 100.0;
    }
  if (pre == NULL)
    return;
  sl_probe_points (p, T_CUT_DENSITY, 0, CUTS, cut, density);
  if (isfinite (lost[0]))
    sl_probe_points (p, T_CUT_LOST, 0, CUTS, cut, lost);
  p->snapshot->mark = sl_value_of (p->state, P_CUT);
  sl_probe_note (p, "%zu validation examples, weights after update %llu", n,
                 (unsigned long long) p->state->now.t);
}
