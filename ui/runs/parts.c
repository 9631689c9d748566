/* SPDX-License-Identifier: MIT
 *
 * Scores of the runs that are parts of a whole, as stacked bars: a bar for each setting.  */
#include "plot/charts/parts.h"

#include "ui/runs/private.h"

static const char key[] = "parts";

static SlPlotView *
view_of (SlRunsPage *self)
{
  return SL_PLOT_VIEW (gtk_stack_get_child_by_name (self->views, key));
}

void
sl_runs_page_add_parts (SlRunsPage *self)
{
  g_object_set_data_full (G_OBJECT (view_of (self)), key, g_new0 (SlPartBars, 1), g_free);
}

SlFigure *
sl_runs_page_parts_figure (SlRunsPage *self)
{
  return sl_plot_view_get_figure (view_of (self));
}

void
sl_runs_page_update_parts (SlRunsPage *self)
{
  SlPlotView *view = view_of (self);
  gboolean    has = self->set.lab != NULL && self->set.lab->parts != NULL;

  gtk_stack_page_set_visible (gtk_stack_get_page (self->views, GTK_WIDGET (view)), has);
  if (!has)
    return;
  sl_part_bars_update (g_object_get_data (G_OBJECT (view), key), &self->set.trade,
                       sl_plot_view_get_figure (view));
  sl_plot_view_touch (view);
}
