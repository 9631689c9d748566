/* SPDX-License-Identifier: MIT */
#include "plot/charts/runs.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "plot/base/theme.h"

void
sl_runs_chart_clear (SlRunsChart *chart)
{
  for (unsigned b = 0; b < chart->n_bands; b++)
    sl_band_clear (&chart->band[b]);
  g_clear_pointer (&chart->band, g_free);
  g_clear_pointer (&chart->line, g_free);
  chart->n_bands = chart->n_lines = 0;
}

/* A line that is alone needs no name. */
static void
find_lines (SlRunsChart *chart)
{
  const SlLab         *lab = chart->trade->lab;
  unsigned             panel = sl_lab_panel_source (lab, chart->panel);
  g_autofree SlLayout *layout = g_new (SlLayout, 1);
  SlSettings           settings;

  sl_store_run_settings (sl_trade_run (chart->trade, 0)->run, &settings);
  sl_layout_init (layout, lab, &settings);
  chart->line = g_new0 (SlRunsLine, SL_CHANNELS_MAX);
  for (unsigned c = 0; c < layout->n; c++)
    {
      const SlChannel *channel = &layout->channel[c];
      const SlTrace   *trace = &lab->panels[panel].traces[channel->trace];
      SlRunsLine      *line = &chart->line[chart->n_lines];

      if (channel->panel != panel || trace->style != SL_MEASURED)
        continue;
      line->title = sl_channel_title (lab, channel);
      line->trace = (SlOverlayTrace) { g_intern_string (channel->id), line->title.packed,
                                       trace->unit, chart->n_lines++ };
    }
  if (chart->n_lines == 1)
    chart->line[0].trace.title = NULL;
}

/* The run's own colour or, where another run of the figure has it, the next that none has. */
static unsigned
slot_of (const SlStoreRun *run, unsigned *taken)
{
  for (unsigned i = 0; i < SL_THEME_COLOURS; i++)
    {
      unsigned slot = (run->colour - 1 + i) % SL_THEME_COLOURS;

      if ((*taken & 1u << slot) != 0)
        continue;
      *taken |= 1u << slot;
      return slot;
    }
  return run->colour - 1;
}

static bool
draw_each (SlRunsChart *chart, SlFigure *figure)
{
  guint    n = chart->trade->runs->len;
  unsigned taken = 0;

  for (guint i = n > SL_RUNS_MOST ? n - SL_RUNS_MOST : 0; i < n; i++)
    {
      const SlStoreRun *of = sl_trade_run (chart->trade, i)->run;
      g_autofree char  *title = sl_trade_run_title (chart->trade, i, true);
      SlOverlayRun      run = { title, i + 1, slot_of (of, &taken), false };

      for (unsigned l = 0; l < chart->n_lines; l++)
        {
          const SlSeries *series = chart->series (chart->data, i, chart->line[l].trace.id);

          if (series != NULL && series->n > 0
              && !sl_overlay_series (figure, &run, &chart->line[l].trace, series))
            return false;
        }
    }
  return true;
}

/* The series of the runs of a point; false while some are not there yet. */
static bool
collect (SlRunsChart *chart, guint point, const char *channel, GPtrArray *series)
{
  bool all = true;

  g_ptr_array_set_size (series, 0);
  for (guint i = 0; i < chart->trade->runs->len; i++)
    {
      const SlSeries *of;

      if (sl_trade_run (chart->trade, i)->point != point
          || !sl_trade_counts (sl_trade_run (chart->trade, i)))
        continue;
      of = chart->series (chart->data, i, channel);
      all = all && of != NULL;
      if (of != NULL && of->n > 0)
        g_ptr_array_add (series, (gpointer) of);
    }
  return all;
}

/* Rising by what tells the groups apart. */
static int
compare_points (gconstpointer a, gconstpointer b, gpointer data)
{
  const SlTrade    *trade = data;
  guint             p = *(const guint *) a, q = *(const guint *) b;
  const SlStoreRun *first = sl_trade_run (trade, sl_trade_point (trade, p)->first)->run;
  const SlStoreRun *second = sl_trade_run (trade, sl_trade_point (trade, q)->first)->run;
  SlFieldValue      of_first, of_second;
  int               order = 0;

  if (trade->grouped)
    {
      sl_field_read (&trade->field, first, &of_first);
      sl_field_read (&trade->field, second, &of_second);
      order = sl_field_compare (&of_first, &of_second);
    }
  for (unsigned i = 0; i < trade->n_varies && !trade->grouped && order == 0; i++)
    {
      const SlParam *params = trade->lab->params;
      double         less = sl_packed_value (first->settings, params, trade->varies[i]).v[0];
      double         more = sl_packed_value (second->settings, params, trade->varies[i]).v[0];

      order = (less > more) - (less < more);
    }
  return order != 0 ? order : (p > q) - (p < q);
}

static guint *
points_in_order (SlTrade *trade)
{
  guint *order = g_new (guint, trade->points->len + 1);

  for (guint p = 0; p < trade->points->len; p++)
    order[p] = p;
  g_qsort_with_data (order, (int) trade->points->len, sizeof *order, compare_points, trade);
  return order;
}

