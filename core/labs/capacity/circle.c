/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` about gradients around a circle of inputs.  */
#include <math.h>

#include "core/labs/capacity/probes.h"

enum {
  SLIDES = 61, /* exponents of the curve against a: 0 … 1.5 */
  ANGLES = 65, /* of the correlation against the angle */
  COARSE = 7,  /* the same where every point is an integral */
};

/* The angle at which exponents are compared: a quarter of the circle. */
enum { FAR_LAG = CIRCLE / 4 };

/* β² of the gradient networks. */
static double
square_at (const SlCapacityLab *s, double a, size_t layers)
{
  Design d;

  sl_capacity_design_at (s, layers, a, &d);
  return d.law.scale * (sl_capacity_centre (&d.kernel) + sl_capacity_moving (&d.kernel));
}

static double
field_at (const SlCapacityLab *s, double a, double angle)
{
  size_t layers = sl_count_of (&s->base, P_LAYERS);

  return sl_shatter_correlation ((SlShatter) sl_value_of (&s->base, P_ACTIVATION),
                                 sl_value_of (&s->base, P_OMEGA), square_at (s, a, layers), layers,
                                 angle);
}

/* Integrals of tanh take long where layers are many: fewer points then, or none. */
static bool
is_slow (const SlCapacityLab *s)
{
  return sl_value_of (&s->base, P_ACTIVATION) == SL_SHATTER_TANH;
}

/* Measured correlations by exponent, from the largest a down: dots, not a line. */
static void
add_field_dots (SlProbe *p, const SlCapacityLab *s)
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
  xy = n == 0 ? NULL : sl_probe_curve (p, T_FIELD_DOTS, 0, n, true);
  for (unsigned i = 0; xy != NULL && i < n; i++)
    {
      const Sum *sum = &g->cosine[order[i]][FAR_LAG];

      xy[i] = sl_capacity_exponent (s, order[i]);
      xy[n + i] = sum_mean (sum, g->networks[order[i]]);
      xy[2 * n + i] = 2.0 * sl_capacity_error (sum, g->networks[order[i]]);
    }
}

/* Why there are no gradient networks, where there are none; "" where there are. */
static const char *
missing (const SlCapacityLab *s)
{
  if (!sl_is_on (&s->base, P_GRADIENTS))
    return SL_MARK ("The gradient networks are switched off.");
  if (sl_value_of (&s->base, P_LAYERS) > MOST_GRADIENT)
    return SL_MARK ("No gradient networks at this depth: they would be far wider.");
  return s->now->gradient.networks[EXPONENTS - 1] == 0 ? SL_MARK ("No gradient networks yet.") : "";
}

void
sl_capacity_probe_skip (SlProbe *p)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);
  size_t         layers = sl_count_of (&s->base, P_LAYERS), n = is_slow (s) ? COARSE : SLIDES;
  double         x[SLIDES], y[SLIDES];
  Design         d;

  for (size_t i = 0; i < SLIDES; i++)
    {
      sl_capacity_design_at (s, layers, 1.5 * (double) i / (SLIDES - 1), &d);
      x[i] = d.a;
      y[i] = pow (10.0, sl_capacity_design_log10_skip (&d));
    }
  sl_probe_points (p, T_SKIP_SHARE, 0, SLIDES, x, y);
  if (!is_slow (s) || layers <= MOST_GRADIENT)
    {
      for (size_t i = 0; i < n; i++)
        {
          x[i] = 1.5 * (double) i / (double) (n - 1);
          y[i] = field_at (s, x[i], 2.0 * M_PI * FAR_LAG / CIRCLE);
        }
      sl_probe_points (p, T_FIELD, 0, n, x, y);
    }
  add_field_dots (p, s);
  sl_capacity_design (s, &d);
  p->snapshot->mark = d.a;
  sl_probe_note (p, "log₁₀ F = %.4g at a = %g. %s", sl_capacity_design_log10_skip (&d), d.a,
                 *missing (s) != '\0'
                   ? sl_message_word (missing (s)).packed
                   : sl_message ("Gradients a quarter of the circle apart.").packed);
}

void
sl_capacity_probe_trace (SlProbe *p)
{
  SlCapacityLab        *s = sl_capacity_lab (p->state);
  static const unsigned shown[] = { 0, 2, 4 }; /* a = 0, ½, 1 */
  const Gradients      *g = &s->now->gradient;
  bool                  any = false;

  for (unsigned t = 0; t < 3; t++)
    {
      unsigned e = shown[t];
      double  *xy, white;

      if (g->networks[e] == 0)
        continue;
      xy = sl_probe_curve (p, t, 0, CIRCLE, false);
      if (xy == NULL)
        return;
      for (size_t u = 0; u < CIRCLE; u++)
        {
          xy[u] = 360.0 * (double) u / CIRCLE;
          xy[CIRCLE + u] = g->trace[e][u];
        }
      white = sum_mean (&g->whiteness[e], g->networks[e]);
      if (any)
        sl_probe_note (p, ", %.2f at a = %g", white, sl_capacity_exponent (s, e));
      else
        sl_probe_note (p, "Whiteness: %.2f at a = %g", white, sl_capacity_exponent (s, e));
      any = true;
    }
  if (any) /* that many points in so few dimensions are never quite white */
    sl_probe_note (p, "; all equal %.2f, noise %.2f", 1.0 / CIRCLE,
                   1.0 / (1.0 + (CIRCLE - 1) / sl_value_of (&s->base, P_WIDTH)));
  else
    p->snapshot->note = sl_message_word (missing (s));
}

void
sl_capacity_probe_cosines (SlProbe *p)
{
  SlCapacityLab   *s = sl_capacity_lab (p->state);
  const Gradients *g = &s->now->gradient;
  uint64_t         n = g->networks[EXPONENTS - 1];
  double          *cells;

  if (n == 0)
    {
      p->snapshot->note = sl_message_word (missing (s));
      return;
    }
  cells = sl_probe_matrix (p, 1, CIRCLE, CIRCLE);
  if (cells == NULL)
    return;
  for (size_t i = 0; i < CIRCLE * CIRCLE; i++)
    cells[i] = g->map[i] / (double) n;
  p->snapshot->lo = -1.0;
  p->snapshot->hi = 1.0;
  sl_probe_note (p, "a = %g, mean of %llu networks", sl_value_of (&s->base, P_EXPONENT),
                 (unsigned long long) n);
}

void
sl_capacity_probe_angle (SlProbe *p)
{
  SlCapacityLab   *s = sl_capacity_lab (p->state);
  const Gradients *g = &s->now->gradient;
  unsigned         e = EXPONENTS - 1;
  size_t           layers = sl_count_of (&s->base, P_LAYERS), n = is_slow (s) ? COARSE : ANGLES;
  double           a = sl_value_of (&s->base, P_EXPONENT), x[ANGLES], y[ANGLES], skip;
  Design           d;

  p->snapshot->note = sl_message_word (missing (s));
  if (!is_slow (s) || layers <= MOST_GRADIENT)
    {
      for (size_t i = 0; i < n; i++)
        {
          x[i] = 180.0 * (double) i / (double) (n - 1);
          y[i] = field_at (s, a, M_PI * (double) i / (double) (n - 1));
        }
      sl_probe_points (p, T_ANGLE_THEORY, 0, n, x, y);
    }
  if (sl_value_of (&s->base, P_ACTIVATION) == SL_SHATTER_RECTIFIER)
    {
      for (size_t i = 0; i < ANGLES; i++)
        {
          x[i] = 180.0 * (double) i / (ANGLES - 1);
          y[i] = sl_shatter_feed_forward (layers, M_PI * (double) i / (ANGLES - 1));
        }
      sl_probe_points (p, T_ANGLE_BARE, 0, ANGLES, x, y);
    }
  sl_capacity_design_at (s, layers, a, &d);
  skip = pow (10.0, sl_capacity_design_log10_skip (&d));
  sl_probe_points (p, T_ANGLE_FLOOR, 0, 2, (double[]) { 0.0, 180.0 }, (double[]) { skip, skip });
  sl_capacity_dots (p, T_ANGLE_DOTS,
                    &(SlCapacityDots) { .sum = g->cosine[e],
                                        .networks = g->networks[e],
                                        .n = LAGS,
                                        .dx = 360.0 / CIRCLE,
                                        .factor = 1.0 });
}
