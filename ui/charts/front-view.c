/* SPDX-License-Identifier: MIT */
#include "ui/charts/front-view.h"

#include "ui/kit/widget.h"

struct _SlFrontView
{
  SlChart parent_instance;

  SlFront front;
  int     read; /* point, -1: none */
};

G_DEFINE_FINAL_TYPE (SlFrontView, sl_front_view, SL_TYPE_CHART)

enum { REACH = 14, TEXT = 512 };

static void
show (SlFrontView *self, int point)
{
  SlChart       *chart = SL_CHART (self);
  const SlFrame *frame = sl_chart_get_frame (chart);
  SlFigure       spoken = *sl_chart_get_figure (chart);
  char           text[TEXT];

  self->read = point;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), point >= 0 ? "pointer" : NULL);
  if (point < 0 || frame->plot.w <= 0.0)
    {
      sl_chart_read (chart, NULL, 0.0, 0.0);
      return;
    }
  spoken.translated = TRUE;
  sl_front_text (&self->front, &spoken, (unsigned) point, text, sizeof text);
  sl_chart_read (chart, text, sl_frame_x (frame, self->front.point[point].x),
                 sl_frame_y (frame, self->front.point[point].y));
}

static void
sl_front_view_hover (SlChart *chart, double x, double y)
{
  SlFrontView *self = SL_FRONT_VIEW (chart);
  int point = sl_front_pick (&self->front, sl_chart_get_figure (chart), sl_chart_get_frame (chart),
                             x, y, REACH);

  if (point != self->read)
    show (self, point);
}

static void
sl_front_view_leave (SlChart *chart)
{
  show (SL_FRONT_VIEW (chart), -1);
}

static void
sl_front_view_pick (SlChart *chart)
{
  SlFrontView *self = SL_FRONT_VIEW (chart);

  if (self->read >= 0)
    g_signal_emit_by_name (self, "pick", (guint) self->read);
}

static void
sl_front_view_click (SlChart *chart, double x, double y, int presses)
{
  sl_front_view_hover (chart, x, y);
  if (presses == 1)
    sl_front_view_pick (chart);
}

static void
sl_front_view_move (SlChart *chart, int columns, int rows)
{
  SlFrontView *self = SL_FRONT_VIEW (chart);
  int          by = columns != 0 ? columns : rows;

  show (self, sl_front_next (&self->front, sl_chart_get_figure (chart), self->read, by));
}

SlFront *
sl_front_view_get_front (SlFrontView *self)
{
  g_return_val_if_fail (SL_IS_FRONT_VIEW (self), NULL);
  return &self->front;
}

void
sl_front_view_update (SlFrontView *self)
{
  g_return_if_fail (SL_IS_FRONT_VIEW (self));

  SlChart *chart = SL_CHART (self);

  /* Without memory for the curves the figure keeps none that point to what is gone. */
  if (!sl_front_update (&self->front, sl_chart_get_figure (chart)))
    sl_figure_clear (sl_chart_get_figure (chart));
  if (self->read >= (int) self->front.n)
    show (self, -1);
  sl_chart_refresh (chart);
  sl_widget_label (GTK_WIDGET (self), sl_chart_get_figure (chart)->title);
}

static void
sl_front_view_finalize (GObject *object)
{
  sl_front_clear (&SL_FRONT_VIEW (object)->front);
  G_OBJECT_CLASS (sl_front_view_parent_class)->finalize (object);
}

static void
sl_front_view_class_init (SlFrontViewClass *klass)
{
  SlChartClass *chart = SL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_front_view_finalize;
  chart->hover = sl_front_view_hover;
  chart->leave = sl_front_view_leave;
  chart->click = sl_front_view_click;
  chart->move = sl_front_view_move;
  chart->pick = sl_front_view_pick;
  sl_signal_new (SL_TYPE_FRONT_VIEW, "pick", 1, G_TYPE_UINT);
}

static void
sl_front_view_init (SlFrontView *self)
{
  self->read = -1;
  sl_front_view_update (self);
}
