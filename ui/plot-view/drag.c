/* SPDX-License-Identifier: MIT
 *
 * Dragging the mark of a plot, by its knob, its line or with the keyboard: the parameter that the
 * panel names follows.  While it is held the mark is where the hand is; afterwards it waits there
 * until the run has answered.  */
#include <math.h>

#include "ui/plot-view/private.h"

enum { ANSWER_MS = 1000 };

static const SlFrame *
frame_of (SlPlotView *self)
{
  return sl_plot_canvas_get_frame (self->canvas);
}

/* The parameter that the mark sets, or NULL. */
static const SlParam *
param_of (SlPlotView *self)
{
  const SlLab *lab = self->record != NULL ? self->record->lab : NULL;
  const char  *id
    = lab != NULL && self->panel < lab->n_panels ? lab->panels[self->panel].drags : NULL;
  int param = id != NULL ? sl_param_find (lab->params, lab->n_params, id) : -1;

  return param >= 0 ? &lab->params[param] : NULL;
}

static void
let_go (SlPlotView *self)
{
  g_clear_handle_id (&self->answer, g_source_remove);
  self->held = (double) NAN;
}

static gboolean
on_answer_due (gpointer data)
{
  SlPlotView *self = data;

  self->answer = 0;
  self->held = (double) NAN;
  /* The figure is to read its mark again. */
  self->figure.stamp = 0;
  sl_plot_view_touch (self);
  return G_SOURCE_REMOVE;
}

void
sl_plot_drag_keep (SlPlotView *self, gboolean news)
{
  if (!isfinite (self->held))
    return;
  if (news && !self->gripped && fabs (self->figure.mark - self->held) <= 1e-9 * fabs (self->held))
    let_go (self);
  else
    self->figure.mark = self->held;
}

void
sl_plot_drag_forget (SlPlotView *self)
{
  self->gripped = FALSE;
  let_go (self);
}

static void
wait_for_answer (SlPlotView *self)
{
  g_clear_handle_id (&self->answer, g_source_remove);
  self->answer = g_timeout_add (ANSWER_MS, on_answer_due, self);
}

static void
set_to (SlPlotView *self, const SlParam *param, double value)
{
  value = sl_param_tidy (param, value);
  if (value == self->held)
    return;
  self->held = value;
  self->figure.mark = value;
  sl_plot_view_touch (self);
  g_signal_emit_by_name (self, "drag", value);
}

gboolean
sl_plot_drag_begin (SlPlotView *self, double x, double y)
{
  if (param_of (self) == NULL || !sl_frame_on_handle (frame_of (self), x, y))
    return FALSE;
  g_clear_handle_id (&self->answer, g_source_remove);
  self->gripped = TRUE;
  self->drag_x = x;
  self->held = self->figure.mark;
  sl_plot_cursor_clear (self);
  return TRUE;
}

void
sl_plot_drag_move (SlPlotView *self, double dx)
{
  const SlParam *param = param_of (self);
  const SlRect  *plot = &frame_of (self)->plot;
  double         x = CLAMP (self->drag_x + dx, plot->x, plot->x + plot->w);

  if (param != NULL)
    set_to (self, param, sl_frame_value_x (frame_of (self), x));
}

void
sl_plot_drag_end (SlPlotView *self)
{
  self->gripped = FALSE;
  wait_for_answer (self);
}

gboolean
sl_plot_drag_nudge (SlPlotView *self, int by)
{
  const SlParam *param = param_of (self);
  double         to;

  sl_plot_view_catch_up (self);
  if (param == NULL || !isfinite (self->figure.mark) || self->gripped)
    return FALSE;
  if (param->logarithmic && param->lo > 0.0)
    to = self->figure.mark * pow (param->hi / param->lo, by / 60.0);
  else
    to = self->figure.mark + by * param->step;
  /* Small whole numbers are further apart than that. */
  if (param->kind == SL_INTEGER && fabs (to - self->figure.mark) < 1.0)
    to = self->figure.mark + by;
  set_to (self, param, to);
  wait_for_answer (self);
  return TRUE;
}

void
sl_plot_drag_hover (SlPlotView *self, double x, double y)
{
  gboolean over
    = self->gripped || (param_of (self) != NULL && sl_frame_on_handle (frame_of (self), x, y));

  if (over == self->over_handle)
    return;
  self->over_handle = over;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), over ? "ew-resize" : NULL);
}
