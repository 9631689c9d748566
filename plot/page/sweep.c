/* SPDX-License-Identifier: MIT
 *
 * The page of runs that are compared.  */
#include "plot/page/sweep.h"

#include <math.h>
#include <string.h>

#include "plot/charts/trade.h"
#include "plot/page/private.h"

enum {
  PANELS = 2,      /* of curves */
  LINES = 3,       /* of a panel, of which one is compared */
  NUMBERS = 6,     /* columns of the table */
  SAMPLES = 40000, /* of a panel: what of many runs a page of 2 MB has room for */
  LEAST = 100,     /* of a curve */
};

static char *
words_of (const char *packed)
{
  char text[SL_TRADE_SAID];

  return g_strdup (sl_message_show (packed, NULL, text, sizeof text));
}

/* ---- what it is about ---- */

static void
append_count (GString *out, guint n, const char *one)
{
  g_string_append_printf (out, "%u %s%s", n, one, n != 1 ? "s" : "");
}

/* "Experts: Gate, Experts per example k" */
static char *
title_of (const SlTrade *trade)
{
  GString *title = g_string_new (trade->lab->title);

  for (unsigned i = 0; i < trade->n_varies; i++)
    g_string_append_printf (title, "%s%s", i > 0 ? ", " : ": ",
                            trade->lab->params[trade->varies[i]].title);
  return g_string_free (title, FALSE);
}

/* How many different numbers there are of something that runs have. */
static guint
count_seeds (const SlTrade *trade)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < trade->runs->len; i++)
    g_hash_table_add (seen, (gpointer) &sl_trade_run (trade, i)->run->seed);
  return g_hash_table_size (seen);
}

static guint
count_settings (const SlTrade *trade)
{
  guint most = 0;

  for (guint i = 0; i < trade->runs->len; i++)
    most = MAX (most, sl_trade_run (trade, i)->setting + 1);
  return most;
}

static void
append_left_out (GString *out, const SlTrade *trade)
{
  g_autofree char  *x = words_of (sl_trade_x (trade).label);
  g_autofree char  *y = words_of (sl_trade_y (trade).label);
  const char *const why[SL_N_TRADE_PARTS] = { [SL_TRADE_DIVERGED] = "diverged",
                                              [SL_TRADE_PRUNED] = "not over",
                                              [SL_TRADE_NO_X] = x,
                                              [SL_TRADE_NO_Y] = y };
  bool              any = false;

  for (unsigned part = SL_TRADE_DIVERGED; part < SL_N_TRADE_PARTS; part++)
    {
      if (trade->part[part] == 0)
        continue;
      g_string_append (out, any ? ", " : ". No point of the trade-off: ");
      g_string_append_printf (out, "%u %s%s", trade->part[part],
                              part >= SL_TRADE_NO_X ? "without " : "", why[part]);
      any = true;
    }
}

/* "24 runs: 8 settings, 3 seeds, on MNIST" */
static char *
caption_of (const SlTrade *trade)
{
  GString    *out = g_string_new (NULL);
  const char *data = sl_data_sets_title (&trade->data, sl_trade_run (trade, 0)->run);

  append_count (out, trade->runs->len, "run");
  g_string_append (out, ": ");
  append_count (out, count_settings (trade), "setting");
  g_string_append (out, ", ");
  append_count (out, count_seeds (trade), "seed");
  if (sl_data_sets_count (&trade->data) == 1 && *data != '\0')
    g_string_append_printf (out, ", on %s", data);
  if (trade->part[SL_TRADE_IN] > 0)
    append_left_out (out, trade);
  g_string_append_c (out, '.');
  return g_string_free (out, FALSE);
}

/* ---- the trade-off ---- */

static void
put_points (SlPage *page, const SlFront *front, const SlFigure *figure)
{
  sl_page_open (page, "points", '[');
  for (unsigned i = 0; i < front->n; i++)
    {
      const SlFrontPoint *point = &front->point[i];
      char                text[1024];

      sl_page_open (page, NULL, '{');
      sl_page_number (page, "point", (double) point->key);
      sl_page_text (page, "text", sl_front_text (front, figure, i, text, sizeof text));
      sl_page_number (page, "x", point->x);
      sl_page_number (page, "y", point->y);
      sl_page_bool (page, "best", front->frontier && point->best);
      sl_page_close (page);
    }
  sl_page_close (page);
}

