/* SPDX-License-Identifier: MIT */
#include "ui/grid/foot.h"

#include <glib/gi18n.h>
#include <math.h>

#include "plot/base/scale.h"
#include "ui/kit/bars.h"
#include "ui/kit/widget.h"

enum { BARS_US = 400000 };

struct _SlPlotFoot
{
  GtkWidget parent_instance;

  SlFigureBars *bars;
  GtkButton    *all;

  const SlRecord *record; /* whose figures are shown; compared only */
  gint64          shown;  /* when they were brought up to date, µs */
};

G_DEFINE_FINAL_TYPE (SlPlotFoot, sl_plot_foot, GTK_TYPE_WIDGET)

/* Of one example, where the bar is of a batch.  Free with g_free(). */
static char *
one_example (const SlRecord *record)
{
  const SlTimes *times = &record->times;
  char           text[48];

  if (times->batch == 0 || isnan (times->share[0].value))
    return NULL;
  return g_strdup_printf (_ ("; a single example: time %s %%"),
                          sl_spread_text (100.0 * times->share[0].value,
                                          100.0 * times->share[0].spread, 3, text, sizeof text));
}

static void
explain (SlPlotFoot *self, const SlRecord *record)
{
  const char      *figures = sl_figure_bars_text (self->bars);
  gboolean         own = record->lab->front != NULL && record->lab->front->bars[0].title != NULL;
  g_autofree char *text = NULL;

  text = own ? g_strdup (figures)
             : g_strdup_printf (
               "%s\n%s", figures,
               _ ("Work: multiplications, against a network that computes everything. Time here: "
                  "measured on one thread, for a batch as in training; the line is that "
                  "network's. Errors: of validation examples."));
  sl_widget_tip (GTK_WIDGET (self->bars), text);
}

void
sl_plot_foot_show (SlPlotFoot *self, const SlRecord *record, gint64 now)
{
  g_autofree char *more = NULL;
  SlBarsRow        row = { .name = "" };

  g_return_if_fail (SL_IS_PLOT_FOOT (self));
  if (record == NULL || record->lab == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || (record == self->record && now - self->shown < BARS_US))
    return;
  self->record = record;
  self->shown = now;
  row.n = sl_outcome_bars (record, row.bar);
  row.more = more = one_example (record);
  sl_figure_bars_show (self->bars, &row, 1);
  explain (self, record);
}

void
sl_plot_foot_set_place (SlPlotFoot *self, gboolean shown, gboolean all)
{
  g_return_if_fail (SL_IS_PLOT_FOOT (self));
  gtk_widget_set_visible (GTK_WIDGET (self), shown);
  gtk_button_set_label (self->all, all ? _ ("Front page") : _ ("All plots"));
}

const char *
sl_plot_foot_text (SlPlotFoot *self)
{
  g_return_val_if_fail (SL_IS_PLOT_FOOT (self), "");
  return sl_figure_bars_text (self->bars);
}

static void
sl_plot_foot_dispose (GObject *object)
{
  sl_widget_dispose (object);
}

static void
sl_plot_foot_class_init (SlPlotFootClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_plot_foot_dispose;
  g_type_ensure (SL_TYPE_FIGURE_BARS);
  sl_widget_class_set_template (widget, "grid/foot.ui");
  gtk_widget_class_bind_template_child (widget, SlPlotFoot, bars);
  gtk_widget_class_bind_template_child (widget, SlPlotFoot, all);
}

static void
sl_plot_foot_init (SlPlotFoot *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
