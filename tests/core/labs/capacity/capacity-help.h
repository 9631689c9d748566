/* SPDX-License-Identifier: MIT
 *
 * What the tests of capacity propagation share: golden numbers by group and index, and runs
 * through many layers that check conservation at each.  */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/capacity/math/forms.h"
#include "core/labs/capacity/math/limit.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

enum { MOST = 4097 };

static JsonObject *golden; /* the whole file */

/* Half a unit of the sixth decimal, and a little for the decimal number itself. */
static const double SIX = 5.1e-7;

static inline JsonObject *
group (const char *name)
{
  return json_object_get_object_member (golden, name);
}

static inline double
number (JsonObject *object, const char *name, guint i)
{
  JsonArray *array = json_object_get_array_member (object, name);

  g_assert_cmpuint (i, <, json_array_get_length (array));
  return json_array_get_double_element (array, i);
}

static inline guint
length (JsonObject *object, const char *name)
{
  return json_array_get_length (json_object_get_array_member (object, name));
}

static inline JsonObject *
element (const char *name, guint i)
{
  return json_array_get_object_element (json_object_get_array_member (golden, name), i);
}

/* Elements of an array of the file. */
static inline guint
count (const char *name)
{
  return json_array_get_length (json_object_get_array_member (golden, name));
}

static inline void
expect (const double *got, JsonObject *object, const char *name, double atol)
{
  for (guint i = 0; i < length (object, name); i++)
    sl_assert_near (got[i], number (object, name, i), 0, atol);
}

/* Rate q at ±1 … ±radius. */
static inline SlCapacityKernel
even_kernel (long radius, double q)
{
  SlCapacityKernel kernel = { 0 };

  for (long k = 1; k <= radius; k++)
    {
      kernel.tap[kernel.n++] = (SlCapacityTap) { -k, q };
      kernel.tap[kernel.n++] = (SlCapacityTap) { k, q };
    }
  return kernel;
}

static inline SlCapacityLaw
law_of (SlCapacityRule rule, double a, double L)
{
  return (SlCapacityLaw) { .rule = rule, .scale = pow (L, -2.0 * a) };
}

/* L layers from what is in `profile`; checks at every layer that nothing comes or goes. */
static inline SlCapacityBuckets
run (const SlCapacityKernel *kernel, const SlCapacityLaw *law, size_t L, size_t n,
     SlCapacityEdge edge, double *profile)
{
  double            next[MOST], total = sl_capacity_sum (n, profile);
  SlCapacityBuckets buckets = { 0 };
  SlCapacityShares  shares;

  g_assert_cmpuint (n, <=, MOST);
  g_assert_true (sl_capacity_shares (kernel, law, &shares));
  for (size_t l = 0; l < L; l++)
    {
      sl_capacity_step (kernel, &shares, n, edge, profile, next, &buckets);
      memcpy (profile, next, n * sizeof *next);
      sl_assert_near (sl_capacity_sum (n, profile) + buckets.side + buckets.bias + buckets.edge,
                      total, 0, 1e-12);
    }
  return buckets;
}

static inline void
delta (double *profile, size_t n, size_t x)
{
  memset (profile, 0, n * sizeof *profile);
  profile[x] = 1.0;
}

static inline double
distance (size_t n, const double *a, const double *b)
{
  double sum = 0.0;

  for (size_t x = 0; x < n; x++)
    sum += 0.5 * fabs (a[x] - b[x]);
  return sum;
}

/* The limit on a ring, turned so that the delta is at `centre`. */
static inline void
limit (const SlCapacityKernel *kernel, double leak, size_t n, size_t centre, double *out)
{
  static double work[6 * 2 * (MOST + 1)];

  g_assert_cmpuint (sl_capacity_limit_work (n), <=, G_N_ELEMENTS (work));
  g_assert_true (
    sl_capacity_limit (kernel, 1.0, leak, n, (long) centre, SL_EDGE_PERIODIC, 1e4, out, work));
}

static inline void
gaussian (size_t n, size_t centre, double variance, double *out)
{
  for (size_t x = 0; x < n; x++)
    out[x] = sl_capacity_gaussian ((double) x, (double) centre, variance);
}

/* Share of the input `lag` steps back in a recurrent network that is to remember T steps: the
 * capacity that its side input of that step gets.  Exact for the rule; in the limit per
 * unit τ = lag/T it is λ e^(-λτ).  `moving` is Q.  */
static inline double
memory_share (SlCapacityRule rule, double lag, double T, double moving, double leak)
{
  double z = 1.0 + (moving + leak) / T;

  if (rule == SL_CAPACITY_MARKOV)
    return leak / T * pow (1.0 - leak / T, lag);
  return leak / T / z * pow ((1.0 + moving / T) / z, lag);
}

/* What is left for the initial state, or the input of a deep network, after L layers of scale s. */
static inline double
share_left (const SlCapacityShares *shares, double L)
{
  return pow (1.0 - shares->side - shares->bias, L);
}
