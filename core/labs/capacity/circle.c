/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` about gradients around a circle of inputs.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/labs/capacity/lab.h"

enum {
  SLIDES = 61, /* exponents of the curve against a: 0 … 1.5 */
  ANGLES = 65, /* of the correlation against the angle */
  COARSE = 7,  /* the same where every point is an integral */
};

/* The angle at which exponents are compared: a quarter of the circle. */
enum { FAR_LAG = CIRCLE / 4 };

/* β² of the gradient networks. */
static double
square_at (const SlLabState *s, double a, size_t layers)
{
  Design d;

  sl_capacity_design_at (s, layers, a, &d);
  return d.law.scale * (sl_capacity_centre (&d.kernel) + sl_capacity_moving (&d.kernel));
}

static double
field_at (const SlLabState *s, double a, double angle)
{
  size_t layers = (size_t) value_of (s, P_LAYERS);

  return sl_shatter_correlation ((SlShatter) value_of (s, P_ACTIVATION), value_of (s, P_OMEGA),
                                 square_at (s, a, layers), layers, angle);
}

/* Integrals of tanh take long where layers are many: fewer points then, or none. */
static bool
is_slow (const SlLabState *s)
{
  return value_of (s, P_ACTIVATION) == SL_SHATTER_TANH;
}

/* Measured correlations by exponent, from the largest a down: dots, not a line. */
static bool
add_field_dots (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const Gradients *g = &s->now->gradient;
  unsigned         order[EXPONENTS], n = 0;
  double          *xy;

  for (unsigned e = 0; e < EXPONENTS; e++)
    {
      unsigned at = n;

      if (g->networks[e] < 2)
        continue;
      while (at > 0 && sl_capacity_exponent (s, order[at - 1]) < sl_capacity_exponent (s, e))
        {
          order[at] = order[at - 1];
          at--;
        }
      order[at] = e;
      n++;
    }
  if (n == 0)
    return true;
  xy = sl_capacity_curve (snapshot, sink, T_FIELD_DOTS, n, true);
  for (unsigned i = 0; xy != NULL && i < n; i++)
    {
      const Sum *sum = &g->cosine[order[i]][FAR_LAG];

      xy[i] = sl_capacity_exponent (s, order[i]);
      xy[n + i] = sum_mean (sum, g->networks[order[i]]);
      xy[2 * n + i] = 2.0 * sl_capacity_error (sum, g->networks[order[i]]);
    }
  return xy != NULL;
}

/* Why there are no gradient networks, where there are none; "" where there are. */
static const char *
missing (const SlLabState *s)
{
  if (value_of (s, P_GRADIENTS) == 0.0)
    return "The gradient networks are switched off.";
  if (value_of (s, P_LAYERS) > MOST_GRADIENT)
    return "No gradient networks this deep: they would have to be far wider.";
  return s->now->gradient.networks[EXPONENTS - 1] == 0 ? "No gradient networks yet." : "";
}

static SlStatus
probe_skip (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  size_t  layers = (size_t) value_of (s, P_LAYERS), n = is_slow (s) ? COARSE : SLIDES;
  bool    too_slow = is_slow (s) && layers > MOST_GRADIENT;
  double *share = sl_capacity_curve (snapshot, sink, T_SKIP_SHARE, SLIDES, false), *field;
  Design  d;

  for (size_t i = 0; share != NULL && i < SLIDES; i++)
    {
      sl_capacity_design_at (s, layers, 1.5 * (double) i / (SLIDES - 1), &d);
      share[i] = d.a;
      d.law = (SlCapacityLaw) { .scale = d.law.scale };
      share[SLIDES + i] = pow (10.0, sl_capacity_log10_skip (&d.kernel, &d.law, (double) layers));
    }
  field = share == NULL || too_slow ? share : sl_capacity_curve (snapshot, sink, T_FIELD, n, false);
  for (size_t i = 0; field != NULL && !too_slow && i < n; i++)
    {
      field[i] = 1.5 * (double) i / (double) (n - 1);
      field[n + i] = field_at (s, field[i], 2.0 * M_PI * FAR_LAG / CIRCLE);
    }
  if (field == NULL || !add_field_dots (s, sink, snapshot))
    return sl_probe_no_memory ();
  sl_capacity_design (s, &d);
  d.law = (SlCapacityLaw) { .scale = d.law.scale };
  snapshot->mark = d.a;
  snprintf (snapshot->note, SL_SNAPSHOT_NOTE, "log₁₀ F = %.4g at a = %g. %s",
            sl_capacity_log10_skip (&d.kernel, &d.law, (double) layers), d.a,
            *missing (s) != '\0' ? missing (s) : "Gradients a quarter of the circle apart.");
  return SL_SUCCESS;
}

static SlStatus
probe_trace (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  static const unsigned shown[] = { 0, 2, 4 }; /* a = 0, ½, 1 */
  const Gradients      *g = &s->now->gradient;
  char                 *note = snapshot->note;
  int                   at = 0;

  snprintf (note, SL_SNAPSHOT_NOTE, "%s", missing (s));
  for (unsigned t = 0; t < 3; t++)
    {
      unsigned e = shown[t];
      double  *xy;

      if (g->networks[e] == 0)
        continue;
      xy = sl_capacity_curve (snapshot, sink, t, CIRCLE, false);
      if (xy == NULL)
        return sl_probe_no_memory ();
      for (size_t u = 0; u < CIRCLE; u++)
        {
          xy[u] = 360.0 * (double) u / CIRCLE;
          xy[CIRCLE + u] = g->trace[e][u];
        }
      at += snprintf (note + at, SL_SNAPSHOT_NOTE - (size_t) at, "%s%.2f at a = %g",
                      at == 0 ? "Whiteness: " : ", ", sum_mean (&g->whiteness[e], g->networks[e]),
                      sl_capacity_exponent (s, e));
    }
  if (at > 0) /* that many points in so few dimensions are never quite white */
    snprintf (note + at, SL_SNAPSHOT_NOTE - (size_t) at, "; all equal %.2f, noise %.2f",
              1.0 / CIRCLE, 1.0 / (1.0 + (CIRCLE - 1) / value_of (s, P_WIDTH)));
  return SL_SUCCESS;
}

static SlStatus
probe_cosines (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const Gradients *g = &s->now->gradient;
  uint64_t         n = g->networks[EXPONENTS - 1];
  double          *cells;

  if (n == 0)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "%s", missing (s));
      return SL_SUCCESS;
    }
  cells = sl_snapshot_matrix (snapshot, 1, CIRCLE, CIRCLE);
  if (cells == NULL)
    return sl_probe_no_memory ();
  for (size_t i = 0; i < CIRCLE * CIRCLE; i++)
    cells[i] = g->map[i] / (double) n;
  snapshot->lo = -1.0;
  snapshot->hi = 1.0;
  snprintf (snapshot->note, sizeof snapshot->note, "a = %g, mean of %llu networks",
            value_of (s, P_EXPONENT), (unsigned long long) n);
  return SL_SUCCESS;
}

static SlStatus
probe_angle (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const Gradients *g = &s->now->gradient;
  unsigned         e = EXPONENTS - 1;
  size_t           layers = (size_t) value_of (s, P_LAYERS), n = is_slow (s) ? COARSE : ANGLES;
  double           a = value_of (s, P_EXPONENT), *line;
  Design           d;

  snprintf (snapshot->note, sizeof snapshot->note, "%s", missing (s));
  if (!is_slow (s) || layers <= MOST_GRADIENT)
    {
      line = sl_capacity_curve (snapshot, sink, T_ANGLE_THEORY, n, false);
      for (size_t i = 0; line != NULL && i < n; i++)
        {
          line[i] = 180.0 * (double) i / (double) (n - 1);
          line[n + i] = field_at (s, a, M_PI * (double) i / (double) (n - 1));
        }
      if (line == NULL)
        return sl_probe_no_memory ();
    }
  if (value_of (s, P_ACTIVATION) == SL_SHATTER_RECTIFIER)
    {
      line = sl_capacity_curve (snapshot, sink, T_ANGLE_BARE, ANGLES, false);
      for (size_t i = 0; line != NULL && i < ANGLES; i++)
        {
          line[i] = 180.0 * (double) i / (ANGLES - 1);
          line[ANGLES + i] = sl_shatter_feed_forward (layers, M_PI * (double) i / (ANGLES - 1));
        }
      if (line == NULL)
        return sl_probe_no_memory ();
    }
  line = sl_capacity_curve (snapshot, sink, T_ANGLE_FLOOR, 2, false);
  if (line == NULL)
    return sl_probe_no_memory ();
  sl_capacity_design_at (s, layers, a, &d);
  d.law = (SlCapacityLaw) { .scale = d.law.scale };
  line[0] = 0.0;
  line[1] = 180.0;
  line[2] = line[3] = pow (10.0, sl_capacity_log10_skip (&d.kernel, &d.law, (double) layers));
  return sl_capacity_dots (snapshot, sink, T_ANGLE_DOTS,
                           &(SlCapacityDots) { .sum = g->cosine[e],
                                               .networks = g->networks[e],
                                               .n = LAGS,
                                               .dx = 360.0 / CIRCLE,
                                               .factor = 1.0 })
           ? SL_SUCCESS
           : sl_probe_no_memory ();
}

SlStatus
sl_capacity_probe_circle (SlLabState *s, unsigned panel, SlSink *sink, SlSnapshot *snapshot)
{
  switch (panel)
    {
    case V_SKIP: return probe_skip (s, sink, snapshot);
    case V_TRACE: return probe_trace (s, sink, snapshot);
    case V_COSINES: return probe_cosines (s, sink, snapshot);
    case V_ANGLE: return probe_angle (s, sink, snapshot);
    default: return SL_SUCCESS;
    }
}
