/* SPDX-License-Identifier: MIT
 *
 * The plots of a run as a source of the dialog.  */
#include "core/run/base/language.h"
#include "plot/figure/panel.h"
#include "ui/export/job.h"

typedef struct
{
  SlSession  *session;
  SlPlotGrid *grid; /* weak */
} Plots;

static void
plots_free (gpointer data)
{
  Plots *plots = data;

  /* A window that is going has no plots any more. */
  if (plots->grid != NULL)
    sl_plot_grid_sharpen (plots->grid, FALSE);
  g_clear_weak_pointer (&plots->grid);
  g_object_unref (plots->session);
  g_free (plots);
}

static const char *
title (gpointer data, unsigned plot)
{
  return sl_words (sl_session_lab (((Plots *) data)->session)->panels[plot].title);
}

static gboolean
has_data (gpointer data, unsigned plot)
{
  return sl_export_has_data (((Plots *) data)->session, plot);
}

static SlExportPanels
shown (gpointer data)
{
  return sl_export_shown (((Plots *) data)->grid);
}

static gboolean
is_zoomed (gpointer data, const SlExportPanels *panels)
{
  double first, last;

  return sl_export_view (panels, ((Plots *) data)->grid, &first, &last);
}

static char *
name (gpointer data, const SlExportPanels *panels, const SlExportChoice *choice)
{
  return sl_export_name (choice, ((Plots *) data)->session, panels);
}

static GBytes *
make (gpointer data, const SlExportPanels *panels, const SlExportChoice *choice, GError **error)
{
  Plots *plots = data;

  return sl_export_make (choice, plots->session, plots->grid, panels, error);
}

static gboolean
save (gpointer data, const SlExportPanels *panels, const SlExportChoice *choice, const char *path,
      GError **error)
{
  Plots *plots = data;

  return sl_export_write (choice, plots->session, plots->grid, panels, path, error);
}

SlExportSource
sl_export_of_grid (SlSession *session, SlPlotGrid *grid)
{
  Plots *plots = g_new0 (Plots, 1);

  plots->session = g_object_ref (session);
  g_set_weak_pointer (&plots->grid, grid);
  sl_plot_grid_sharpen (grid, TRUE);
  return (SlExportSource) { .data = plots,
                            .free = plots_free,
                            .n = sl_session_lab (session)->n_panels,
                            .kinds = SL_N_KINDS,
                            .updates = TRUE,
                            .title = title,
                            .has_data = has_data,
                            .shown = shown,
                            .is_zoomed = is_zoomed,
                            .name = name,
                            .make = make,
                            .save = save };
}
