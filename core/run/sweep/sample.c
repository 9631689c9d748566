/* SPDX-License-Identifier: MIT
 *
 * Points of a sweep that are drawn, not all combinations; see sweep.h.  Each axis has a stream of its own, so that one more
 * axis moves no other, and Latin points are shuffled strata of equal chance (McKay, Beckman and Conover 1979).  */
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/base/rng.h"
#include "core/run/base/error.h"
#include "core/run/sweep/private.h"

static const char *const ids[SL_N_SWEEP_WAYS]
  = { [SL_SWEEP_GRID] = "grid", [SL_SWEEP_RANDOM] = "random", [SL_SWEEP_LATIN] = "latin" };

const char *
sl_sweep_how_id (SlSweepHow how)
{
  return ids[how];
}

gboolean
sl_sweep_set_sample (SlSweep *sweep, const char *how, unsigned points, uint64_t draw,
                     GError **error)
{
  char expected[64];
  int  way = 0;

  while (way < SL_N_SWEEP_WAYS && strcmp (how, ids[way]) != 0)
    way++;
  if (way == SL_N_SWEEP_WAYS)
    return sl_fail (error, SL_EINVAL, _ ("the way of drawing"), how, "random, latin");
  g_snprintf (expected, sizeof expected, _ ("from 1 to %d"), SL_SWEEP_VALUES_MAX);
  if (way != SL_SWEEP_GRID && (points < 1 || points > SL_SWEEP_VALUES_MAX))
    return sl_fail (error, SL_EINVAL, _ ("points to draw"), _ ("another number"), expected);
  sweep->how = (SlSweepHow) way;
  sweep->points = way != SL_SWEEP_GRID ? points : 0;
  sweep->draw = draw;
  return TRUE;
}

/* Where on its axis each point lies, 0 … 1. */
static void
draw_shares (const SlSweep *sweep, unsigned axis, double *share /* (points) */)
{
  g_autofree char *name
    = g_strconcat ("sweep.", sl_sweep_axis_id (sweep->lab, sweep->axis[axis].param), NULL);
  g_autofree uint32_t *stratum = g_new (uint32_t, sweep->points);
  SlRng                rng;

  sl_rng_init (&rng, sweep->draw, name);
  for (unsigned i = 0; i < sweep->points; i++)
    stratum[i] = i;
  if (sweep->how == SL_SWEEP_LATIN)
    sl_rng_shuffle (&rng, stratum, sweep->points);
  for (unsigned i = 0; i < sweep->points; i++)
    share[i] = sweep->how == SL_SWEEP_LATIN ? (stratum[i] + sl_rng_uniform (&rng)) / sweep->points
                                            : sl_rng_uniform (&rng);
}

/* Whole numbers have equal chances, those at the ends too. */
static double
number_at (const SlSweepAxis *axis, bool whole, double share)
{
  double lo = axis->value[0].v[0], hi = axis->value[1].v[0];

  if (axis->logarithmic)
    {
      double from = whole ? lo - 0.5 : lo, to = whole ? hi + 0.5 : hi;
      double value = from * pow (to / from, share);

      return whole ? CLAMP (round (value), lo, hi) : CLAMP (value, lo, hi);
    }
  return whole ? fmin (lo + floor (share * (hi - lo + 1)), hi) : lo + (hi - lo) * share;
}

static SlValue
value_at (const SlSweep *sweep, unsigned a, double share)
{
  const SlSweepAxis   *axis = &sweep->axis[a];
  g_autofree SlChoice *choices = NULL;
  SlParam              param = sl_sweep_axis_param (sweep->lab, axis->param, &choices);
  SlValue              value;
  char                 text[G_ASCII_DTOSTR_BUF_SIZE];
  bool                 whole = sl_param_is_whole (&param);
  SlStatus             status;

  if (!axis->range)
    return axis->value[MIN ((unsigned) (share * axis->n), axis->n - 1)];
  /* Twelve digits, so that what is written is what was drawn. */
  g_ascii_formatd (text, sizeof text, whole ? "%.0f" : "%.12g", number_at (axis, whole, share));
  status = sl_param_parse (&param, text, &value);
  return sl_ok (&status) ? value : axis->value[0];
}

void
sl_sweep_draw (const SlSweep *sweep, SlSweepPoint *point)
{
  g_autofree double *share = g_new (double, sweep->points);

  for (unsigned a = 0; a < sweep->n_axes; a++)
    {
      draw_shares (sweep, a, share);
      for (unsigned i = 0; i < sweep->points; i++)
        {
          point[i].value[a] = value_at (sweep, a, share[i]);
          /* Where between the corners of an estimate. */
          point[i].at[a] = MIN ((unsigned) (share[i] * sweep->axis[a].n), sweep->axis[a].n - 1);
        }
    }
}

/* ---- as text ---- */

/* Reads "lo:hi", with ":log" or ":lin" behind it, or nothing for the whole range of the parameter. */
gboolean
sl_sweep_read_range (const SlParam *param, const char *text, SlSweepAxis *axis, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n = g_strv_length (parts);
  bool log = n == 3 && strcmp (parts[2], "log") == 0, lin = n == 3 && strcmp (parts[2], "lin") == 0;
  SlStatus status;

  if (n < 2 || n > 3 || (n == 3 && !log && !lin) || param->kind == SL_CHOICE
      || param->kind == SL_BOOLEAN)
    return sl_fail (error, SL_EINVAL, param->id, text,
                    _ ("lo:hi, lo:hi:log, or values with commas between"));
  for (int end = 0; end < 2; end++)
    {
      status = sl_param_parse (param, parts[end], &axis->value[end]);
      if (!sl_status_good (&status, error))
        return FALSE;
    }
  axis->n = 2;
  axis->range = true;
  axis->logarithmic = log || (!lin && param->logarithmic && axis->value[0].v[0] > 0);
  if (axis->value[0].n != 1 || axis->value[1].n != 1 || !(axis->value[0].v[0] < axis->value[1].v[0])
      || (axis->logarithmic && !(axis->value[0].v[0] > 0)))
    return sl_fail (error, SL_EINVAL, param->id, text,
                    _ ("a range that rises, above 0 where it is logarithmic"));
  return TRUE;
}

char *
sl_sweep_whole_range (const SlParam *param)
{
  GString *text = g_string_new (NULL);
  char     lo[G_ASCII_DTOSTR_BUF_SIZE], hi[G_ASCII_DTOSTR_BUF_SIZE];

  if (param->kind == SL_BOOLEAN)
    return g_string_free (g_string_append (text, "no,yes"), FALSE);
  for (unsigned i = 0; param->kind == SL_CHOICE && i < sl_param_offers (param); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", param->choices[i].id);
  if (text->len == 0)
    g_string_append_printf (text, "%s:%s", g_ascii_formatd (lo, sizeof lo, "%.12g", param->lo),
                            g_ascii_formatd (hi, sizeof hi, "%.12g", param->hi));
  return g_string_free (text, FALSE);
}
