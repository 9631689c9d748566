/* SPDX-License-Identifier: MIT */
#include "plot/charts/gap.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { X, Y, HALF, COLUMNS };

void
sl_gap_chart_clear (SlGapChart *chart)
{
  g_clear_pointer (&chart->names, g_ptr_array_unref);
  g_clear_pointer (&chart->value, g_array_unref);
}

/* Those that are clear, or the others, of the first mean in %; `at` has room for all.  Half widths without an interval are
 * 0.  */
static void
add_curve (const SlGapChart *chart, const GArray *gaps, gboolean clear, double *at,
           SlFigure *figure)
{
  size_t   stride = gaps->len, n = 0;
  double   place = chart->names->len - 1.0;
  SlCurve *curve;

  for (guint i = 0; i < gaps->len; i++)
    {
      const SlTradeGap *gap = &g_array_index (gaps, SlTradeGap, i);
      double            whole = fabs (gap->mean[0].mean);

      if (whole == 0.0)
        continue;
      place -= 1.0;
      if (sl_gap_is_clear (&gap->gap) != clear)
        continue;
      at[X * stride + n] = 100.0 * gap->gap.value / whole;
      at[Y * stride + n] = place;
      at[HALF * stride + n] = isnan (gap->gap.half) ? 0.0 : 100.0 * gap->gap.half / whole;
      n++;
    }
  curve = n > 0 ? sl_figure_curve (figure, clear ? "clear" : "open") : NULL;
  if (curve == NULL)
    return;
  sl_figure_follow (curve, NULL);
  g_strlcpy (curve->title, clear ? N_ ("interval without 0") : N_ ("interval with 0, or none"),
             sizeof curve->title);
  g_strlcpy (curve->unit, "%", sizeof curve->unit);
  curve->slot = clear ? 0 : 1;
  curve->ghost = !clear;
  curve->scatter = true;
  curve->x = at + X * stride;
  curve->y = at + Y * stride;
  curve->spread_x = at + HALF * stride;
  curve->n = n;
}

static void
name_all (SlGapChart *chart, const SlTrade *trade, const GArray *gaps)
{
  chart->names = g_ptr_array_new ();
  for (guint i = 0; i < gaps->len; i++)
    {
      const SlTradeGap *gap = &g_array_index (gaps, SlTradeGap, i);

      if (gap->mean[0].mean != 0.0)
        g_ptr_array_add (chart->names, (gpointer) sl_trade_axis (trade, &gap->measure).label);
    }
  g_ptr_array_add (chart->names, NULL);
}

/* Runs of a group in one of the differences, and whether others are of fewer. */
static unsigned
most_runs (const GArray *gaps, int group, bool *fewer)
{
  unsigned most = 0;

  for (guint i = 0; i < gaps->len; i++)
    most = MAX (most, g_array_index (gaps, SlTradeGap, i).gap.n[group]);
  for (guint i = 0; i < gaps->len; i++)
    *fewer = *fewer || g_array_index (gaps, SlTradeGap, i).gap.n[group] < most;
  return most;
}

gboolean
sl_gap_chart_update (SlGapChart *chart, const SlTrade *trade, const GArray *gaps, guint first,
                     guint second, SlFigure *figure)
{
  g_autofree char *of_first = sl_trade_title (trade, first, true);
  g_autofree char *of_second = sl_trade_title (trade, second, true);
  double          *at;
  unsigned         n[2];
  bool             fewer = false;
  SlMessage        said;

  sl_gap_chart_clear (chart);
  name_all (chart, trade, gaps);
  chart->value = g_array_sized_new (FALSE, TRUE, sizeof (double), 2 * COLUMNS * gaps->len + 1);
  at = (double *) (void *) chart->value->data;
  sl_message_print (figure->title, sizeof figure->title, "%s minus %s", of_second, of_first);
  figure->kind = SL_PROFILE;
  figure->mark = 0.0;
  figure->x = (SlAxis) { .label = N_ ("second minus first"),
                         .unit = /* xgettext:no-c-format */ N_ ("% of the first mean"),
                         .lo = -1.0,
                         .hi = 1.0 };
  figure->y = (SlAxis) { .label = "", .unit = "" };
  figure->categories.down = true;
  figure->categories.name = (const char *const *) chart->names->pdata;
  figure->categories.n = chart->names->len - 1;
  sl_figure_begin (figure);
  add_curve (chart, gaps, TRUE, at, figure);
  add_curve (chart, gaps, FALSE, at + COLUMNS * gaps->len, figure);
  sl_figure_end (figure);
  n[0] = most_runs (gaps, 0, &fewer);
  n[1] = most_runs (gaps, 1, &fewer);
  said = fewer ? sl_message ("n = at most %u and %u; bars: 95 %% intervals by Welch.", n[0], n[1])
               : sl_message ("n = %u and %u; bars: 95 %% intervals by Welch.", n[0], n[1]);
  g_snprintf (figure->note, sizeof figure->note, "%s%s", said.packed,
              sl_trade_say_mix (trade, sl_trade_counts).packed);
  figure->version++;
  return chart->names->len > 1;
}
