/* SPDX-License-Identifier: MIT */
#include "core/run/cost/table.h"

#include <glib.h>
#include <math.h>

/* Sizes as people choose them: batches that are powers of two, but layers off them, whose strides are slow in some
 * caches.  */
static const double sides[] = { 1, 2, 5, 10, 20, 50, 100, 200, 400, 800, 1600 };
static const double examples[] = { 1, 2, 3, 4, 5, 7, 8, 12, 20, 32, 64, 128, 200, 400, 800, 1600 };
static const double depths[] = { 1, 3, 8, 20, 64, 128, 200, 400, 800, 1600 };
static const double handful[] = { 1, 2, 4, 8, 16, 32, 64, 128, 512 };
static const double widths[] = { 1, 4, 10, 20, 50, 100, 200, 400, 800 };
enum { LANES = 16 };

/* Of a side that kernels take a register at a time, and what is left over more slowly: alone, behind one register,
 * and whole registers.  */
static const double lanes[]
  = { 1, 3, 4, 8, 11, 15, 16, 17, 24, 31, 32, 64, 112, 208, 400, 800, 1600 };
static const double batches[] = { 1, 8, 64 };
static const double few[] = { 5, 20, 100, 400, 1600 };
static const double shares[] = { 0.02, 0.1, 0.3, 0.6, 1 };
static const double reach[] = { 4096, 16384, 131072, 524288, 2097152, 8388608 };
static const double lengths[] = { 16, 256, 4096, 65536, 1048576 };

typedef struct
{
  const double *at;
  unsigned      n;
} Axis;

typedef struct
{
  const char *name;
  Axis axis[SL_COST_AXES]; /* m, n, k, share; of kinds that go number by number, their number */
} Grid;

#define OF(numbers)                                                                                \
  {                                                                                                \
    numbers, G_N_ELEMENTS (numbers)                                                                \
  }
#define PRODUCT                                                                                    \
  {                                                                                                \
    OF (examples), OF (lanes), OF (depths)                                                         \
  }
#define SKIPPING                                                                                   \
  {                                                                                                \
    OF (batches), OF (few), OF (few), OF (shares)                                                  \
  }
#define FLAT                                                                                       \
  {                                                                                                \
    OF (lengths)                                                                                   \
  }

static const Grid grids[SL_N_COST_KINDS] = {
  [SL_COST_FORWARD] = { "forward", PRODUCT },
  [SL_COST_DOWN] = { "down", PRODUCT },
  [SL_COST_WEIGHTS] = { "weights", PRODUCT },
  [SL_COST_VECTOR] = { "vector", { OF (sides), OF (sides) } },
  [SL_COST_GATED] = { "gated", SKIPPING },
  [SL_COST_PICKED] = { "picked", SKIPPING },
  [SL_COST_FEW] = { "few", { OF (handful), OF (lanes), OF (widths) } },
  [SL_COST_FEW_BACK] = { "few-back", { OF (handful), OF (widths), OF (lanes) } },
  [SL_COST_FEW_OUTER] = { "few-outer", { OF (widths), OF (lanes), OF (handful) } },
  [SL_COST_STRIPS] = { "rows", { OF (handful), OF (lanes), OF (widths) } },
  [SL_COST_STRIPS_OUTER] = { "rows-outer", { OF (lanes), OF (widths), OF (handful) } },
  [SL_COST_READ] = { "read", { OF (reach) } },
  [SL_COST_LOOP] = { "loop", FLAT },
  [SL_COST_DOT] = { "dot", FLAT },
  [SL_COST_COPY] = { "copy", FLAT },
  [SL_COST_RELU] = { "relu", FLAT },
  [SL_COST_TANH] = { "tanh", FLAT },
  [SL_COST_SIGMOID] = { "sigmoid", FLAT },
  [SL_COST_DRAW] = { "draw", FLAT },
  [SL_COST_NORMAL] = { "normal", FLAT },
  [SL_COST_SOFTMAX] = { "softmax", FLAT },
  [SL_COST_DESCENT] = { "descent", FLAT },
  [SL_COST_MOMENTUM] = { "momentum", FLAT },
  [SL_COST_ADAM] = { "adam", FLAT },
};

const char *
sl_cost_kind_name (SlCostKind kind)
{
  return grids[kind].name;
}

static unsigned
axes_of (const Grid *grid)
{
  unsigned n = 0;

  while (n < SL_COST_AXES && grid->axis[n].n > 0)
    n++;
  return n;
}

unsigned
sl_cost_table_points (SlCostKind kind)
{
  unsigned points = 1;

  for (unsigned a = 0; a < axes_of (&grids[kind]); a++)
    points *= grids[kind].axis[a].n;
  return points;
}

