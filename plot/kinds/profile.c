/* SPDX-License-Identifier: MIT
 *
 * Values over anything but updates, as lines or points; x may be numbers that have names.  */
#include <glib.h>

#include "plot/draw/curves.h"
#include "plot/figure/panel.h"
#include "plot/kinds/kinds.h"
#include "plot/layout/laying.h"
#include "plot/screen/raster.h"

static bool
fit_names (const SlFigure *figure, bool down, SlRange *range)
{
  *range = (SlRange) { -0.5, figure->categories.n - 0.5 };
  return figure->categories.name != NULL && figure->categories.down == down;
}

static bool
fit_x (const SlFigure *figure, SlRange *range)
{
  return fit_names (figure, false, range);
}

static bool
fit_y (const SlFigure *figure, SlRange *range)
{
  return fit_names (figure, true, range);
}

/* The names of the numbers 0, 1, … along x. */
static void
lay_choices (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  double          room = frame->plot.w / MAX (figure->categories.n, 1) - 0.3 * job->theme->type;

  for (unsigned i = 0; i < figure->categories.n && frame->n_x_ticks < SL_TICKS_MAX; i++)
    {
      SlTick *tick = &frame->x_tick[frame->n_x_ticks];
      double  at = sl_frame_x (frame, i);

      if (!(at >= frame->plot.x - 0.5 && at <= frame->plot.x + frame->plot.w + 0.5))
        continue;
      tick->value = i;
      sl_text_ellipsise (job->text, figure->categories.name[i], job->theme->type, false, room,
                         tick->label, sizeof tick->label);
      frame->x_at[frame->n_x_ticks++] = at;
    }
}

static void
lay_x (const SlLaying *job, SlFrame *frame)
{
  if (job->figure->categories.name != NULL && !job->figure->categories.down)
    lay_choices (job, frame);
  else
    sl_lay_numbers (job, frame, job->figure->integer_x);
}

/* clang-format off */
const SlFigureKind sl_kind_profile = {
  .words = "curves",
  .axes = true, .values = true, .lines = true, .legend_from = 2,
  .take = sl_panel_take_curves, .fit_x = fit_x, .fit_y = fit_y, .lay_x = lay_x,
  .draw = sl_draw_curves, .draw_over = sl_draw_curves_over, .raster = sl_raster_curves,
};
/* clang-format on */
