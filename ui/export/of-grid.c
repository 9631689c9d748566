/* SPDX-License-Identifier: MIT
 *
 * The plots of a run as a source of the dialog.  */
#include "core/run/base/language.h"
#include "plot/figure/panel.h"
#include "ui/export/job.h"

typedef struct
{
  SlSession      *session;
  SlPlotGrid     *grid; /* weak */
  SlExportMoment *moment;
} Plots;

static void
plots_free (gpointer data)
{
  Plots *plots = data;

  /* A window that is going has no plots any more. */
  if (plots->grid != NULL)
    sl_plot_grid_sharpen (plots->grid, FALSE);
  g_clear_weak_pointer (&plots->grid);
  sl_export_moment_free (plots->moment);
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

static void
renew (gpointer data)
{
  Plots *plots = data;

  sl_export_moment_free (plots->moment);
  plots->moment = sl_export_moment_new (plots->session, plots->grid);
}

static void
fit (gpointer data, const SlExportPanels *panels, SlExportChoice *choice)
{
  sl_export_fit_page (choice, ((Plots *) data)->moment, panels);
}

static char *
name (gpointer data, const SlExportPanels *panels, const SlExportChoice *choice)
{
  return sl_export_name (choice, ((Plots *) data)->moment, panels);
}

static GBytes *
make (gpointer data, const SlExportPanels *panels, const SlExportChoice *choice, GError **error)
{
  return sl_export_make (choice, ((Plots *) data)->moment, panels, error);
}

static gboolean
save (gpointer data, const SlExportPanels *panels, const SlExportChoice *choice, const char *path,
      GError **error)
{
  return sl_export_write (choice, ((Plots *) data)->moment, panels, path, error);
}

SlExportSource
sl_export_of_grid (SlSession *session, SlPlotGrid *grid)
{
  Plots *plots = g_new0 (Plots, 1);

  plots->session = g_object_ref (session);
  g_set_weak_pointer (&plots->grid, grid);
  sl_plot_grid_sharpen (grid, TRUE);
  plots->moment = sl_export_moment_new (session, grid);
  return (SlExportSource) { .data = plots,
                            .free = plots_free,
                            .n = sl_session_lab (session)->n_panels,
                            .kinds = SL_N_KINDS,
                            .updates = TRUE,
                            .title = title,
                            .has_data = has_data,
                            .shown = shown,
                            .is_zoomed = is_zoomed,
                            .renew = renew,
                            .fit = fit,
                            .name = name,
                            .make = make,
                            .save = save };
}
