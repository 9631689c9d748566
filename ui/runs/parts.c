/* SPDX-License-Identifier: MIT
 *
 * Scores of the runs that are parts of a whole, as stacked bars: a bar for each setting.  */
#include "plot/charts/parts.h"

#include <string.h>

#include "core/run/base/language.h"
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

/* Bars are in the order of the first number that varies. */
static double
order_of (const SlRunSet *set, const SlStoreRun *run)
{
  for (unsigned i = 0; i < set->n_varied; i++)
    {
      SlKind kind = set->lab->params[set->varied[i]].kind;

      if (kind == SL_REAL || kind == SL_INTEGER)
        return sl_store_run_value (run, set->varied[i]).v[0];
    }
  return 0.0;
}

static void
add_run (const SlRunSet *set, SlRunItem *item, SlPartBars *parts)
{
  static const char test[] = "test.";
  const SlStoreRun *run = sl_run_item_run (item);
  g_autofree char  *name = sl_run_set_title (set, item, FALSE);

  for (unsigned f = 0; f < run->n_figures; f++)
    if (g_str_has_prefix (run->figure[f].name, test)
        && sl_part_bars_has (set->lab, run->figure[f].name + strlen (test)))
      sl_part_bars_add (parts, name, order_of (set, run), run->figure[f].name + strlen (test),
                        run->figure[f].value);
}

/* The titles of what varies. */
static char *
dup_axis (const SlRunSet *set)
{
  GString *x = g_string_new (NULL);

  for (unsigned i = 0; i < set->n_varied; i++)
    g_string_append_printf (x, "%s%s", i > 0 ? ", " : "",
                            sl_words (set->lab->params[set->varied[i]].title));
  return g_string_free (x, FALSE);
}

void
sl_runs_page_update_parts (SlRunsPage *self)
{
  SlPlotView      *view = view_of (self);
  SlFigure        *figure = sl_plot_view_get_figure (view);
  SlPartBars      *parts = g_object_get_data (G_OBJECT (view), key);
  gboolean         has = self->set.lab != NULL && self->set.lab->parts != NULL;
  g_autofree char *x = NULL;

  gtk_stack_page_set_visible (gtk_stack_get_page (self->views, GTK_WIDGET (view)), has);
  memset (parts, 0, sizeof *parts);
  if (!has)
    return;
  for (guint i = 0; i < self->set.items->len; i++)
    add_run (&self->set, g_ptr_array_index (self->set.items, i), parts);
  x = dup_axis (&self->set);
  sl_part_bars_update (parts, self->set.lab, x, figure);
  sl_plot_view_touch (view);
}
