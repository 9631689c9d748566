/* SPDX-License-Identifier: MIT
 *
 * Curves of stored runs over each other.  They are read in a thread, once; a run that went on since
 * is read again.  */
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/runs/private.h"

enum { RUNS_MAX = 50 };

void
sl_runs_page_fill_panels (SlRunsPage *self)
{
  const SlLab *lab = self->set.lab;
  g_autoptr (GtkStringList) titles = NULL;
  SlLayout *layout;
  unsigned  n = 0, best = 0;
  int       channel;

  if (lab == NULL || lab == self->panels_of)
    return;
  self->panels_of = lab;
  titles = gtk_string_list_new (NULL);
  layout = g_new (SlLayout, 1);
  sl_layout_init (layout, lab, &sl_run_item_run (g_ptr_array_index (self->set.items, 0))->settings);
  channel = lab->best != NULL ? sl_layout_find (layout, lab->best) : -1;
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (lab->panels[p].kind == SL_SERIES)
      {
        if (channel >= 0 && layout->channel[channel].panel == p)
          best = n;
        self->panel_at[n++] = p;
        gtk_string_list_append (titles, sl_words (lab->panels[p].title));
      }
  g_free (layout);
  self->filling = TRUE;
  gtk_drop_down_set_model (self->panel, G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (self->panel, n > 0 ? best : GTK_INVALID_LIST_POSITION);
  self->filling = FALSE;
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

GHashTable *
sl_runs_page_series_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_series);
}

/* What a thread reads. */
typedef struct
{
  SlStore   *store;
  GPtrArray *uuid, *channel, *key; /* of strings, side by side */
  GPtrArray *series;               /* of SlSeries, filled by the thread */
} Errand;

static void
free_errand (gpointer data)
{
  Errand *errand = data;

  g_object_unref (errand->store);
  g_ptr_array_unref (errand->uuid);
  g_ptr_array_unref (errand->channel);
  g_ptr_array_unref (errand->key);
  g_ptr_array_unref (errand->series);
  g_free (errand);
}

/* A channel that cannot be read is empty: the run may never have published it. */
static void
read_channels (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Errand *errand = data;

  for (guint i = 0; i < errand->uuid->len; i++)
    {
      SlSeries *series = g_new0 (SlSeries, 1);

      (void) sl_store_load_channel (errand->store, g_ptr_array_index (errand->uuid, i),
                                    g_ptr_array_index (errand->channel, i), series, NULL);
      g_ptr_array_add (errand->series, series);
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  SlRunsPage *self = SL_RUNS_PAGE (source);
  Errand     *errand = g_task_get_task_data (G_TASK (result));

  self->loading = FALSE;
  if (self->series == NULL)
    return;
  for (guint i = 0; i < errand->series->len; i++)
    g_hash_table_replace (self->series, g_strdup (g_ptr_array_index (errand->key, i)),
                          g_steal_pointer (&g_ptr_array_index (errand->series, i)));
  sl_runs_page_update_curves (self);
}

/* A channel of the chosen panel, as every run of one setting has it. */
typedef struct
{
  const SlChannel *channel;
  SlOverlayTrace   trace;
} Line;

static unsigned
lines_of (const SlLab *lab, const SlLayout *layout, unsigned panel, Line lines[SL_CHANNELS_MAX])
{
  unsigned n = 0;

  panel = sl_lab_panel_source (lab, panel);
  for (unsigned c = 0; c < layout->n; c++)
    {
      const SlChannel *channel = &layout->channel[c];
      const SlTrace   *trace = &lab->panels[panel].traces[channel->trace];

      if (channel->panel != panel || trace->style != SL_MEASURED)
        continue;
      lines[n] = (Line) { channel, { channel->id, channel->title, trace->unit, n } };
      n++;
    }
  if (n == 1)
    lines[0].trace.title = NULL;
  return n;
}

/* One update of the figure under way. */
typedef struct
{
  SlRunsPage *page;
  SlFigure   *figure;
  GHashTable *used; /* keys of series that are shown */
  Errand     *errand;
} Drawing;

/* The series if it was read, else a line on the errand. */
static SlSeries *
series_of (Drawing *d, SlRunItem *item, const SlChannel *channel)
{
  g_autofree char *key = key_of (item, channel->id);
  SlSeries        *series = g_hash_table_lookup (d->page->series, key);

  if (series == NULL)
    {
      g_ptr_array_add (d->errand->uuid, g_strdup (sl_run_item_run (item)->uuid));
      g_ptr_array_add (d->errand->channel, g_strdup (channel->id));
      g_ptr_array_add (d->errand->key, g_strdup (key));
    }
  g_hash_table_add (d->used, g_steal_pointer (&key));
  return series;
}

static void
add_runs (Drawing *d, GPtrArray *items, const Line *lines, unsigned n_lines)
{
  for (guint i = 0; i < items->len; i++)
    {
      SlRunItem   *item = g_ptr_array_index (items, i);
      SlOverlayRun run
        = { sl_run_item_title (item), sl_run_item_number (item), sl_run_item_slot (item), false };

      for (unsigned l = 0; l < n_lines; l++)
        {
          SlSeries *series = series_of (d, item, lines[l].channel);

          if (series != NULL && series->n > 0
              && !sl_overlay_series (d->figure, &run, &lines[l].trace, series))
            return;
        }
    }
}

/* One band per setting and channel. */
static void
add_bands (Drawing *d, GPtrArray *items, const Line *lines, unsigned n_lines)
{
  SlRunsPage *self = d->page;
  unsigned    group = 0;

  self->band = g_new0 (SlBand, MAX (items->len * n_lines, 1));
  for (guint i = 0; i < items->len; i++)
    {
      guint64          key = sl_run_set_key (&self->set, g_ptr_array_index (items, i));
      gboolean         first = TRUE;
      g_autofree char *title = NULL, *counted = NULL;
      unsigned         n_runs = 0;

      for (guint k = 0; k < items->len; k++)
        if (sl_run_set_key (&self->set, g_ptr_array_index (items, k)) == key)
          {
            first = first && k >= i;
            n_runs++;
          }
      if (!first)
        continue;
      group++;
      title = sl_run_set_title (&self->set, g_ptr_array_index (items, i));
      counted = g_strdup_printf ("%s (n = %u)", title, n_runs);
      for (unsigned l = 0; l < n_lines; l++)
        {
          g_autoptr (GPtrArray) runs = g_ptr_array_new ();
          SlOverlayRun run = { counted, group, group - 1, false };
          SlBand      *band = &self->band[self->n_bands];

          for (guint k = i; k < items->len; k++)
            if (sl_run_set_key (&self->set, g_ptr_array_index (items, k)) == key)
              {
                SlSeries *series = series_of (d, g_ptr_array_index (items, k), lines[l].channel);

                if (series != NULL)
                  g_ptr_array_add (runs, series);
              }
          if (runs->len < n_runs
              || !sl_band_make (band, (const SlSeries *const *) runs->pdata, runs->len,
                                gtk_toggle_button_get_active (self->range) ? SL_BAND_RANGE
                                                                           : SL_BAND_DEVIATION))
            continue;
          self->n_bands++;
          if (!sl_overlay_band (d->figure, &run, &lines[l].trace, band))
            return;
        }
    }
}

/* The second of two runs minus the first, of the first channel of the panel. */
static void
add_difference (Drawing *d, GPtrArray *items, const Line *lines)
{
  SlRunsPage      *self = d->page;
  SlRunItem       *first = g_ptr_array_index (items, 0), *second = g_ptr_array_index (items, 1);
  SlSeries        *a = series_of (d, first, lines[0].channel);
  SlSeries        *b = series_of (d, second, lines[0].channel);
  g_autofree char *title
    = g_strdup_printf ("%s − %s", sl_run_item_title (second), sl_run_item_title (first));

  if (a == NULL || b == NULL || !sl_band_difference (&self->gap, a, b))
    return;
  /* Differences have either sign. */
  d->figure->view.log_y = false;
  sl_overlay_series (d->figure,
                     &(SlOverlayRun) { title, SL_CURVES_MAX + 1, sl_run_item_slot (second), false },
                     &lines[0].trace, &self->gap);
}

static void
drop_bands (SlRunsPage *self)
{
  for (unsigned b = 0; b < self->n_bands; b++)
    sl_band_clear (&self->band[b]);
  g_clear_pointer (&self->band, g_free);
  self->n_bands = 0;
  sl_series_clear (&self->gap);
}

void
sl_runs_page_clear_curves (SlRunsPage *self)
{
  drop_bands (self);
  g_clear_pointer (&self->series, g_hash_table_unref);
}

static gboolean
is_unused (gpointer key, gpointer series, gpointer used)
{
  return !g_hash_table_contains (used, key);
}

static void
send (SlRunsPage *self, Errand *errand)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_read, NULL);

  self->loading = TRUE;
  g_task_set_task_data (task, errand, free_errand);
  g_task_run_in_thread (task, read_channels);
}

