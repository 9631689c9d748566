/* SPDX-License-Identifier: MIT
 *
 * Curves of stored runs over each other.  They are read in a thread, once; a run that went on since
 * is read again.  */
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/background.h"
#include "core/run/base/language.h"
#include "plot/base/theme.h"
#include "plot/charts/runs.h"
#include "ui/runs/private.h"

typedef struct SlRunCurves
{
  const SlLab *lab;                  /* whose panels are in the drop-down */
  unsigned     panel[SL_PANELS_MAX]; /* its items */
  unsigned     n_panels;
  gboolean     with_files; /* there is one more item behind them */
  GHashTable  *series;     /* "run/channel/step" -> SlSeries, for what is or was shown */
  gboolean     loading;
  SlRunsChart  chart;
} Curves;

/* Titles of the lab's panels that are curves over steps; *best is the one whose channel the lab
 * keeps small.  */
static GtkStringList *
list_panels (SlRunsPage *self, const SlLab *lab, unsigned *best)
{
  Curves              *curves = self->drawn;
  GtkStringList       *titles = gtk_string_list_new (NULL);
  g_autofree SlLayout *layout = NULL;
  int                  channel;

  curves->n_panels = *best = 0;
  if (lab == NULL || self->set.items->len == 0)
    return titles;
  layout = sl_run_set_layout (self->set.items);
  channel = lab->best != NULL ? sl_layout_find (layout, lab->best) : -1;
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (lab->panels[p].kind == SL_SERIES)
      {
        if (channel >= 0 && layout->channel[channel].panel == p)
          *best = curves->n_panels;
        curves->panel[curves->n_panels++] = p;
        gtk_string_list_append (titles, sl_words (lab->panels[p].title));
      }
  return titles;
}