SlCostCall
sl_cost_table_call (SlCostKind kind, unsigned point)
{
  const Grid *grid = &grids[kind];
  double      at[SL_COST_AXES] = { 1, 1, 1, 1 };

  for (unsigned a = axes_of (grid); a-- > 0;)
    {
      at[a] = grid->axis[a].at[point % grid->axis[a].n];
      point /= grid->axis[a].n;
    }
  return (
    SlCostCall) { kind, (size_t) at[0], (size_t) at[1], (size_t) at[2], 1, at[3], at[3], at[3] };
}

void
sl_cost_table_fill (SlCostKind kind, double *seconds)
{
  const Grid *grid = &grids[kind];
  unsigned    n = axes_of (grid), points = sl_cost_table_points (kind);

  /* Smaller points come first along every axis. */
  for (unsigned point = 0; point < points; point++)
    {
      unsigned stride = 1, best = 0;
      double   most = 0, ratio = 1;

      if (isfinite (seconds[point]))
        continue;
      for (unsigned a = n; a-- > 0; stride *= grid->axis[a].n)
        {
          unsigned i = point / stride % grid->axis[a].n;

          if (i == 0 || !(grid->axis[a].at[i] > most))
            continue;
          most = grid->axis[a].at[i];
          best = stride;
          ratio = most / grid->axis[a].at[i - 1];
        }
      seconds[point] = seconds[point - best] * ratio;
    }
}

/* Where a value lies on an axis: the point below and how far on, as logarithms; and by what a time is to
 * be multiplied for what lies beyond the last one.  */
static double
place (const Axis *axis, double value, unsigned *below, double *beyond)
{
  double last = axis->at[axis->n - 1];

  *below = 0;
  if (value > last)
    {
      *beyond *= value / last;
      value = last;
    }
  if (!(value > axis->at[0]))
    return 0;
  while (*below + 2 < axis->n && value > axis->at[*below + 1])
    ++*below;
  return log (value / axis->at[*below]) / log (axis->at[*below + 1] / axis->at[*below]);
}

/* Large products are computed by other kernels than small ones (core/nn/kernels/mat.c), and a time on one side says
 * nothing of the other.  */
static bool
is_large (const double *value)
{
  return value[0] >= 16 && value[1] >= 32 && value[2] >= 16
         && value[0] * value[1] * value[2] >= 1 << 20;
}

/* Seconds at sizes as they are; of a product that is large or not. */
static double
interpolate (const Grid *grid, const double *seconds, const double *value, bool large)
{
  unsigned n = axes_of (grid), below[SL_COST_AXES];
  double   on[SL_COST_AXES], beyond = 1, sum = 0, same = 0, same_weight = 0;

  for (unsigned a = 0; a < n; a++)
    on[a] = place (&grid->axis[a], value[a], &below[a], &beyond);
  for (unsigned corner = 0; corner < 1u << n; corner++)
    {
      double   weight = 1;
      unsigned point = 0;
      double   there[SL_COST_AXES], macs;

      for (unsigned a = 0; a < n; a++)
        {
          unsigned up = corner >> a & 1;

          weight *= up ? on[a] : 1 - on[a];
          point = point * grid->axis[a].n + below[a] + up;
          there[a] = grid->axis[a].at[below[a] + up];
        }
      if (!(weight > 0))
        continue;
      sum += weight * log (seconds[point]);
      if (grid->axis[0].at != examples || is_large (there) != large)
        continue;
      macs = there[0] * there[1] * there[2];
      same += weight * log (seconds[point] / macs);
      same_weight += weight;
    }
  if (same_weight > 0)
    return value[0] * value[1] * value[2] * exp (same / same_weight);
  return exp (sum) * beyond;
}

double
sl_cost_table_seconds (const double *seconds, const SlCostCall *call, double share)
{
  const Grid *grid = &grids[call->kind];
  double      value[SL_COST_AXES] = { (double) call->m, (double) call->n, (double) call->k, share };
  double      one, rest;
  bool        large = is_large (value);

  if (sl_cost_is_flat (call->kind))
    value[0] *= value[1];
  for (unsigned a = 0; a < SL_COST_AXES; a++)
    if (grid->axis[a].at == lanes)
      {
        double left = fmod (value[a], LANES), whole = value[a] - left;

        if (left == 0 || whole <= LANES)
          break;
        value[a] = LANES;
        one = interpolate (grid, seconds, value, large);
        value[a] = LANES + left;
        rest = interpolate (grid, seconds, value, large);
        value[a] = whole;
        return interpolate (grid, seconds, value, large) + fmax (rest - one, 0);
      }
  return interpolate (grid, seconds, value, large);
}
