/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` that compare: depths, where capacity went, memory, depth
 * transfer, linear models.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/math/linear.h"
#include "core/labs/capacity/probes.h"

enum { FAN = 21 }; /* depths of a fan: 1 … 1024, two per doubling */

/* Spread against depth; false where it begins later than at one layer. */
static bool
fan (SlProbe *p, const SlCapacityLab *s, unsigned trace, double a)
{
  double x[FAN], y[FAN];
  size_t n = 0;

  for (int i = 0; i < FAN; i++)
    {
      size_t layers = (size_t) lrint (exp2 (0.5 * i));
      Design d;

      sl_capacity_design_at (s, layers, a, &d);
      y[n] = sl_capacity_std (&d);
      x[n] = (double) layers;
      /* Rule M has no answer for a network too shallow; the fan begins later. */
      n += isfinite (y[n]) && (n == 0 || x[n] > x[n - 1]);
    }
  sl_probe_points (p, trace, 0, n, x, y);
  return n > 0 && x[0] <= 1.0;
}

void
sl_capacity_probe_spread (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  const Field   *field = &s->now->field;
  double         a = sl_value_of (&s->base, P_EXPONENT), layers = sl_value_of (&s->base, P_LAYERS);
  bool           whole = true;

  whole &= fan (p, s, T_FAN_NONE, 0.0);
  whole &= fan (p, s, T_FAN_HALF, 0.5);
  whole &= fan (p, s, T_FAN_ONE, 1.0);
  if (a != 0.0 && a != 0.5 && a != 1.0)
    whole &= fan (p, s, T_FAN_SET, a);
  if (!whole)
    sl_probe_note (
      p, "Where a curve is missing, P = I + A/L has no solution: too few layers for these rates.");
  sl_capacity_dots (p, T_FAN_DOTS,
                    &(SlCapacityDots) { .sum = &field->width[(size_t) layers],
                                        .networks = field->networks,
                                        .n = 1,
                                        .x0 = layers,
                                        .factor = 1.0,
                                        .root = true });
  p->snapshot->mark = layers;
  if (sl_value_of (&s->base, P_ACTIVATION) == SL_SHATTER_TANH
      && p->snapshot->note.packed[0] == '\0')
    sl_probe_note (p, "Slopes of tanh, left out here, narrow the field.");
}

void
sl_capacity_probe_where (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  const Field   *field = &s->now->field;
  double         part[N_PLACES] = { 0 }, total = 0.0, found = 0.0;
  size_t         n = field->networks < 2 ? 1 : 2; /* bars */
  Design         d;

  if (!sl_capacity_fall (p, &d))
    return;
  part[T_INPUT] = sl_capacity_sum (d.n, s->fall.profile + d.layers * d.n);
  for (size_t m = 0; m < d.layers; m++)
    {
      part[T_SIDES] += s->fall.bucket[m].side;
      part[T_BIASES] += s->fall.bucket[m].bias;
      part[T_EDGES] += s->fall.bucket[m].edge;
    }
  for (unsigned i = 0; i < N_PLACES; i++)
    {
      double *bar = sl_probe_curve (p, i, 0, n, true);

      if (bar == NULL)
        return;
      total += part[i];
      bar[n] = 100.0 * part[i];
      if (n < 2)
        continue;
      found += 100.0 * sum_mean (&field->where[i], field->networks);
      bar[1] = 1.0;
      bar[n + 1] = 100.0 * sum_mean (&field->where[i], field->networks);
      bar[2 * n + 1] = 200.0 * sl_capacity_error (&field->where[i], field->networks);
    }
  sl_probe_note (p, "Together %.10g %%", 100.0 * total);
  if (n == 2)
    sl_probe_note (p, "; random networks: %.5g %%", found);
}

/* T × the share of the input of m steps ago, in a network that is one layer over and over. */
void
sl_capacity_probe_memory (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  double         T, time, leak, exact[MOST_LAYERS], limit[MOST_LAYERS];
  Design         d;

  sl_capacity_design (s, &d);
  if (d.law.leak == 0.0)
    {
      sl_probe_note (p, "No side inputs: λ is 0.");
      return;
    }
  if (!sl_capacity_fall (p, &d))
    return;
  T = (double) d.layers;
  time = T * d.law.scale;
  leak = d.law.leak + d.law.bias;
  for (size_t m = 0; m < d.layers; m++)
    {
      exact[m] = T * s->fall.bucket[m].side;
      limit[m] = time * d.law.leak * exp (-leak * time * (double) m / T);
    }
  sl_probe_values (p, T_LAG_EXACT, 0, 0, d.layers, exact);
  sl_probe_values (p, T_LAG_LIMIT, 0, 0, d.layers, limit);
  sl_probe_note (p, "%.3g steps until half is forgotten",
                 leak * time > 0.0 ? T * M_LN2 / (leak * time) : 0.0);
  sl_capacity_dots (p, T_LAG_DOTS,
                    &(SlCapacityDots) { .sum = s->now->field.side,
                                        .networks = s->now->field.networks,
                                        .n = d.layers,
                                        .dx = 1.0,
                                        .factor = T });
}

/* How far the networks of depth 8 see: three taps of rate β²/3 each in eight layers. */
static double
transfer_reach (const SlCapacityLab *s)
{
  double           square = pow (sl_value_of (&s->base, P_STRENGTH), 2.0);
  SlCapacityKernel kernel
    = { 3, { { -1, square / 3.0 }, { 0, square / 3.0 }, { 1, square / 3.0 } } };
  SlCapacityLaw    law = { .rule = SL_CAPACITY_SQUARED, .scale = 1.0 };
  SlCapacityShares shares;

  sl_capacity_shares (&kernel, &law, &shares);
  return sqrt ((double) sl_capacity_transfer_layers (0)
               * sl_capacity_moments (&kernel, &shares).variance);
}

void
sl_capacity_probe_transfer (SlProbe *p)
{
  SlCapacityLab  *s = sl_capacity_lab (p->state);
  const Transfer *t = &s->now->transfer;
  unsigned        most = 0;

  for (unsigned e = 0; e < 3; e++)
    {
      unsigned n = 0;
      double  *xy;

      while (n < DEPTHS && t->done[n][e] > 0)
        n++;
      if (n == 0)
        continue;
      xy = sl_probe_curve (p, e, 0, n, true);
      if (xy == NULL)
        return;
      for (unsigned i = 0; i < n; i++)
        {
          Sum sum = { 0 };

          for (unsigned k = 0; k < t->done[i][e]; k++)
            sum_add (&sum, t->loss[k][i][e]);
          xy[i] = (double) sl_capacity_transfer_layers (i);
          xy[n + i] = sum_mean (&sum, t->done[i][e]);
          xy[2 * n + i] = 2.0 * sl_capacity_error (&sum, t->done[i][e]);
          most = t->done[i][e] > most ? t->done[i][e] : most;
        }
    }
  if (most == 0 || !t->finished)
    sl_probe_note (p,
                   "Seed %u: depth %zu at a = %g, update %llu of %g%s. Distance of the task: %g; "
                   "spread of the field of 8 layers: %.2f pixels",
                   t->seed + 1, sl_capacity_transfer_layers (t->depth), 0.5 * t->exponent,
                   (unsigned long long) t->updates, sl_value_of (&s->base, P_UPDATES),
                   !sl_is_on (&s->base, P_TRAIN) ? sl_message (" (switched off)").packed : "",
                   sl_value_of (&s->base, P_DISTANCE), transfer_reach (s));
  else
    sl_probe_note (p, "%u seeds, one toy task", most);
}

enum { TOY_MOST = 16 }; /* inputs of a toy */

/* dw/dθ of the toy models, (n, p); returns p. */
static size_t
toy_jacobian (unsigned model, size_t n, double *J)
{
  size_t p = model == TOY_TIED      ? (n + 1) / 2
             : model == TOY_ONE     ? 1
             : model == TOY_PRODUCT ? n - 1
                                    : n;

  memset (J, 0, n * p * sizeof *J);
  for (size_t i = 0; i < n; i++)
    switch (model)
      {
      case TOY_TIED: J[i * p + (i < p ? i : n - 1 - i)] = 1.0; break;
      case TOY_ONE: J[i] = i == n / 2; break;
      case TOY_PRODUCT: /* w₁ = w₂ w₃ at w₂ = 2, w₃ = -1 */
        if (i == 0)
          {
            J[0] = -1.0;
            J[1] = 2.0;
          }
        else
          J[i * p + i - 1] = 1.0;
        break;
      default: J[i * p + i] = 1.0; break;
      }
  return p;
}

void
sl_capacity_probe_toy (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  size_t         n = sl_count_of (&s->base, P_TOY_INPUTS), numbers, rank;
  double         c[TOY_MOST * TOY_MOST], J[TOY_MOST * TOY_MOST];
  double         k[TOY_MOST * TOY_MOST], total = 0.0, ridge = sl_value_of (&s->base, P_TOY_RIDGE),
                                 own[TOY_MOST];

  sl_linear_covariance (n, sl_value_of (&s->base, P_TOY_CORRELATION), c);
  numbers = toy_jacobian ((unsigned) sl_value_of (&s->base, P_TOY_MODEL), n, J);
  rank = sl_linear_capacity (n, numbers, c, J,
                             (SlLinearMetric) sl_value_of (&s->base, P_TOY_METRIC), k);
  if (ridge > 0.0)
    sl_linear_capacity_ridge (n, numbers, c, J, ridge, k);
  for (size_t i = 0; i < n; i++)
    {
      own[i] = k[i * n + i];
      total += own[i];
    }
  sl_probe_values (p, 0, 0, 1, n, own);
  if (ridge > 0.0)
    sl_probe_note (p, "Total %.4f: effective degrees of freedom; number of parameters: %zu", total,
                   rank);
  else
    sl_probe_note (p, "Total %.4f: the rank of J, here %zu", total, rank);
}