static void
put_trade (SlPage *page, const SlTrade *trade)
{
  SlFigure figure = { 0 };
  SlFront  front = { 0 };
  bool     drawn;

  sl_trade_figure (trade, &front, &figure);
  drawn = front.n > 0 && sl_front_update (&front, &figure);
  sl_page_open (page, "trade", '[');
  if (drawn)
    sl_page_figure (page, "trade", &figure);
  sl_page_close (page);
  if (!drawn)
    sl_front_empty (&front);
  put_points (page, &front, &figure);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* ---- the table ---- */

static void
put_field (SlPage *page, const char *id, const char *title, const char *unit, bool number)
{
  sl_page_open (page, NULL, '{');
  sl_page_text (page, "id", id);
  sl_page_text (page, "title", title);
  sl_page_text (page, "unit", unit);
  sl_page_bool (page, "number", number);
  sl_page_close (page);
}

static bool
is_number (const SlParam *param)
{
  return param->kind != SL_CHOICE && param->kind != SL_LIST;
}

/* Whether some run is not as most are: finished. */
static bool
tells_state (const SlTrade *trade)
{
  for (guint i = 0; i < trade->runs->len; i++)
    if (sl_trade_run (trade, i)->run->status != SL_RUN_FINISHED)
      return true;
  return false;
}

/* The error under its own name says the same. */
static bool
is_doubled (const SlTrade *trade, const char *id)
{
  const char *split = trade->split == SL_TRADE_TEST ? "test." : "valid.";

  return g_str_has_prefix (id, split) && g_strcmp0 (id + strlen (split), trade->lab->error) == 0;
}

static void
add_measure (const SlTrade *trade, const GPtrArray *runs, const char *id, GArray *measures)
{
  SlMeasure measure;

  if (measures->len == NUMBERS || is_doubled (trade, id)
      || !sl_measure_find (&measure, id, trade->lab, runs)
      || (measure.kind == SL_MEASURE_FIELD && sl_field_param (&measure.field) != NULL))
    return;
  for (guint m = 0; m < measures->len; m++)
    if (g_array_index (measures, SlMeasure, m).id == measure.id)
      return;
  g_array_append_val (measures, measure);
}

/* Both axes, the error of either split, costs, then what the lab tells of the test data; of SlMeasure. */
static GArray *
measures_of (const SlTrade *trade)
{
  GArray *measures = g_array_new (FALSE, FALSE, sizeof (SlMeasure));
  g_autoptr (GPtrArray) runs = sl_trade_list (trade);
  g_autofree char *valid = g_strconcat ("valid.", sl_given (trade->lab->error), NULL);

  add_measure (trade, runs, trade->y.id, measures);
  add_measure (trade, runs, "error", measures);
  add_measure (trade, runs, valid, measures);
  add_measure (trade, runs, trade->x.id, measures);
  for (SlCost cost = 0; cost < SL_N_COSTS; cost++)
    add_measure (trade, runs, sl_cost_id (cost), measures);
  for (const SlScore *score = trade->lab->scores; score != NULL && score->id != NULL; score++)
    {
      g_autofree char *id = g_strconcat ("test.", score->id, NULL);

      add_measure (trade, runs, id, measures);
    }
  add_measure (trade, runs, "step", measures);
  return measures;
}

static void
put_fields (SlPage *page, const SlTrade *trade, const GArray *measures)
{
  sl_page_open (page, "fields", '[');
  for (unsigned i = 0; i < trade->n_varies; i++)
    {
      const SlParam *param = &trade->lab->params[trade->varies[i]];

      put_field (page, param->id, param->title, sl_given (param->unit), is_number (param));
    }
  if (sl_data_sets_count (&trade->data) > 1)
    put_field (page, "data", "Data", "", false);
  put_field (page, "seed", "Seed", "", true);
  if (tells_state (trade))
    put_field (page, "status", "State", "", false);
  for (guint m = 0; m < measures->len; m++)
    {
      const SlMeasure *measure = &g_array_index (measures, SlMeasure, m);
      SlAxis           axis = sl_trade_axis (trade, measure);
      g_autofree char *title = words_of (axis.label);

      put_field (page, measure->id, title, sl_given (axis.unit), true);
    }
  put_field (page, "name", "Name", "", false);
  put_field (page, "command", "Command", "", false);
  sl_page_close (page);
}

static void
put_setting (SlPage *page, const SlTrade *trade, const SlStoreRun *run, unsigned param)
{
  const SlParam *of = &trade->lab->params[param];

  if (is_number (of))
    sl_page_number (page, NULL, sl_store_run_value (run, param).v[0]);
  else
    {
      g_autofree char *text = sl_tradeoff_text (trade->lab, run->settings, &param, 1, false);

      sl_page_text (page, NULL, text);
    }
}

/* In the order of the fields. */
static void
put_values (SlPage *page, const SlPageSweep *sweep, guint at, const GArray *measures)
{
  const SlTrade    *trade = sweep->trade;
  const SlStoreRun *run = sl_trade_run (trade, at)->run;
  g_autofree char  *command = sweep->command != NULL ? sweep->command (sweep->data, at) : NULL;

  sl_page_open (page, "values", '[');
  for (unsigned i = 0; i < trade->n_varies; i++)
    put_setting (page, trade, run, trade->varies[i]);
  if (sl_data_sets_count (&trade->data) > 1)
    sl_page_text (page, NULL, sl_data_sets_title (&trade->data, run));
  sl_page_number (page, NULL, (double) run->seed);
  if (tells_state (trade))
    sl_page_text (page, NULL, sl_run_status_text (run->status));
  for (guint m = 0; m < measures->len; m++)
    sl_page_number (page, NULL,
                    sl_trade_value (trade, &g_array_index (measures, SlMeasure, m), run));
  sl_page_text (page, NULL, run->name);
  sl_page_text (page, NULL, command);
  sl_page_close (page);
}

static void
put_runs (SlPage *page, const SlPageSweep *sweep, const GArray *measures)
{
  sl_page_open (page, "runs", '[');
  for (guint i = 0; i < sweep->trade->runs->len; i++)
    {
      const SlTradeRun *run = sl_trade_run (sweep->trade, i);
      g_autofree char  *title = sl_trade_run_title (sweep->trade, i, true);

      sl_page_open (page, NULL, '{');
      sl_page_text (page, "title", title);
      sl_page_number (page, "point", run->point);
      put_values (page, sweep, i, measures);
      sl_page_close (page);
    }
  sl_page_close (page);
}

/* ---- curves ---- */

/* The runs, of which one channel is drawn. */
typedef struct
{
  const SlPageSweep *sweep;
  const char        *channel; /* id */
} Line;

static const SlSeries *
series_of (void *data, guint run, const char *channel)
{
  const Line *line = data;

  return strcmp (channel, line->channel) == 0
           ? line->sweep->series (line->sweep->data, run, channel)
           : NULL;
}

/* The channel of the panel that is compared: the error of the validation examples, or the first that is measured.  NULL:
 * there is none, or there are many.  */
static const SlChannel *
channel_of (const SlLab *lab, unsigned panel, const SlLayout *layout)
{
  const SlChannel *first = NULL;
  unsigned         source = sl_lab_panel_source (lab, panel), n = 0;

  for (unsigned c = 0; c < layout->n; c++)
    {
      const SlChannel *channel = &layout->channel[c];

      if (channel->panel != source
          || lab->panels[source].traces[channel->trace].style != SL_MEASURED)
        continue;
      if (g_strcmp0 (channel->id, lab->valid) == 0)
        return channel;
      first = n++ == 0 ? channel : first;
    }
  return n <= LINES ? first : NULL;
}

/* A curve is called as its run, and has the unit of the axis; where runs are more than colours, those of one setting have one. */
static void
name_curves (const SlTrade *trade, SlFigure *figure)
{
  bool shared = trade->runs->len > SL_THEME_COLOURS;

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      SlCurve *curve = &figure->curve[c];

      g_strlcpy (curve->title, curve->group_title, sizeof curve->title);
      curve->group_title[0] = '\0';
      curve->slot = shared ? sl_trade_run (trade, curve->group - 1)->point : curve->slot;
      curve->slot %= SL_THEME_COLOURS;
      if (g_str_has_prefix (sl_given (figure->y.unit), curve->unit))
        curve->unit[0] = '\0'; /* it is that of the axis, cut */
    }
}

