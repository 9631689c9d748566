/* SPDX-License-Identifier: MIT */
#include "ui/charts/parallel-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ui/kit/widget.h"

struct _SlParallelView
{
  SlChart parent_instance;

  SlParallel parallel;
  unsigned   axis;    /* where the cursor of the keyboard is */
  int        brushed; /* axis of the brush that is drawn now, or -1 */
  double     from;    /* px where it began */
  gboolean   moved;
};

G_DEFINE_FINAL_TYPE (SlParallelView, sl_parallel_view, SL_TYPE_CHART)

enum { AXIS_REACH = 14, LINE_REACH = 8, DRAG_MIN = 4, VALUE = 64 };

/* All values of the marked line, one a row. */
static void
show (SlParallelView *self, double x, double y)
{
  const SlParallel *parallel = &self->parallel;
  g_autoptr (GString) text = g_string_new (NULL);
  char value[VALUE];

  if (parallel->marked == 0)
    {
      sl_chart_read (SL_CHART (self), NULL, 0.0, 0.0);
      return;
    }
  for (unsigned a = 0; a < parallel->n_axes; a++)
    {
      double at = parallel->value[(parallel->marked - 1) * parallel->n_axes + a];

      g_string_append_printf (text, "%s%s: %s", a > 0 ? "\n" : "", parallel->axis[a].title,
                              isnan (at) ? "–"
                                         : sl_parallel_text (parallel, a, at, value, sizeof value));
    }
  sl_chart_read (SL_CHART (self), text->str, x, y);
}

static void
mark (SlParallelView *self, int line)
{
  if (self->parallel.marked == (size_t) (line + 1))
    return;
  self->parallel.marked = (size_t) (line + 1);
  sl_chart_refresh (SL_CHART (self));
}

static void
sl_parallel_view_hover (SlChart *chart, double x, double y)
{
  SlParallelView *self = SL_PARALLEL_VIEW (chart);
  const SlFrame  *frame = sl_chart_get_frame (chart);
  gboolean        on_axis
    = frame->plot.w > 0.0 && sl_parallel_axis_at (&self->parallel, frame, x, AXIS_REACH) >= 0;
  int line = on_axis ? -1 : sl_parallel_line_at (&self->parallel, frame, x, y, LINE_REACH);

  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), on_axis     ? "ns-resize"
                                                      : line >= 0 ? "pointer"
                                                                  : NULL);
  mark (self, line);
  show (self, x, y);
}

static void
sl_parallel_view_leave (SlChart *chart)
{
  mark (SL_PARALLEL_VIEW (chart), -1);
  show (SL_PARALLEL_VIEW (chart), 0.0, 0.0);
}

static void
sl_parallel_view_pick (SlChart *chart)
{
  SlParallelView *self = SL_PARALLEL_VIEW (chart);

  if (self->parallel.marked > 0)
    g_signal_emit_by_name (self, "pick", (guint) (self->parallel.marked - 1));
}

static void
sl_parallel_view_click (SlChart *chart, double x, double y, int presses)
{
  sl_parallel_view_hover (chart, x, y);
  if (presses == 1)
    sl_parallel_view_pick (chart);
}

/* The selected line next to the marked one along the axis of the cursor, upwards or downwards. */
static int
beside (const SlParallelView *self, int rows)
{
  const SlParallel *parallel = &self->parallel;
  int               found = -1;
  double            best = HUGE_VAL, from = NAN;

  if (parallel->marked > 0)
    from = parallel->value[(parallel->marked - 1) * parallel->n_axes + self->axis];
  for (size_t line = 0; line < parallel->n; line++)
    {
      double value = parallel->value[line * parallel->n_axes + self->axis];
      double away = rows < 0 ? value - from : from - value;

      if (!isfinite (value) || !sl_parallel_selected (parallel, line)
          || line + 1 == parallel->marked)
        continue;
      if (isnan (from))
        away = rows < 0 ? value : -value;
      /* Equals follow each other by number. */
      if (away == 0.0 && !isnan (from) && (rows < 0) != (line + 1 > parallel->marked))
        continue;
      if ((isnan (from) || away >= 0.0) && away < best)
        {
          best = away;
          found = (int) line;
        }
    }
  return found;
}