static bool
draw_bands (SlRunsChart *chart, SlFigure *figure)
{
  g_autofree guint *order = points_in_order ((SlTrade *) chart->trade);
  SlBandKind        kind = chart->kind == SL_RUNS_RANGE ? SL_BAND_RANGE : SL_BAND_INTERVAL;
  g_autoptr (GPtrArray) series = g_ptr_array_new ();

  chart->band = g_new0 (SlBand, chart->trade->points->len * chart->n_lines + 1);
  for (guint i = 0; i < chart->trade->points->len; i++)
    {
      guint            p = order[i];
      g_autofree char *title = sl_trade_title (chart->trade, p, true), *counted = NULL;

      for (unsigned l = 0; l < chart->n_lines; l++)
        {
          SlBand      *band = &chart->band[chart->n_bands];
          bool         all = collect (chart, p, chart->line[l].trace.id, series);
          SlOverlayRun run = { NULL, p + 1, p, false };

          if (!all || series->len == 0
              || !sl_band_make (band, (const SlSeries *const *) series->pdata, series->len, kind))
            continue;
          chart->n_bands++;
          if (counted == NULL)
            counted = g_strdup_printf ("%s (n = %u)", title, band->n);
          run.title = counted;
          if (!sl_overlay_band (figure, &run, &chart->line[l].trace, band))
            return false;
        }
    }
  return true;
}

bool
sl_runs_has_difference (const SlTrade *trade)
{
  return trade->points->len == 2;
}

static bool
draw_difference (SlRunsChart *chart, SlFigure *figure)
{
  g_autoptr (GPtrArray) first = g_ptr_array_new (), second = g_ptr_array_new ();
  g_autofree char *of_first = sl_trade_title (chart->trade, chart->trade->pair[0], true);
  g_autofree char *of_second = sl_trade_title (chart->trade, chart->trade->pair[1], true);
  g_autofree char *title = g_strdup_printf ("%s − %s", of_second, of_first);

  /* Differences have either sign, and no range that the panel would give them. */
  figure->view.log_y = false;
  figure->y = (SlAxis) {
    .label = N_ ("difference"), .unit = figure->y.unit, .least = -HUGE_VAL, .most = HUGE_VAL
  };
  chart->band = g_new0 (SlBand, chart->n_lines);
  for (unsigned l = 0; l < chart->n_lines; l++)
    {
      SlBand *band = &chart->band[chart->n_bands];
      bool    all = collect (chart, chart->trade->pair[0], chart->line[l].trace.id, first);

      all = collect (chart, chart->trade->pair[1], chart->line[l].trace.id, second) && all;
      if (!all || first->len == 0 || second->len == 0)
        continue;
      if (!sl_band_gap (band, (const SlSeries *const *) first->pdata, first->len,
                        (const SlSeries *const *) second->pdata, second->len))
        return false;
      chart->n_bands++;
      if (!sl_overlay_band (figure, &(SlOverlayRun) { title, 1, 0, false }, &chart->line[l].trace,
                            band))
        return false;
    }
  return true;
}

bool
sl_runs_chart_draw (SlRunsChart *chart, SlFigure *figure)
{
  sl_runs_chart_clear (chart);
  if (chart->trade->runs->len == 0)
    return true;
  find_lines (chart);
  if (chart->n_lines == 0)
    return true;
  if (chart->kind == SL_RUNS_EACH)
    return draw_each (chart, figure);
  if (chart->kind != SL_RUNS_DIFFERENCE)
    return draw_bands (chart, figure);
  return !sl_runs_has_difference (chart->trade) || draw_difference (chart, figure);
}

void
sl_runs_chart_say (const SlRunsChart *chart, SlFigure *figure)
{
  SlMessage        said = SL_NO_MESSAGE;
  g_autofree char *before = NULL;
  size_t           used;

  if (figure->n_curves == 0
      || (chart->kind == SL_RUNS_EACH && chart->trade->runs->len <= SL_RUNS_MOST))
    return;
  if (chart->kind == SL_RUNS_DIFFERENCE)
    {
      g_autofree char *first = sl_trade_title (chart->trade, chart->trade->pair[0], true);
      g_autofree char *second = sl_trade_title (chart->trade, chart->trade->pair[1], true);

      said = sl_message ("%s minus %s; bands: 95 %% interval by Welch.", second, first);
    }
  else if (chart->kind == SL_RUNS_EACH)
    said
      = sl_message ("The latest %u of %u runs.", (unsigned) SL_RUNS_MOST, chart->trade->runs->len);
  else if (chart->kind == SL_RUNS_RANGE)
    said = sl_message ("Means; bands from the smallest to the largest run.");
  else
    said = sl_message ("Means; bands: 95 %% intervals.");
  before = g_strdup (figure->note);
  g_strlcpy (figure->note, said.packed, sizeof figure->note);
  used = strlen (figure->note);
  if (chart->kind != SL_RUNS_EACH)
    sl_trade_say_curves (chart->trade, figure->note + used, sizeof figure->note - used);
  used = strlen (figure->note);
  if (before[0] != '\0')
    sl_message_print (figure->note + used, sizeof figure->note - used, " %s", before);
}
