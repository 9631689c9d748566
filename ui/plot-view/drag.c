/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/drag.h"

#include <math.h>

#include "ui/plot-view/inside.h"

enum { ANSWER_MS = 1000 };

/* The parameter that the mark sets, or NULL. */
static const SlParam *
param_of (SlPlotDrag *self)
{
  const SlLab *lab = self->figure->lab;
  const char  *id = lab != NULL ? lab->panels[self->figure->panel].drags : NULL;
  int          param = id != NULL ? sl_param_find (lab->params, lab->n_params, id) : -1;

  return param >= 0 ? &lab->params[param] : NULL;
}

void
sl_plot_drag_init (SlPlotDrag *self, SlPlotView *view)
{
  self->view = view;
  self->figure = sl_plot_view_get_figure (view);
  self->held = (double) NAN;
}

static void
let_go (SlPlotDrag *self)
{
  g_clear_handle_id (&self->answer, g_source_remove);
  self->held = (double) NAN;
}

static void
on_answer_due (SlPlotDrag *self)
{
  self->answer = 0;
  self->held = (double) NAN;
  /* The figure is to read its mark again. */
  self->figure->stamp = 0;
  sl_plot_view_touch (self->view);
}

void
sl_plot_drag_keep (SlPlotDrag *self, gboolean news)
{
  if (!isfinite (self->held))
    return;
  if (news && !self->gripped && fabs (self->figure->mark - self->held) <= 1e-9 * fabs (self->held))
    let_go (self);
  else
    self->figure->mark = self->held;
}

void
sl_plot_drag_forget (SlPlotDrag *self)
{
  self->gripped = FALSE;
  let_go (self);
}

static void
wait_for_answer (SlPlotDrag *self)
{
  g_clear_handle_id (&self->answer, g_source_remove);
  self->answer = g_timeout_add_once (ANSWER_MS, (GSourceOnceFunc) on_answer_due, self);
}

static void
set_to (SlPlotDrag *self, const SlParam *param, double value)
{
  value = sl_param_tidy (param, value);
  if (value == self->held)
    return;
  self->held = value;
  self->figure->mark = value;
  sl_plot_view_touch (self->view);
  g_signal_emit_by_name (self->view, "drag", value);
}

gboolean
sl_plot_drag_begin (SlPlotDrag *self, double x, double y)
{
  if (param_of (self) == NULL || !sl_frame_on_handle (sl_plot_view_get_frame (self->view), x, y))
    return FALSE;
  g_clear_handle_id (&self->answer, g_source_remove);
  self->gripped = TRUE;
  self->grip_x = x;
  self->held = self->figure->mark;
  return TRUE;
}

void
sl_plot_drag_move (SlPlotDrag *self, double dx)
{
  const SlParam *param = param_of (self);
  const SlRect  *plot = &sl_plot_view_get_frame (self->view)->plot;
  double         x = CLAMP (self->grip_x + dx, plot->x, plot->x + plot->w);

  if (param != NULL)
    set_to (self, param, sl_frame_value_x (sl_plot_view_get_frame (self->view), x));
}

void
sl_plot_drag_end (SlPlotDrag *self)
{
  self->gripped = FALSE;
  wait_for_answer (self);
}

void
sl_plot_drag_nudge (SlPlotDrag *self, int by)
{
  const SlParam *param = param_of (self);
  double         to;

  sl_plot_view_catch_up (self->view);
  if (param == NULL || !isfinite (self->figure->mark) || self->gripped)
    return;
  if (param->logarithmic && param->lo > 0.0)
    to = self->figure->mark * pow (param->hi / param->lo, by / 60.0);
  else
    to = self->figure->mark + by * param->step;
  /* Small whole numbers are further apart than that. */
  if (param->kind == SL_INTEGER && fabs (to - self->figure->mark) < 1.0)
    to = self->figure->mark + by;
  set_to (self, param, to);
  wait_for_answer (self);
}

void
sl_plot_drag_hover (SlPlotDrag *self, double x, double y)
{
  gboolean over = self->gripped
                  || (param_of (self) != NULL
                      && sl_frame_on_handle (sl_plot_view_get_frame (self->view), x, y));

  if (over == self->over)
    return;
  self->over = over;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->view), over ? "ew-resize" : NULL);
}
