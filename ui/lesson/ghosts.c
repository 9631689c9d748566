/* SPDX-License-Identifier: MIT */
#include "ui/lesson/ghosts.h"

#include <math.h>

/* ---- a guess as the record of a run ---- */

static void
fill_series (SlSeries *series, const double *x, const double *y, unsigned n)
{
  sl_series_truncate (series, x[0] - 1.0);
  for (unsigned i = 0; i < n; i++)
    sl_series_append (series, x[i], y[i]);
}

static void
fill_snapshot (const SlGhosts *self, SlRecord *record, const double *x, const double *y, unsigned n)
{
  SlSnapshot *snapshot = &record->snapshot[self->panel];
  double     *data;

  sl_snapshot_reset (snapshot);
  snapshot->panel = self->panel;
  snapshot->mark = (double) NAN;
  data = sl_snapshot_curve (snapshot, self->channel, n, false);
  for (unsigned i = 0; data != NULL && i < n; i++)
    {
      data[i] = x[i];
      data[n + i] = y[i];
    }
  record->has_snapshot[self->panel] = data != NULL;
  record->snapshot_version[self->panel]++;
}

void
sl_ghosts_move (SlGhosts *self, unsigned i, const double *x, const double *y, unsigned n)
{
  SlRecord *record;

  g_return_if_fail (i < self->n && n > 0);
  record = &self->record[i];
  if (sl_panel_is_series (record->lab->panels[self->panel].kind))
    fill_series (&record->series[self->channel], x, y, n);
  else
    fill_snapshot (self, record, x, y, n);
  if (self->view != NULL)
    sl_plot_view_set_ghosts (self->view, self->ghost, self->n);
}

gboolean
sl_ghosts_add (SlGhosts *self, const char *title, const double *x, const double *y, unsigned n)
{
  SlRecord *record;
  SlStatus  status;

  if (self->n > SL_GHOSTS_EARLIER)
    return TRUE;
  record = &self->record[self->n];
  status = sl_record_init (record, self->lab, &self->settings, 0);
  if (!sl_ok (&status))
    return FALSE;
  self->ghost[self->n].record = record;
  g_strlcpy (self->ghost[self->n].title, title, sizeof self->ghost[self->n].title);
  sl_ghosts_move (self, self->n++, x, y, n);
  return TRUE;
}

/* ---- the plot ---- */

static void
on_view_gone (gpointer data, GObject *view)
{
  SlGhosts *self = data;

  self->view = NULL;
}

gboolean
sl_ghosts_init (SlGhosts *self, SlPlotView *view, const SlLab *lab, const SlSettings *settings,
                const char *id)
{
  SlLayout layout;
  int      channel;

  sl_layout_init (&layout, lab, settings);
  channel = sl_layout_find (&layout, id);
  if (channel < 0)
    return FALSE;
  *self = (SlGhosts) { .view = view,
                       .lab = lab,
                       .panel = layout.channel[channel].panel,
                       .channel = (unsigned) channel,
                       .settings = *settings,
                       .record = g_new0 (SlRecord, 1 + SL_GHOSTS_EARLIER) };
  g_object_weak_ref (G_OBJECT (view), on_view_gone, self);
  return TRUE;
}

void
sl_ghosts_clear (SlGhosts *self)
{
  if (self->view != NULL)
    {
      g_object_weak_unref (G_OBJECT (self->view), on_view_gone, self);
      sl_plot_view_set_ghosts (self->view, NULL, 0);
    }
  for (unsigned i = 0; i < self->n; i++)
    sl_record_clear (&self->record[i]);
  g_clear_pointer (&self->record, g_free);
  self->view = NULL;
  self->n = 0;
}
