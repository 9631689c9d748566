/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/signs.h"

#include <math.h>

#include "core/nn/kernels/clones.h"

/* Sums run in LANES separate columns, so that they vectorise without reordering what the
 * standard orders; blocks are short enough for the product's precision and are added in
 * double.  */
enum { LANES = 16, BLOCK = 64 * LANES };

static double
add_up (const sl_real *lane)
{
  double sum = 0.0;

  for (int j = 0; j < LANES; j++)
    sum += lane[j];
  return sum;
}

/* n <= BLOCK. */
SL_CLONES static void
count_block (size_t n, const sl_real *pre, const sl_real *est, SlSigns *signs)
{
  int     both = 0, estimated = 0, truly = 0;
  sl_real energy[LANES] = { 0 }, lost[LANES] = { 0 }, error[LANES] = { 0 };

  for (size_t i = 0; i < n; i++)
    {
      both += est[i] > 0 && pre[i] > 0;
      estimated += est[i] > 0;
      truly += pre[i] > 0;
    }
  for (size_t i = 0; i < n; i += LANES)
    for (size_t j = 0; j < (n - i < LANES ? n - i : LANES); j++)
      {
        sl_real y = pre[i + j] > 0 ? pre[i + j] : 0, z = est[i + j] > 0 ? est[i + j] : 0;

        energy[j] += y * y;
        lost[j] += z > 0 ? 0 : y * y;
        error[j] += (z - y) * (z - y);
      }
  signs->both += both;
  signs->only_estimate += estimated - both;
  signs->only_truth += truly - both;
  signs->neither += (double) n - estimated - truly + both;
  signs->energy += add_up (energy);
  signs->lost_energy += add_up (lost);
  signs->estimate_error += add_up (error);
}

/* n <= BLOCK. */
SL_CLONES static void
drift_block (size_t n, const sl_real *w, const sl_real *anchor, double *moved, double *norm)
{
  sl_real part_moved[LANES] = { 0 }, part_norm[LANES] = { 0 };

  for (size_t i = 0; i < n; i += LANES)
    for (size_t j = 0; j < (n - i < LANES ? n - i : LANES); j++)
      {
        sl_real difference = w[i + j] - anchor[i + j];

        part_moved[j] += difference * difference;
        part_norm[j] += anchor[i + j] * anchor[i + j];
      }
  *moved += add_up (part_moved);
  *norm += add_up (part_norm);
}

double
sl_signs_drift (size_t n, const sl_real *w, const sl_real *anchor)
{
  double moved = 0.0, norm = 0.0;

  for (size_t i = 0; i < n; i += BLOCK)
    drift_block (n - i < BLOCK ? n - i : BLOCK, w + i, anchor + i, &moved, &norm);
  return sqrt (moved / norm);
}

void
sl_signs_count (size_t n, const sl_real *pre, const sl_real *est, SlSigns *signs)
{
  for (size_t i = 0; i < n; i += BLOCK)
    count_block (n - i < BLOCK ? n - i : BLOCK, pre + i, est + i, signs);
}

/* n <= BLOCK. */
SL_CLONES static void
cut_block (size_t n, const sl_real *pre, sl_real cut, double *on, double *energy, double *lost)
{
  int     above = 0;
  sl_real all[LANES] = { 0 }, small[LANES] = { 0 };

  for (size_t i = 0; i < n; i++)
    above += pre[i] > cut;
  for (size_t i = 0; i < n; i += LANES)
    for (size_t j = 0; j < (n - i < LANES ? n - i : LANES); j++)
      {
        sl_real y = pre[i + j] > 0 ? pre[i + j] : 0;

        all[j] += y * y;
        small[j] += y > cut ? 0 : y * y;
      }
  *on += above;
  *energy += add_up (all);
  *lost += add_up (small);
}

void
sl_signs_cut (size_t n, const sl_real *pre, sl_real cut, double *density, double *lost)
{
  double on = 0.0, energy = 0.0, small = 0.0;

  for (size_t i = 0; i < n; i += BLOCK)
    cut_block (n - i < BLOCK ? n - i : BLOCK, pre + i, cut, &on, &energy, &small);
  *density = on / (double) n;
  *lost = small / energy;
}

static double
total_units (const SlSigns *s)
{
  return s->both + s->only_estimate + s->only_truth + s->neither;
}

double
sl_signs_agreement (const SlSigns *s)
{
  return (s->both + s->neither) / total_units (s);
}

double
sl_signs_all_off (const SlSigns *s)
{
  return (s->only_estimate + s->neither) / total_units (s);
}

double
sl_signs_recall (const SlSigns *s)
{
  return s->both / (s->both + s->only_truth);
}

double
sl_signs_precision (const SlSigns *s)
{
  return s->both / (s->both + s->only_estimate);
}

double
sl_signs_false_alarm (const SlSigns *s)
{
  return s->only_estimate / (s->only_estimate + s->neither);
}

double
sl_signs_lost (const SlSigns *s)
{
  return s->lost_energy / s->energy;
}

double
sl_signs_density (const SlSigns *s)
{
  return (s->both + s->only_estimate) / total_units (s);
}

double
sl_signs_truth (const SlSigns *s)
{
  return (s->both + s->only_truth) / total_units (s);
}

double
sl_signs_estimate_error (const SlSigns *s)
{
  return s->energy > 0 ? sqrt (s->estimate_error / s->energy) : (double) NAN;
}

double
sl_signs_gated_error (const SlSigns *s)
{
  return s->energy > 0 ? sqrt (s->lost_energy / s->energy) : (double) NAN;
}

double
sl_signs_dense_flops (double inputs, double units)
{
  return 2.0 * inputs * units;
}

double
sl_signs_gated_flops (double inputs, double units, double rank, double density)
{
  return rank * (2.0 * inputs + 2.0 * units - 1.0) + 2.0 * density * inputs * units;
}