gboolean
sl_runs_page_fill_panels (SlRunsPage *self)
{
  Curves      *curves = self->drawn;
  const SlLab *lab = self->set.lab;
  gboolean     with_files = sl_curve_files_count (self->files) > 0;
  gboolean     other = lab != NULL && lab != curves->lab;
  guint        chosen = gtk_drop_down_get_selected (self->panel);
  g_autoptr (GtkStringList) titles = NULL;
  unsigned n, best;

  if (!other && with_files == curves->with_files)
    return FALSE;
  titles = list_panels (self, lab, &best);
  if (with_files)
    /* Translators: curves of other programs without those of stored runs. */
    gtk_string_list_append (titles, _ ("Only files"));
  n = g_list_model_get_n_items (G_LIST_MODEL (titles));
  if (other || chosen >= n)
    chosen = n == 0 ? GTK_INVALID_LIST_POSITION : best;
  curves->lab = lab;
  curves->with_files = with_files;
  self->filling = TRUE;
  gtk_drop_down_set_model (self->panel, G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (self->panel, chosen);
  self->filling = FALSE;
  return other;
}

gboolean
sl_runs_page_shows_files_alone (SlRunsPage *self)
{
  return self->drawn->with_files
         && gtk_drop_down_get_selected (self->panel) == self->drawn->n_panels;
}

/* Chooses the curves of a file that are called as channels of a panel; how many there are. */
static unsigned
choose_alike (SlRunsPage *self, const SlForeign *foreign, const SlLayout *layout, unsigned panel)
{
  unsigned n = 0;

  for (unsigned c = 0; c < layout->n; c++)
    {
      const SlForeignCurve *curve = layout->channel[c].panel == panel
                                      ? sl_foreign_find (foreign, layout->channel[c].id)
                                      : NULL;

      if (curve == NULL || curve->series.n == 0)
        continue;
      sl_curve_files_choose (self->files, curve->name, TRUE);
      n++;
    }
  return n;
}

/* Compares the curves of a file with the panel of the same names; other curves are drawn alone,
 * unless the user selected runs to compare them with.  */
void
sl_runs_page_filed (SlRunsPage *self, guint i)
{
  Curves              *curves = self->drawn;
  const SlForeign     *foreign = sl_curve_files_get (self->files, i);
  guint                shown = gtk_drop_down_get_selected (self->panel);
  g_autofree SlLayout *layout = NULL;
  g_autoptr (GPtrArray) selected = sl_run_table_get_selected (self->table);

  sl_runs_page_fill_panels (self);
  layout = self->set.items->len > 0 ? sl_run_set_layout (self->set.items) : g_new0 (SlLayout, 1);
  for (unsigned k = 0; k < curves->n_panels; k++)
    {
      /* The panel that is shown is tried first. */
      unsigned at = shown < curves->n_panels ? (k + shown) % curves->n_panels : k;

      if (choose_alike (self, foreign, layout,
                        sl_lab_panel_source (self->set.lab, curves->panel[at]))
          == 0)
        continue;
      gtk_drop_down_set_selected (self->panel, at);
      return;
    }
  if (selected->len == 0)
    gtk_drop_down_set_selected (self->panel, curves->n_panels);
}

/* One channel of one run: what it is called where series are kept. */
static char *
key_of (SlRunItem *item, const char *channel)
{
  const SlStoreRun *run = sl_run_item_run (item);

  return g_strdup_printf ("%s/%s/%" G_GUINT64_FORMAT, run->uuid, channel, run->step);
}

static void
free_series (gpointer series)
{
  if (series != NULL)
    sl_series_clear (series);
  g_free (series);
}

/* What a thread reads: for each key a series. */
typedef struct
{
  SlStore   *store;
  GPtrArray *keys;
  GPtrArray *series;
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  g_ptr_array_unref (task->keys);
  g_ptr_array_unref (task->series);
  g_free (task);
}

/* A channel that cannot be read is empty: the run may never have published it. */
static gboolean
read_channels (gpointer data, GError **error)
{
  Task *task = data;

  for (guint i = 0; i < task->keys->len; i++)
    {
      g_auto (GStrv) parts = g_strsplit (g_ptr_array_index (task->keys, i), "/", 3);
      SlSeries *series = g_new0 (SlSeries, 1);

      (void) sl_store_load_channel (task->store, parts[0], parts[1], series, NULL);
      g_ptr_array_add (task->series, series);
    }
  return TRUE;
}

static void
on_read (gpointer page, gpointer data, const GError *error)
{
  SlRunsPage *self = page;
  Task       *task = data;

  self->drawn->loading = FALSE;
  for (guint i = 0; i < task->series->len; i++)
    g_hash_table_replace (self->drawn->series, g_strdup (g_ptr_array_index (task->keys, i)),
                          g_steal_pointer (&g_ptr_array_index (task->series, i)));
  sl_runs_page_update_curves (self);
}

/* One update of the figure under way. */
typedef struct
{
  SlRunsPage *page;
  SlFigure   *figure;
  GHashTable *used; /* keys of series that are shown */
  Task       *task;
} Drawing;

/* The series if it was read, else a key for the task. */
static const SlSeries *
find_series (Drawing *d, SlRunItem *item, const char *channel)
{
  g_autofree char *key = key_of (item, channel);
  const SlSeries  *series = g_hash_table_lookup (d->page->drawn->series, key);

  if (series == NULL)
    g_ptr_array_add (d->task->keys, g_strdup (key));
  g_hash_table_add (d->used, g_steal_pointer (&key));
  return series;
}

static const SlSeries *
series_of (void *data, guint run, const char *channel)
{
  Drawing *d = data;

  return find_series (d, sl_run_set_item (&d->page->set, run), channel);
}

/* The one selected run is drawn over the others of its lab in the table that are on the same data, which are pale. */
static void
add_others (Drawing *d, const SlRunsChart *chart)
{
  SlRunItem *selected = g_ptr_array_index (d->page->set.items, 0);
  g_autoptr (GPtrArray) shown = sl_run_table_get_shown (d->page->table);

  for (guint i = 0, n = 1; i < shown->len && n < SL_RUNS_MOST; i++)
    {
      SlRunItem   *item = g_ptr_array_index (shown, i);
      SlOverlayRun run
        = { sl_run_item_name (item), sl_run_item_number (item) + 1, sl_run_item_slot (item), true };

      if (item == selected || sl_run_item_run (item)->lab != d->page->set.lab
          || sl_run_is_on_other_data (sl_run_item_run (item), sl_run_item_run (selected)))
        continue;
      n++;
      for (unsigned l = 0; l < chart->n_lines; l++)
        {
          const SlOverlayTrace *trace = &chart->line[l].trace;
          const SlSeries       *series = find_series (d, item, trace->id);

          if (series != NULL && series->n > 0
              && !sl_overlay_series (d->figure, &run, trace, series))
            return;
        }
    }
}

static gboolean
is_unused (gpointer key, gpointer series, gpointer used)
{
  return !g_hash_table_contains (used, key);
}

/* Colours that the curves have which were placed so far. */
static guint
taken_slots (const SlFigure *figure)
{
  guint taken = 0;

  for (unsigned c = 0; c < figure->placed; c++)
    taken |= figure->curve[c].ghost ? 0 : 1u << figure->curve[c].slot % SL_THEME_COLOURS;
  return taken;
}

static void
draw_files (SlRunsPage *self, SlFigure *figure)
{
  g_autofree char *title = sl_curve_files_title (self->files);

  sl_overlay_begin_curves (figure, title, sl_curve_files_steps (self->files));
  sl_runs_chart_clear (&self->drawn->chart);
  sl_curve_files_draw (self->files, figure, 0, TRUE);
  sl_overlay_end (figure);
}

/* Whether some group has several runs, to be a mean and a band. */
static gboolean
has_groups (const SlTrade *trade)
{
  for (guint p = 0; p < trade->points->len; p++)
    if (sl_trade_point (trade, p)->n > 1)
      return TRUE;
  return FALSE;
}

static SlRunsKind
kind_of (SlRunsPage *self)
{
  if (gtk_toggle_button_get_active (self->difference) && sl_runs_has_difference (&self->set.trade))
    return SL_RUNS_DIFFERENCE;
  if (!gtk_toggle_button_get_active (self->bands) || !has_groups (&self->set.trade))
    return SL_RUNS_EACH;
  return gtk_toggle_button_get_active (self->range) ? SL_RUNS_RANGE : SL_RUNS_INTERVAL;
}

/* The chosen panel of runs of the set; what has to be read first is in `task`. */
static void
draw_runs (SlRunsPage *self, SlFigure *figure, unsigned panel, GHashTable *used, Task *task)
{
  SlRunsChart *chart = &self->drawn->chart;
  Drawing      d = { self, figure, used, task };

  sl_overlay_begin (figure, self->set.lab, panel);
  chart->trade = &self->set.trade;
  chart->panel = panel;
  chart->kind = kind_of (self);
  chart->series = series_of;
  chart->data = &d;
  sl_runs_chart_draw (chart, figure);
  if (chart->kind == SL_RUNS_EACH && self->set.items->len == 1)
    add_others (&d, chart);
  sl_curve_files_draw (self->files, figure, taken_slots (figure), FALSE);
  sl_overlay_end (figure);
  sl_runs_chart_say (chart, figure);
}

static void
update_runs (SlRunsPage *self, SlFigure *figure, unsigned panel)
{
  Curves *curves = self->drawn;
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Task *task = g_new (Task, 1);

  *task = (Task) { g_object_ref (self->store), g_ptr_array_new_with_free_func (g_free),
                   g_ptr_array_new_with_free_func (free_series) };
  draw_runs (self, figure, panel, used, task);
  g_hash_table_foreach_remove (curves->series, is_unused, used);
  curves->loading = task->keys->len > 0;
  if (curves->loading && figure->n_curves == 0)
    g_strlcpy (figure->note, N_ ("The curves are being read."), sizeof figure->note);
  if (curves->loading)
    sl_background_run (read_channels, on_read, self, self->closing, task, free_task);
  else
    free_task (task);
}

void
sl_runs_page_update_curves (SlRunsPage *self)
{
  Curves   *curves = self->drawn;
  guint     at = gtk_drop_down_get_selected (self->panel);
  SlFigure *figure = sl_plot_view_get_figure (self->curves);

  if (curves->loading)
    return;
  if (self->set.lab != NULL && self->store != NULL && at < curves->n_panels)
    update_runs (self, figure, curves->panel[at]);
  else
    draw_files (self, figure);
  sl_plot_view_touch (self->curves);
}

void
sl_runs_page_add_curves (SlRunsPage *self)
{
  self->drawn = g_new0 (Curves, 1);
  self->drawn->series = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_series);
}

void
sl_runs_page_drop_curves (SlRunsPage *self)
{
  sl_runs_chart_clear (&self->drawn->chart);
  g_hash_table_unref (self->drawn->series);
  g_clear_pointer (&self->drawn, g_free);
}