static void
put_curves (SlPage *page, const SlTrade *trade, const SlRunsChart *chart, const SlChannel *channel,
            SlFigure *figure)
{
  SlMessage title = sl_channel_title (trade->lab, channel);

  sl_runs_chart_say (chart, figure);
  name_curves (trade, figure);
  if (chart->n_lines > 1)
    sl_message_print (figure->title, sizeof figure->title, "%s: %s",
                      sl_message_word (trade->lab->panels[chart->panel].title).packed,
                      title.packed);
  page->most = MAX (SAMPLES / figure->n_curves, LEAST);
  sl_page_figure (page, trade->lab->panels[chart->panel].id, figure);
}

static bool
has_lines (const SlFigure *figure)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (figure->curve[c].series != NULL && figure->curve[c].series->n > 1)
      return true;
  return false;
}

/* Whether there was something to show. */
static bool
put_panel (SlPage *page, const SlPageSweep *sweep, unsigned panel, const SlLayout *layout)
{
  const SlChannel *channel = channel_of (sweep->trade->lab, panel, layout);
  Line             line = { sweep, channel != NULL ? channel->id : "" };
  SlRunsChart chart = { .trade = sweep->trade, .panel = panel, .series = series_of, .data = &line };
  SlFigure    figure = { 0 };
  bool        any;

  if (channel == NULL)
    return false;
  sl_overlay_begin (&figure, sweep->trade->lab, panel);
  any = figure.kind == SL_SERIES && sl_runs_chart_draw (&chart, &figure);
  sl_overlay_end (&figure);
  any = any && has_lines (&figure);
  if (any)
    put_curves (page, sweep->trade, &chart, channel, &figure);
  sl_figure_clear (&figure);
  sl_runs_chart_clear (&chart);
  return any;
}

