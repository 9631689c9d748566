/* SPDX-License-Identifier: MIT */
#include "ui/runs/multiples.h"

#include "ui/charts/front-view.h"
#include "ui/kit/widget.h"

enum { CHART_WIDTH = 300, CHART_HEIGHT = 210, COLUMNS = 3 };

struct _SlRunMultiples
{
  GtkWidget parent_instance;

  GtkFlowBox  *box;
  SlFrontView *view[SL_MULTIPLES_MAX];
  const char **names[SL_MULTIPLES_MAX]; /* of the values along their x */
  unsigned     n;
};

G_DEFINE_FINAL_TYPE (SlRunMultiples, sl_run_multiples, GTK_TYPE_WIDGET)

static void
on_pick (SlRunMultiples *self, guint point, SlFrontView *view)
{
  const SlFront *front = sl_front_view_get_front (view);

  if (point < front->n)
    g_signal_emit_by_name (self, "pick", (guint) front->point[point].tag);
}

/* As many charts as there are parameters. */
static void
set_number (SlRunMultiples *self, unsigned n)
{
  for (; self->n > n; self->n--)
    {
      gtk_flow_box_remove (self->box, gtk_widget_get_parent (GTK_WIDGET (self->view[self->n - 1])));
      g_clear_pointer (&self->names[self->n - 1], g_free);
    }
  for (; self->n < n; self->n++)
    {
      SlFrontView *view = g_object_new (SL_TYPE_FRONT_VIEW, NULL);

      g_signal_connect_swapped (view, "pick", G_CALLBACK (on_pick), self);
      gtk_widget_set_size_request (GTK_WIDGET (view), CHART_WIDTH, CHART_HEIGHT);
      gtk_flow_box_append (self->box, GTK_WIDGET (view));
      self->view[self->n] = view;
    }
}

void
sl_run_multiples_show (SlRunMultiples *self, const SlRunSet *set)
{
  g_return_if_fail (SL_IS_RUN_MULTIPLES (self));
  set_number (self, set != NULL ? MIN (set->trade.n_varies, SL_MULTIPLES_MAX) : 0);
  for (unsigned i = 0; i < self->n; i++)
    {
      const char **before = self->names[i];

      sl_trade_parameter (&set->trade, i, sl_front_view_get_front (self->view[i]),
                          sl_chart_get_figure (SL_CHART (self->view[i])), &self->names[i]);
      sl_front_view_update (self->view[i]);
      g_free (before);
    }
}

unsigned
sl_run_multiples_figures (SlRunMultiples *self, SlFigure *figures[SL_MULTIPLES_MAX])
{
  g_return_val_if_fail (SL_IS_RUN_MULTIPLES (self), 0);
  for (unsigned i = 0; i < self->n; i++)
    figures[i] = sl_chart_get_figure (SL_CHART (self->view[i]));
  return self->n;
}

static void
sl_run_multiples_dispose (GObject *object)
{
  SlRunMultiples *self = SL_RUN_MULTIPLES (object);

  if (self->box != NULL)
    {
      gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->box)));
      for (; self->n > 0; self->n--)
        g_clear_pointer (&self->names[self->n - 1], g_free);
    }
  G_OBJECT_CLASS (sl_run_multiples_parent_class)->dispose (object);
}

static void
sl_run_multiples_class_init (SlRunMultiplesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_run_multiples_dispose;
  sl_signal_new (SL_TYPE_RUN_MULTIPLES, "pick", 1, G_TYPE_UINT);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
sl_run_multiples_init (SlRunMultiples *self)
{
  self->box = GTK_FLOW_BOX (gtk_flow_box_new ());
  gtk_flow_box_set_selection_mode (self->box, GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (self->box, TRUE);
  gtk_flow_box_set_max_children_per_line (self->box, COLUMNS);
  gtk_widget_set_valign (GTK_WIDGET (self->box), GTK_ALIGN_START);
  gtk_widget_set_parent (GTK_WIDGET (self->box), GTK_WIDGET (self));
}
