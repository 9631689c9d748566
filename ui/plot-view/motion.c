/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/motion.h"

#include <math.h>

#include "plot/layout/alive.h"

static const double TRAVEL = 2.0 /* s */, READ = 1.5 /* s for the last caption */;

/* Stages of the picture; 0: there is none. */
static unsigned
count_stages (SlPlotMotion *self)
{
  const SlFigure *figure = sl_plot_view_get_figure (self->view);
  const SlMatrix *m = &figure->matrix;
  SlAlive         alive;

  return figure->kind == SL_ALIVE && sl_alive_read (&alive, m->cell, m->rows, m->columns)
           ? sl_alive_stages (&alive)
           : 0;
}

static void
reach (SlPlotMotion *self, double reached)
{
  SlFigure *figure = sl_plot_view_get_figure (self->view);

  if (figure->view.reached == reached)
    return;
  figure->view.reached = reached;
  figure->version++;
  sl_plot_canvas_refresh (sl_plot_view_get_canvas (self->view));
}

static void
halt (SlPlotMotion *self)
{
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->view), self->tick);
  self->tick = 0;
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  SlPlotMotion *self = data;
  gint64        now = gdk_frame_clock_get_frame_time (clock);
  unsigned      stages = count_stages (self);
  double        seconds;

  if (self->begun == 0)
    self->begun = now;
  seconds = (double) (now - self->begun) / G_USEC_PER_SEC;
  if (stages == 0 || seconds >= TRAVEL + READ)
    {
      self->tick = 0;
      reach (self, 0.0);
      return G_SOURCE_REMOVE;
    }
  reach (self, 1.0 + stages * MIN (seconds / TRAVEL, 1.0));
  return G_SOURCE_CONTINUE;
}

static gboolean
is_animated (SlPlotMotion *self)
{
  gboolean animated;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self->view)), "gtk-enable-animations",
                &animated, NULL);
  return animated;
}

void
sl_plot_motion_play (SlPlotMotion *self)
{
  if (!is_animated (self))
    {
      sl_plot_motion_step (self);
      return;
    }
  halt (self);
  if (count_stages (self) == 0)
    return;
  self->begun = 0;
  reach (self, 1.0);
  self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self->view), on_frame, self, NULL);
}

void
sl_plot_motion_step (SlPlotMotion *self)
{
  unsigned stages = count_stages (self);
  double   reached = sl_plot_view_get_figure (self->view)->view.reached;

  halt (self);
  if (stages > 0)
    reach (self, reached >= 1.0 + stages ? 0.0 : MAX (floor (reached), 1.0) + 1.0);
}

void
sl_plot_motion_stop (SlPlotMotion *self)
{
  halt (self);
  reach (self, 0.0);
}
