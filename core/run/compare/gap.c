/* SPDX-License-Identifier: MIT */
#include "core/run/compare/gap.h"

#include <math.h>
#include <string.h>

#include "core/run/files/csv.h"

/* Costs, the error, and scores of its split but for those that repeat one of them. */
static gboolean
is_told (const SlTrade *trade, const char *id)
{
  const char *split = trade->split == SL_TRADE_TEST ? "test." : "valid.";

  if (sl_cost_find (id) >= 0 || strcmp (id, "error") == 0)
    return TRUE;
  return g_str_has_prefix (id, split) && sl_cost_find (id + strlen (split)) < 0
         && g_strcmp0 (id + strlen (split), trade->lab->error) != 0;
}

GArray *
sl_trade_gaps (const SlTrade *trade, guint first, guint second)
{
  GArray *gaps = g_array_new (FALSE, FALSE, sizeof (SlTradeGap));
  g_autoptr (GPtrArray) runs = sl_trade_list (trade), names = NULL;
  g_autofree SlMean *mean = g_new (SlMean, trade->points->len + 1);

  names = sl_measures (trade->lab, runs, NULL, 0);
  for (guint i = 0; i < names->len; i++)
    {
      SlTradeGap told;

      if (!is_told (trade, g_ptr_array_index (names, i))
          || !sl_measure_find (&told.measure, g_ptr_array_index (names, i), trade->lab, runs))
        continue;
      sl_trade_means (trade, &told.measure, mean);
      told.mean[0] = mean[first];
      told.mean[1] = mean[second];
      told.gap = sl_gap (&mean[first], &mean[second]);
      if (!isnan (told.gap.value))
        g_array_append_val (gaps, told);
    }
  return gaps;
}

/* "CV of importance, test", "test error (%)" */
static void
add_title (GString *csv, const SlTrade *trade, const SlMeasure *measure)
{
  SlAxis           axis = sl_trade_axis (trade, measure);
  char             label[SL_MEASURE_LABEL];
  g_autofree char *title = NULL;

  sl_message_show (axis.label, NULL, label, sizeof label);
  title = g_strdup_printf (*axis.unit != '\0' ? "%s (%s)" : "%s", label, axis.unit);
  sl_csv_text (csv, title);
}

char *
sl_trade_gaps_csv (const SlTrade *trade, const GArray *gaps, guint first, guint second)
{
  const guint point[2] = { first, second };
  GString    *csv = g_string_new (NULL);
  char        text[SL_MESSAGE_SIZE];
  SlMessage   mix = sl_trade_say_mix (trade, sl_trade_counts);

  if (mix.packed[0] != '\0')
    {
      sl_message_show (mix.packed, NULL, text, sizeof text);
      g_string_append_printf (csv, "# %s\n", g_strstrip (text));
    }
  g_string_append (csv, "name,title,");

  for (int k = 0; k < 2; k++)
    {
      g_autofree char *title = sl_trade_title (trade, point[k], true);

      for (const char *const *column
           = (const char *const[]) { "mean", "95 % interval ±", "n", NULL };
           *column != NULL; column++)
        {
          g_autofree char *name = g_strdup_printf ("%s: %s", title, *column);

          sl_csv_text (csv, name);
        }
    }
  sl_csv_text (csv, "difference");
  sl_csv_text (csv, "95 % interval ± (Welch)");
  sl_csv_text (csv, "degrees of freedom");
  sl_csv_end (csv);
  for (guint i = 0; i < gaps->len; i++)
    {
      const SlTradeGap *told = &g_array_index (gaps, SlTradeGap, i);

      sl_csv_text (csv, told->measure.id);
      add_title (csv, trade, &told->measure);
      for (int k = 0; k < 2; k++)
        {
          sl_csv_number (csv, told->mean[k].mean);
          sl_csv_number (csv, told->mean[k].half);
          sl_csv_whole (csv, told->mean[k].n);
        }
      sl_csv_number (csv, told->gap.value);
      sl_csv_number (csv, told->gap.half);
      sl_csv_number (csv, told->gap.freedom);
      sl_csv_end (csv);
    }
  return g_string_free (csv, FALSE);
}