/* The panel of the error while a run goes on, those of the front page, then the others. */
static void
put_panels (SlPage *page, const SlPageSweep *sweep)
{
  const SlLab         *lab = sweep->trade->lab;
  g_autofree SlLayout *layout = g_new (SlLayout, 1);
  g_autofree unsigned *panel = g_new (unsigned, 1 + SL_FRONT_PLOTS + lab->n_panels);
  g_autofree bool     *tried = g_new0 (bool, lab->n_panels);
  SlSettings           settings;
  unsigned             n = 0, shown = 0;
  int                  valid;

  sl_store_run_settings (sl_trade_run (sweep->trade, 0)->run, &settings);
  sl_layout_init (layout, lab, &settings);
  valid = lab->valid != NULL ? sl_layout_find (layout, lab->valid) : -1;
  if (valid >= 0)
    panel[n++] = layout->channel[valid].panel;
  n += sl_lab_front_plots (lab, &settings, sweep->dataset, panel + n);
  for (unsigned p = 0; p < lab->n_panels; p++)
    panel[n++] = p;
  sl_page_open (page, "panels", '[');
  for (unsigned i = 0; i < n && shown < PANELS; i++)
    if (!tried[panel[i]])
      {
        tried[panel[i]] = true;
        shown += put_panel (page, sweep, panel[i], layout);
      }
  sl_page_close (page);
}

GBytes *
sl_page_sweep (const SlPageSweep *sweep, GError **error)
{
  const SlTrade   *trade = sweep->trade;
  g_autofree char *title = title_of (trade), *caption = caption_of (trade);
  g_autoptr (GArray) measures = measures_of (trade);
  SlPage page;

  sl_page_begin (&page, "sweep");
  sl_page_text (&page, "title", title);
  sl_page_text (&page, "sentence", trade->lab->summary);
  sl_page_text (&page, "caption", caption);
  sl_page_text (&page, "command", sweep->sweep);
  put_trade (&page, trade);
  put_fields (&page, trade, measures);
  put_runs (&page, sweep, measures);
  put_panels (&page, sweep);
  return sl_page_end (&page, title, NULL, error);
}
