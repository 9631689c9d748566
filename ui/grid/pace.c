/* SPDX-License-Identifier: MIT */
#include "ui/grid/pace.h"

struct SlPlotPace
{
  GPtrArray *cards;    /* of GtkWidget or NULL, borrowed */
  GtkWidget *scroller; /* borrowed, or NULL */
  gboolean (*update) (gpointer card);
  GArray  *drawn; /* of gint64: when each was last redrawn, µs */
  double   rate;
  unsigned turn; /* whose turn it is */
  guint64  redraws;
};

SlPlotPace *
sl_plot_pace_new (GPtrArray *cards, GtkWidget *scroller, gboolean (*update) (gpointer card))
{
  SlPlotPace *self = g_new0 (SlPlotPace, 1);

  self->cards = cards;
  self->scroller = scroller;
  self->update = update;
  self->drawn = g_array_new (FALSE, TRUE, sizeof (gint64));
  self->rate = 10.0;
  return self;
}

void
sl_plot_pace_free (SlPlotPace *self)
{
  g_array_unref (self->drawn);
  g_free (self);
}

void
sl_plot_pace_set_rate (SlPlotPace *self, double rate)
{
  self->rate = rate;
}

float
sl_plot_pace_visible (SlPlotPace *self, unsigned card)
{
  GtkWidget      *widget = g_ptr_array_index (self->cards, card);
  float           height = (float) gtk_widget_get_height (self->scroller);
  graphene_rect_t bounds;

  if (widget == NULL || !gtk_widget_get_mapped (widget)
      || !gtk_widget_compute_bounds (widget, self->scroller, &bounds)
      || !(bounds.size.height > 0.0f))
    return 0.0f;
  return (MIN (bounds.origin.y + bounds.size.height, height) - MAX (bounds.origin.y, 0.0f))
         / bounds.size.height;
}

static gboolean
in_sight (SlPlotPace *self, unsigned card)
{
  return g_ptr_array_index (self->cards, card) != NULL
         && (self->scroller == NULL || sl_plot_pace_visible (self, card) > 0.0f);
}

/* FALSE when it has no news. */
static gboolean
redraw (SlPlotPace *self, unsigned card, gint64 now)
{
  if (!self->update (g_ptr_array_index (self->cards, card)))
    return FALSE;
  g_array_index (self->drawn, gint64, card) = now;
  self->redraws++;
  return TRUE;
}

static gboolean
draw_all (SlPlotPace *self, gint64 now)
{
  gboolean news = FALSE;

  for (unsigned i = 0; i < self->cards->len; i++)
    if (in_sight (self, i) && redraw (self, i, now))
      news = TRUE;
  return news;
}

/* The next plot in turn that is due and has news. */
static gboolean
draw_one (SlPlotPace *self, gint64 now)
{
  gint64   pause = (gint64) (G_USEC_PER_SEC / self->rate);
  gboolean waiting = FALSE;

  for (unsigned tried = 0; tried < self->cards->len; tried++)
    {
      unsigned i = (self->turn + tried) % self->cards->len;

      if (!in_sight (self, i))
        continue;
      if (now - g_array_index (self->drawn, gint64, i) < pause)
        waiting = TRUE;
      else if (redraw (self, i, now))
        {
          self->turn = i + 1;
          return TRUE;
        }
    }
  return waiting;
}

gboolean
sl_plot_pace_tick (SlPlotPace *self, gint64 now)
{
  g_array_set_size (self->drawn, self->cards->len);
  return self->rate > 0.0 ? draw_one (self, now) : draw_all (self, now);
}

guint64
sl_plot_pace_redraws (SlPlotPace *self)
{
  return self->redraws;
}