static void
sl_parallel_view_move (SlChart *chart, int columns, int rows)
{
  SlParallelView   *self = SL_PARALLEL_VIEW (chart);
  const SlParallel *parallel = &self->parallel;
  const SlFrame    *frame = sl_chart_get_frame (chart);
  int               line;

  if (parallel->n_axes == 0 || frame->plot.w <= 0.0)
    return;
  self->axis = (unsigned) CLAMP ((int) self->axis + columns, 0, (int) parallel->n_axes - 1);
  line = rows != 0 ? beside (self, rows) : -1;
  if (line >= 0)
    mark (self, line);
  if (parallel->marked > 0)
    {
      double y
        = sl_parallel_y (parallel, frame, self->axis,
                         parallel->value[(parallel->marked - 1) * parallel->n_axes + self->axis]);

      show (self, sl_parallel_x (parallel, frame, self->axis),
            isfinite (y) ? y : frame->plot.y + frame->plot.h);
    }
}

static gboolean
sl_parallel_view_drag_begin (SlChart *chart, double x, double y)
{
  SlParallelView *self = SL_PARALLEL_VIEW (chart);
  const SlFrame  *frame = sl_chart_get_frame (chart);

  if (!sl_rect_contains (&frame->plot, x, y) || frame->empty)
    return FALSE;
  self->brushed = sl_parallel_axis_at (&self->parallel, frame, x, AXIS_REACH);
  self->from = y;
  self->moved = FALSE;
  return self->brushed >= 0;
}

static void
brush (SlParallelView *self, double from, double to)
{
  sl_parallel_brush (&self->parallel, (unsigned) self->brushed, from, to);
  sl_parallel_view_update (self);
  g_signal_emit_by_name (self, "brushed");
}

static void
sl_parallel_view_drag_to (SlChart *chart, double x, double y)
{
  SlParallelView *self = SL_PARALLEL_VIEW (chart);
  const SlFrame  *frame = sl_chart_get_frame (chart);
  unsigned        axis = (unsigned) self->brushed;

  self->moved = self->moved || fabs (y - self->from) >= DRAG_MIN;
  if (self->moved && axis < self->parallel.n_axes)
    brush (self, sl_parallel_value (&self->parallel, frame, axis, self->from),
           sl_parallel_value (&self->parallel, frame, axis, y));
}

/* A click on an axis, without a drag, takes its brush away. */
static void
sl_parallel_view_drag_end (SlChart *chart)
{
  SlParallelView *self = SL_PARALLEL_VIEW (chart);

  if (!self->moved)
    brush (self, NAN, NAN);
  self->brushed = -1;
}

static void
on_unbrush (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SlParallelView *self = SL_PARALLEL_VIEW (widget);

  for (unsigned a = 0; a < self->parallel.n_axes; a++)
    sl_parallel_brush (&self->parallel, a, NAN, NAN);
  sl_parallel_view_update (self);
  g_signal_emit_by_name (self, "brushed");
}

SlParallel *
sl_parallel_view_get_parallel (SlParallelView *self)
{
  g_return_val_if_fail (SL_IS_PARALLEL_VIEW (self), NULL);
  return &self->parallel;
}

void
sl_parallel_view_update (SlParallelView *self)
{
  g_return_if_fail (SL_IS_PARALLEL_VIEW (self));

  SlChart *chart = SL_CHART (self);

  if (self->parallel.marked > self->parallel.n)
    sl_parallel_view_leave (chart);
  sl_parallel_update (&self->parallel, sl_chart_get_figure (chart), "Parameters and results");
  sl_chart_refresh (chart);
}

static void
sl_parallel_view_finalize (GObject *object)
{
  sl_parallel_clear (&SL_PARALLEL_VIEW (object)->parallel);
  G_OBJECT_CLASS (sl_parallel_view_parent_class)->finalize (object);
}

static void
sl_parallel_view_class_init (SlParallelViewClass *klass)
{
  SlChartClass *chart = SL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_parallel_view_finalize;
  chart->hover = sl_parallel_view_hover;
  chart->leave = sl_parallel_view_leave;
  chart->click = sl_parallel_view_click;
  chart->move = sl_parallel_view_move;
  chart->pick = sl_parallel_view_pick;
  chart->drag_begin = sl_parallel_view_drag_begin;
  chart->drag_to = sl_parallel_view_drag_to;
  chart->drag_end = sl_parallel_view_drag_end;
  sl_signal_new (SL_TYPE_PARALLEL_VIEW, "pick", 1, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PARALLEL_VIEW, "brushed", 0);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "chart.unbrush", NULL, on_unbrush);
}

static void
sl_parallel_view_init (SlParallelView *self)
{
  self->brushed = -1;
  sl_parallel_view_update (self);
  sl_widget_label (GTK_WIDGET (self), _ ("Parameters and results of all runs"));
}