void
sl_runs_page_update_curves (SlRunsPage *self)
{
  guint     at = gtk_drop_down_get_selected (self->panel);
  SlFigure *figure = sl_plot_view_get_figure (self->curves);
  g_autoptr (GPtrArray) items = NULL;
  g_autoptr (GHashTable) used = NULL;
  g_autofree SlLayout *layout = NULL;
  g_autofree Line     *lines = NULL;
  Drawing              d = { self, figure, NULL, NULL };
  unsigned             n;

  if (self->loading)
    return;
  if (self->set.lab == NULL || at == GTK_INVALID_LIST_POSITION || self->store == NULL)
    {
      sl_figure_begin (figure);
      sl_figure_end (figure);
      drop_bands (self);
      sl_plot_view_touch (self->curves);
      return;
    }
  /* No more than can be told apart at all. */
  items = sl_run_set_newest (&self->set, RUNS_MAX);
  layout = g_new (SlLayout, 1);
  lines = g_new (Line, SL_CHANNELS_MAX);
  sl_layout_init (layout, self->set.lab, &sl_run_item_run (g_ptr_array_index (items, 0))->settings);
  n = lines_of (self->set.lab, layout, self->panel_at[at], lines);
  used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  d.used = used;
  d.errand = g_new0 (Errand, 1);
  d.errand->store = g_object_ref (self->store);
  d.errand->uuid = g_ptr_array_new_with_free_func (g_free);
  d.errand->channel = g_ptr_array_new_with_free_func (g_free);
  d.errand->key = g_ptr_array_new_with_free_func (g_free);
  d.errand->series = g_ptr_array_new_with_free_func (free_series);

  sl_overlay_begin (figure, self->set.lab, self->panel_at[at]);
  drop_bands (self);
  if (n > 0 && items->len == 2 && gtk_toggle_button_get_active (self->difference))
    add_difference (&d, items, lines);
  else if (n > 0 && gtk_toggle_button_get_active (self->bands))
    add_bands (&d, items, lines, n);
  else if (n > 0)
    add_runs (&d, items, lines, n);
  sl_overlay_end (figure);
  sl_plot_view_touch (self->curves);
  g_hash_table_foreach_remove (self->series, is_unused, used);
  if (d.errand->uuid->len > 0)
    send (self, d.errand);
  else
    free_errand (d.errand);
}
